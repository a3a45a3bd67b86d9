import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Replay, ReplayOutcomes } from '../api/answers';
import { PageLink } from '../elements/links';

/** The outcomes of a bulk replay's deliveries. */
export type Outcome = ReplayOutcomes['outcomes'][number];

interface ReplayOutcomeProps {
  readonly replay: Replay;
  readonly outcome: Outcome;
}

/** How many were delivered, failed again or are open: each number leads to its deliveries. */
export function ReplayOutcome({ replay, outcome }: ReplayOutcomeProps) {
  const { delivered, failed, cancelled, open } = outcome;
  const left = replay.replayed - delivered - failed - cancelled - open;
  const parts = [
    { state: 'delivered', count: delivered, words: 'delivered' },
    { state: 'failed', count: failed, words: 'failed again' },
    ...(cancelled > 0 ? [{ state: 'cancelled', count: cancelled, words: 'cancelled' }] : []),
    { state: 'open', count: open, words: 'open' },
  ];
  return (
    <Text size="sm" className="figures" fw={600} c={failed > 0 ? 'var(--mantine-color-error)' : 'inherit'}>
      {parts.map(({ state, count, words }, index) => (
        <Fragment key={state}>
          {index > 0 && ', '}
          {count === 0 ? (
            `0 ${words}`
          ) : (
            <PageLink
              to="/dashboard/find"
              search={{ replay_id: replay.job_id, state }}
              inherit
              underline="always"
              {...(state === 'failed' && { c: 'inherit' })}
            >
              {count.toLocaleString('en')} {words}
            </PageLink>
          )}
        </Fragment>
      ))}
      {left > 0 && `, ${left.toLocaleString('en')} replayed again since`}
    </Text>
  );
}
