import { Button, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus, RotateCcw } from 'lucide-react';
import { MAX_RUNS } from '../../../src/domain/replay-contract';
import type { Endpoint, Replay } from '../api/answers';
import { useNow } from '../elements/clock';
import { ConfirmButton } from '../elements/confirm-button';
import { EmptyState } from '../elements/empty-state';
import { lazyDialog } from '../elements/lazy-dialog';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge, stateLabel } from '../elements/state-badge';
import { Ago, remainingTime } from '../elements/time';
import { clockTime, timeInSentence } from '../elements/written-time';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { Page } from '../shell/page';
import { newDraft } from './replay-draft';
import { ReplayOutcome, type Outcome } from './replay-outcome';
import { replayOutcomesQuery, replaysList, useCancelReplay } from './replay-queries';
import { remainingMs } from './replay-time';

const StartReplayDialog = lazyDialog(() => import('./start-replay-dialog'), 'StartReplayDialog');

/** Bulk replays and how far they are. */
export function ReplaysPage() {
  const list = useLiveList(replaysList);
  const [isStarting, { open, close }] = useDisclosure(false);
  const replays = list.rows;
  const { data: known } = useQuery(replayOutcomesQuery(replays));
  const endpoints = useEndpoints();
  const outcomes = new Map((known?.outcomes ?? []).map((outcome) => [outcome.job_id, outcome]));
  return (
    <Page
      title="Replays"
      description="Send many deliveries again, at a rate that your receivers can handle. Replays continue after a restart."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          New replay
        </Button>
      }
    >
      <ProblemAlert error={list.error} title="The replays could not be loaded" />
      {list.isSuccess && <NewRows list={list} noun={['replay', 'replays']} />}
      {list.isSuccess && replays.length === 0 && (
        <EmptyState Icon={RotateCcw} title="No replays yet">
          After an outage that was longer than the retry schedule, a replay sends the failed deliveries again: all of
          them, or those of one endpoint or event type.
        </EmptyState>
      )}
      <Stack>
        {replays.map((replay) => (
          <ReplayCard
            key={replay.job_id}
            replay={replay}
            outcome={outcomes.get(replay.job_id)}
            endpoint={endpoints.get(replay.filter.endpoint_id ?? '')}
          />
        ))}
      </Stack>
      <OlderRowsControl list={list} />
      <StartReplayDialog opened={isStarting} draft={newDraft} onClose={close} onStarted={close} />
    </Page>
  );
}

interface ReplayCardProps {
  readonly replay: Replay;
  /** Undefined while it is not known. */
  readonly outcome: Outcome | undefined;
  /** That it is for, unless it was removed. */
  readonly endpoint: Endpoint | undefined;
}

function ReplayCard({ replay, outcome, endpoint }: ReplayCardProps) {
  const cancel = useCancelReplay(replay.job_id);
  const done = replay.replayed + replay.skipped;
  const percent = replay.matched === null || replay.matched === 0 ? 0 : (done / replay.matched) * 100;
  const isRunning = replay.state === 'running';
  const badge = badgeOf(replay, outcome);
  return (
    <Card withBorder padding="lg" component="section" aria-label={`Replay ${replay.job_id}`}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            {badge !== undefined && <StateBadge state={badge} />}
            <Text size="sm" ff="monospace" c="dimmed">
              {replay.job_id}
            </Text>
            <Text size="sm" c="dimmed">
              started <Ago at={replay.created_at} />
            </Text>
          </Group>
          {isRunning && (
            <ConfirmButton
              size="compact-sm"
              variant="default"
              question="Stop this replay?"
              consequence="Deliveries that it has sent again continue. The others stay as they are."
              verb="Stop the replay"
              onConfirm={() => cancel.mutateAsync()}
              isPending={cancel.isPending}
              error={cancel.error}
            >
              Stop
            </ConfirmButton>
          )}
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {describeFilter(replay, endpoint && endpointName(endpoint))}
        </Text>
        <Progress
          value={isRunning ? percent : 100}
          color={outcome && outcome.failed > 0 ? 'red' : 'tide'}
          animated={isRunning}
          aria-label="Progress"
        />
        <Text size="sm" className="figures" aria-live={isRunning ? 'polite' : 'off'}>
          {replay.matched === null
            ? 'Counting…'
            : `${replay.replayed.toLocaleString('en')} of ${replay.matched.toLocaleString('en')} sent again`}
          {replay.skipped > 0 && `, ${replay.skipped.toLocaleString('en')} skipped`}
          {replay.at_run_limit > 0 && ` (${replay.at_run_limit.toLocaleString('en')} have had ${MAX_RUNS} runs)`}
          {isRunning && ` · at most ${replay.rate_per_second} per second`}
        </Text>
        {isRunning && <Remaining replay={replay} />}
        {outcome && <ReplayOutcome replay={replay} outcome={outcome} />}
      </Stack>
    </Card>
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

/** The state by the outcomes of the deliveries: a replay that sent everything again may have delivered nothing. */
function badgeOf({ state, replayed }: Replay, outcome: Outcome | undefined): string | undefined {
  if (state !== 'completed' || replayed === 0) return state;
  if (!outcome) return undefined;
  if (outcome.open > 0) return 'running';
  return outcome.failed > 0 ? (outcome.delivered > 0 ? 'partially_failed' : 'failed') : state;
}

function describeFilter({ filter }: Replay, name: string | undefined): string {
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
