import { Card, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Figure } from '../elements/figure';
import { ProblemAlert } from '../elements/problem-alert';
import { latency } from '../elements/time';
import { endpointStatsQuery } from './endpoint-queries';

const WINDOWS = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
];

/** How deliveries to an endpoint went. */
export function StatsPanel({ endpointId }: { readonly endpointId: string }) {
  const [window, setWindow] = useState('24h');
  const { data, error } = useQuery(endpointStatsQuery(endpointId, window));
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Deliveries</Title>
          <SegmentedControl aria-label="Time" size="xs" data={WINDOWS} value={window} onChange={setWindow} />
        </Group>
        <ProblemAlert error={error} title="The statistics could not be loaded" />
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
          <Figure label="Delivered" value={data?.deliveries.delivered.toLocaleString('en')} />
          <Figure label="Unfinished" value={data && String(data.deliveries.pending + data.deliveries.retrying)} />
          <Figure label="Failed" value={data?.deliveries.failed.toLocaleString('en')} />
          <Figure
            label="Success"
            value={data && (data.success_rate === null ? '–' : `${(data.success_rate * 100).toFixed(1)} %`)}
          />
          <Figure
            label="Attempts failed"
            value={
              data && `${data.attempts.failed.toLocaleString('en')} of ${data.attempts.total.toLocaleString('en')}`
            }
          />
          <Figure
            label="Latency p50"
            value={data && (data.latency_ms ? latency(data.latency_ms.p50) : '–')}
            note={data?.latency_ms && `p95 ${latency(data.latency_ms.p95)}`}
          />
        </SimpleGrid>
        {data && !data.complete && (
          <Text size="sm" c="dimmed">
            Only the newest 10,000 deliveries are counted.
          </Text>
        )}
      </Stack>
    </Card>
  );
}
