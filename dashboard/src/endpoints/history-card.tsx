import { Card, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { EndpointHistory } from '../api/answers';
import { AttemptChart } from '../charts/attempt-chart';
import { WINDOW_CHOICES } from '../charts/history';
import { LatencyChart } from '../charts/latency-chart';
import { Figure } from '../elements/figure';
import { ProblemAlert } from '../elements/problem-alert';
import { latency } from '../elements/time';
import { shareOf } from '../elements/with-unit';
import { useEndpointSearch } from './use-endpoint-search';

interface HistoryCardProps {
  /** Undefined while it is loaded. */
  readonly history: EndpointHistory | undefined;
  readonly error: unknown;
}

/** The attempts of a window: figures and charts. */
export function HistoryCard({ history, error }: HistoryCardProps) {
  const { window, setWindow } = useEndpointSearch();
  return (
    <Card withBorder padding="lg" component="section" aria-label="Attempts over time">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Attempts over time</Title>
          <SegmentedControl
            aria-label="Time"
            size="xs"
            data={[...WINDOW_CHOICES]}
            value={window}
            onChange={setWindow}
          />
        </Group>
        <ProblemAlert error={error} title="The attempts could not be loaded" />
        <Totals totals={history?.totals} />
        {history && (
          <>
            <AttemptChart history={history} endpointId={history.endpoint_id} />
            {history.totals.attempts > 0 && (
              <>
                <Text fw={600}>Latency</Text>
                <LatencyChart history={history} endpointId={history.endpoint_id} />
              </>
            )}
          </>
        )}
      </Stack>
    </Card>
  );
}

function Totals({ totals }: { readonly totals: EndpointHistory['totals'] | undefined }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
      <Figure label="Attempts" value={totals?.attempts.toLocaleString('en')} />
      <Figure label="Succeeded" value={totals && shareOf(totals.succeeded, totals.attempts)} />
      <Figure label="Failed" value={totals?.failed.toLocaleString('en')} />
      <Figure label="Retries" value={totals?.retries.toLocaleString('en')} />
      <Figure
        label="Latency p50"
        value={totals && (totals.latency_ms ? latency(totals.latency_ms.p50) : '–')}
        note={totals?.latency_ms && `p95 ${latency(totals.latency_ms.p95)} · p99 ${latency(totals.latency_ms.p99)}`}
      />
    </SimpleGrid>
  );
}
