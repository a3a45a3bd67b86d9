import { Progress, Text } from '@mantine/core';
import { MAX_RUNS } from '../../../src/domain/replay-contract';
import type { Replay } from '../api/answers';
import { useNow } from '../elements/clock';
import { stateLabel } from '../elements/state-badge';
import { remainingTime } from '../elements/time';
import { clockTime, timeInSentence } from '../elements/written-time';
import { remainingMs } from './replay-time';

interface ReplayProgressProps {
  readonly replay: Replay;
  /** Whether deliveries have failed again. */
  readonly isBad?: boolean;
}

/** How far a replay is, how fast it goes, and when it is through. */
export function ReplayProgress({ replay, isBad = false }: ReplayProgressProps) {
  const { matched, paused } = replay;
  const done = replay.replayed + replay.skipped;
  const percent = matched === null || matched === 0 ? 0 : (done / matched) * 100;
  const isRunning = replay.state === 'running';
  const verb = replay.filter.state === 'retrying' ? 'retried' : 'sent again';
  return (
    <>
      <Progress
        value={isRunning ? percent : 100}
        color={isBad ? 'red' : 'tide'}
        animated={isRunning && !paused}
        aria-label="Progress"
      />
      <Text size="sm" className="figures" aria-live={isRunning ? 'polite' : 'off'}>
        {matched === null
          ? 'Counting…'
          : `${replay.replayed.toLocaleString('en')} of ${matched.toLocaleString('en')} ${verb}`}
        {replay.skipped > 0 && `, ${replay.skipped.toLocaleString('en')} skipped`}
        {replay.at_run_limit > 0 && ` (${replay.at_run_limit.toLocaleString('en')} have had ${MAX_RUNS} runs)`}
        {isRunning && ` · at most ${replay.rate_per_second} per second`}
      </Text>
      {isRunning && !paused && <Remaining replay={replay} />}
    </>
  );
}

/** How long it still takes. It is not read out each second. */
function Remaining({ replay }: { readonly replay: Replay }) {
  const now = useNow();
  const leftMs = remainingMs(replay, now);
  if (leftMs === undefined) return null;
  return (
    <Text size="sm" c="dimmed" className="figures">
      {`About ${remainingTime(leftMs)} left: through ${timeInSentence(now + leftMs, now)}`}
    </Text>
  );
}

/** What a replay sends again, in words. */
export function describeFilter({ filter }: Replay, name: string | undefined): string {
  const parts = [
    `${stateLabel(filter.state)} deliveries`,
    filter.endpoint_id === null ? undefined : `to ${name ?? filter.endpoint_id}`,
    filter.type === null ? undefined : `of ${filter.type}`,
    filter.after === null ? undefined : `of events since ${clockTime(filter.after)}`,
    filter.before === null ? undefined : `of events before ${clockTime(filter.before)}`,
    filter.completed_after === null ? undefined : `that finished since ${clockTime(filter.completed_after)}`,
    filter.completed_before === null ? undefined : `that finished before ${clockTime(filter.completed_before)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}
