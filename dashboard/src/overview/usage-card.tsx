import { Card, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Key, UsageList } from '../api/answers';
import { ScrollTable } from '../elements/data-table';
import { keysQuery } from '../keys/key-queries';
import { usageQuery } from './overview-queries';

type Usage = UsageList['usage'][number];

/** Calls that are logged against the account without counting in its quota: estimates. Nothing while there are none. */
export function UsageCard() {
  const { data } = useQuery(usageQuery);
  const { data: keys } = useQuery(keysQuery());
  if (!data || data.usage.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Stack gap={2}>
          <Title order={2}>Cost estimator</Title>
          <Text size="sm" c="dimmed">
            Calls with your keys in the last 30 days. They don't count against your quota.
          </Text>
        </Stack>
        <ScrollTable
          label="Calls of the cost estimator"
          minWidth={420}
          columns={['Day', 'Operation', 'Key', { title: 'Calls', align: 'right' }]}
        >
          {data.usage.map((usage) => (
            <Table.Tr key={`${usage.day} ${usage.operation} ${usage.key_id}`}>
              <Table.Td>{usage.day}</Table.Td>
              <Table.Td>{usage.operation}</Table.Td>
              <Table.Td>{labelOf(usage, keys?.keys ?? [])}</Table.Td>
              <Table.Td ta="right">{usage.calls.toLocaleString('en')}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      </Stack>
    </Card>
  );
}

function labelOf(usage: Usage, keys: readonly Key[]): string {
  return keys.find(({ id }) => id === usage.key_id)?.label ?? usage.key_id;
}
