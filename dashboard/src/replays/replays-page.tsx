import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus, RotateCcw } from 'lucide-react';
import type { Endpoint, Replay } from '../api/answers';
import { EmptyState } from '../elements/empty-state';
import { lazyDialog } from '../elements/lazy-dialog';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { Page } from '../shell/page';
import { ReplayActions } from './replay-actions';
import { newDraft } from './replay-draft';
import { ReplayOutcome, type Outcome } from './replay-outcome';
import { describeFilter, ReplayProgress } from './replay-progress';
import { replayOutcomesQuery, replaysList } from './replay-queries';
import { useMay } from '../session/use-may';

const StartReplayDialog = lazyDialog(() => import('./start-replay-dialog'), 'StartReplayDialog');

/** Bulk replays and how far they are. */
export function ReplaysPage() {
  const list = useLiveList(replaysList);
  const [isStarting, { open, close }] = useDisclosure(false);
  const replays = list.rows;
  const { data: known } = useQuery(replayOutcomesQuery(replays));
  const endpoints = useEndpoints();
  const canReplay = useMay('deliveries:write');
  const outcomes = new Map((known?.outcomes ?? []).map((outcome) => [outcome.job_id, outcome]));
  return (
    <Page
      title="Replays"
      description="Send many deliveries again, at a rate that your receivers can handle. Replays continue after a restart."
      actions={
        canReplay && (
          <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
            New replay
          </Button>
        )
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
          {isRunning && <ReplayActions replay={replay} />}
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {describeFilter(replay, endpoint && endpointName(endpoint))}
        </Text>
        <ReplayProgress replay={replay} isBad={outcome !== undefined && outcome.failed > 0} />
        {outcome && <ReplayOutcome replay={replay} outcome={outcome} />}
      </Stack>
    </Card>
  );
}

/** The state by the outcomes of the deliveries: a replay that sent everything again may have delivered nothing. */
function badgeOf({ state, paused, replayed, filter }: Replay, outcome: Outcome | undefined): string | undefined {
  if (paused) return 'paused';
  if (state !== 'completed' || replayed === 0 || filter.state === 'retrying') return state;
  if (!outcome) return undefined;
  if (outcome.open > 0) return 'running';
  return outcome.failed > 0 ? (outcome.delivered > 0 ? 'partially_failed' : 'failed') : state;
}
