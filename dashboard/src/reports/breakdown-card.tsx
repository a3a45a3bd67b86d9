import { Button, Card, Group, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { DeliveryReport } from '../api/answers';
import { breakable } from '../elements/breakable';
import { NameCell, ScrollTable } from '../elements/data-table';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { deliveredShare, timeToDelivered } from './delivery-words';
import { reportQuery, type ReportBy } from './report-queries';

const GROUPS: readonly { readonly value: ReportBy; readonly label: string; readonly head: string }[] = [
  { value: 'endpoint', label: 'By endpoint', head: 'Endpoint' },
  { value: 'type', label: 'By event type', head: 'Event type' },
  { value: 'key', label: 'By key', head: 'Key' },
];

const NUMBERS = ['Accepted', 'Delivered', 'Given up', 'Share delivered', 'p50', 'p95'];

/** This month's deliveries by endpoint, event type or key, to read and to download. */
export function BreakdownCard() {
  const [by, setBy] = useState<ReportBy>('endpoint');
  const { data, error } = useQuery(reportQuery(by));
  const { head } = GROUPS.find(({ value }) => value === (data?.by ?? by))!;
  return (
    <Card withBorder padding="lg" component="section" aria-label="Deliveries in detail">
      <Stack>
        <Group justify="space-between">
          <Title order={2}>Deliveries in detail</Title>
          <Group gap="sm">
            <SegmentedControl
              aria-label="Rows"
              size="xs"
              data={GROUPS.map(({ value, label }) => ({ value, label }))}
              value={by}
              onChange={(value) => setBy(value)}
            />
            <Button
              component="a"
              href={`/dashboard/api/reports/deliveries.csv?by=${by}`}
              variant="default"
              size="xs"
              leftSection={<Download size={16} aria-hidden />}
            >
              Download CSV
            </Button>
          </Group>
        </Group>
        <ProblemAlert error={error} title="The deliveries could not be loaded" />
        {data && data.rows.length === 0 && (
          <Text size="sm" c="dimmed">
            No deliveries this month.
          </Text>
        )}
        {data && data.rows.length > 0 && (
          <ScrollTable
            label={`Deliveries this month by ${head.toLowerCase()}`}
            minWidth={760}
            columns={[head, ...NUMBERS.map((title) => ({ title, align: 'right' as const }))]}
          >
            {data.rows.map((row) => (
              <Table.Tr key={row.id}>
                <NameCell>
                  <RowName by={data.by} id={row.id} name={row.name} />
                </NameCell>
                <Numbers {...row} />
              </Table.Tr>
            ))}
            {data.other && (
              <Table.Tr>
                <Table.Td>{data.by === 'key' ? 'Other, and without a key' : 'Other'}</Table.Td>
                <Numbers {...data.other} />
              </Table.Tr>
            )}
          </ScrollTable>
        )}
      </Stack>
    </Card>
  );
}

function RowName({ by, id, name }: Pick<DeliveryReport, 'by'> & { readonly id: string; readonly name: string | null }) {
  if (by !== 'endpoint' || name === null) return <Text size="sm">{breakable(name ?? id)}</Text>;
  return (
    <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId: id }} size="sm">
      {breakable(name)}
    </PageLink>
  );
}

function Numbers(totals: DeliveryReport['totals']) {
  const { accepted, delivered, failed, time_to_delivered_ms: time } = totals;
  const cells = [
    ...[accepted, delivered, failed].map((count) => count.toLocaleString('en')),
    deliveredShare(totals),
    timeToDelivered(time?.p50),
    timeToDelivered(time?.p95),
  ];
  return cells.map((text, index) => (
    <Table.Td key={NUMBERS[index]} ta="right">
      {text}
    </Table.Td>
  ));
}
