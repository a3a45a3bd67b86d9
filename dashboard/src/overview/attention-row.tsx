import { Box, Group, Stack, Text } from '@mantine/core';
import type { Overview } from '../api/answers';
import { PageButton, PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import { clockTime } from '../elements/time';
import { adviceFor } from '../endpoints/advice';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpointState } from '../endpoints/endpoint-queries';
import { failuresInWords, reasonInWords } from '../endpoints/health-in-words';
import { PauseButton } from '../endpoints/pause-button';
import { RecoverButton } from '../replays/recover-button';
import classes from './rows.module.css';
import { WaitingLink } from './waiting-link';

type Entry = Overview['attention'][number];

/** An endpoint that needs attention: why, since when, what waits for it, and what can be done. */
export function AttentionRow({ entry }: { readonly entry: Entry }) {
  const { endpoint, health, failing_since: failingSince } = entry;
  const since = health.since ?? failingSince;
  return (
    <Box component="li" className={classes['row']}>
      <Stack gap={4} className={classes['about']}>
        <Group gap="xs">
          <StateBadge state={health.state} detail={since === null ? undefined : `since ${clockTime(since)}`} />
          <PageLink
            to="/dashboard/endpoints/$endpointId"
            params={{ endpointId: endpoint.id }}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {endpointName(endpoint)}
          </PageLink>
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reasonOf(entry)}
        </Text>
        <Advice health={health} />
        <Waiting entry={entry} />
      </Stack>
      <Actions entry={entry} />
    </Box>
  );
}

function reasonOf({ endpoint, health }: Entry): string {
  const failures = failuresInWords(health);
  switch (health.state) {
    case 'failing':
      return `${failures} attempts`;
    case 'disabled':
      if (endpoint.disabled_reason === 'gone') return 'The receiver answered 410 Gone. Nothing is sent.';
      return failures === undefined ? 'Nothing is sent.' : `${failures} attempts. Nothing is sent.`;
    case 'paused':
      return failures === undefined ? 'Nothing is sent.' : `Nothing is sent. Before the pause: ${failures} attempts`;
    case 'waiting':
      return endpoint.unverified_host === null
        ? 'Nothing is sent yet.'
        : `Nothing is sent until ${endpoint.unverified_host} answers its challenge.`;
    case 'degraded':
    case 'healthy':
      return reasonInWords(health) ?? '';
  }
}

/** The next step, while attempts fail or have stopped because they failed. */
function Advice({ health: { last_error: error, failed_in_a_row: inARow } }: Pick<Entry, 'health'>) {
  if (!error || inARow === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {adviceFor({ code: error.code, statusCode: error.status_code })}
    </Text>
  );
}

function Waiting({ entry: { endpoint, waiting } }: { readonly entry: Entry }) {
  if (waiting.deliveries === 0) {
    return (
      <Text size="sm" c="dimmed">
        No delivery waits.
      </Text>
    );
  }
  return (
    <Text size="sm">
      <WaitingLink endpointId={endpoint.id} waiting={waiting} />
    </Text>
  );
}

function Actions({ entry }: { readonly entry: Entry }) {
  const { endpoint } = entry;
  const state = useEndpointState(endpoint.id);
  const ofWhat = <span className="visually-hidden"> {endpointName(endpoint)}</span>;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <PageButton
          to="/dashboard/endpoints/$endpointId"
          params={{ endpointId: endpoint.id }}
          variant="default"
          size="xs"
        >
          Open{ofWhat}
        </PageButton>
        <PauseButton endpoint={endpoint} state={state} size="xs" iconSize={14} ofWhat={ofWhat} />
        <RecoverButton
          endpointId={endpoint.id}
          health={entry.health}
          failingSince={entry.failing_since}
          size="xs"
          ofWhat={ofWhat}
        />
      </Group>
      <ProblemAlert error={state.error} title="The request failed" />
    </Stack>
  );
}
