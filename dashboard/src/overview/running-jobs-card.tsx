import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint, Replay } from '../api/answers';
import { PageLink } from '../elements/links';
import { StateBadge } from '../elements/state-badge';
import { BacklogProgress } from '../endpoints/backlog-progress';
import { BACKLOG_MS } from '../endpoints/backlog-queries';
import { endpointName } from '../endpoints/endpoint-name';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { ReplayActions } from '../replays/replay-actions';
import { describeFilter, ReplayProgress } from '../replays/replay-progress';
import { runningReplaysQuery } from '../replays/replay-queries';

/** Replays and backlogs that are being sent: how far, how fast, and until when. Nothing where there are none. */
export function RunningJobsCard() {
  const { data: replays = [] } = useQuery(runningReplaysQuery);
  const { data: list } = useQuery({
    ...endpointsQuery,
    refetchInterval: ({ state: { data } }) => (data?.endpoints ?? []).some(isSending) && BACKLOG_MS,
  });
  const endpoints = list?.endpoints ?? [];
  const sending = endpoints.filter(isSending);
  if (replays.length === 0 && sending.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section" aria-label="Running now">
      <Stack>
        <Title order={2}>Running now</Title>
        {sending.map((endpoint) => (
          <RunningBacklog key={endpoint.id} endpoint={endpoint} />
        ))}
        {replays.map((replay) => (
          <RunningReplay
            key={replay.job_id}
            replay={replay}
            endpoint={endpoints.find(({ id }) => id === replay.filter.endpoint_id)}
          />
        ))}
      </Stack>
    </Card>
  );
}

function isSending({ backlog, status }: Endpoint): boolean {
  return backlog !== null && status === 'active';
}

function RunningBacklog({ endpoint }: { readonly endpoint: Endpoint }) {
  return (
    <Stack gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The backlog of{' '}
        <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId: endpoint.id }} inherit fw={600}>
          {endpointName(endpoint)}
        </PageLink>
      </Text>
      <BacklogProgress endpoint={endpoint} />
    </Stack>
  );
}

function RunningReplay({ replay, endpoint }: { readonly replay: Replay; readonly endpoint: Endpoint | undefined }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Group gap="sm">
          <StateBadge state={replay.paused ? 'paused' : 'running'} />
          <PageLink to="/dashboard/replays" size="sm">
            Replay
          </PageLink>
        </Group>
        <ReplayActions replay={replay} />
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {describeFilter(replay, endpoint && endpointName(endpoint))}
      </Text>
      <ReplayProgress replay={replay} />
    </Stack>
  );
}
