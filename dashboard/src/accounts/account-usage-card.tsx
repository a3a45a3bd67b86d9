import { Card, SimpleGrid, Stack, Table, Title } from '@mantine/core';
import type { AccountDetail } from '../api/answers';
import { ScrollTable } from '../elements/data-table';
import { Figure } from '../elements/figure';
import { Folded } from '../elements/folded';
import { utcDay } from '../elements/written-time';

const COUNTS = [
  { name: 'events', label: 'Events' },
  { name: 'deliveries', label: 'Deliveries' },
  { name: 'attempts', label: 'Attempts' },
  { name: 'failed_attempts', label: 'Failed attempts' },
  { name: 'calls', label: 'Calls' },
] as const;

/** What an account did this month (UTC), in sum and by day. */
export function AccountUsageCard({ account: { usage, monthly_quota: quota } }: { readonly account: AccountDetail }) {
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="account-usage">
      <Stack>
        <Title order={2} id="account-usage">
          This month
        </Title>
        <SimpleGrid cols={{ base: 2, xs: 3 }}>
          {COUNTS.map(({ name, label }) => (
            <Figure
              key={name}
              label={label}
              value={inWords(usage.reduce((sum, day) => sum + day[name], 0))}
              {...(name === 'calls' && { note: `of ${quota === null ? 'unlimited' : inWords(quota)}` })}
            />
          ))}
        </SimpleGrid>
        {usage.length > 0 && (
          <Folded title="By day (UTC)">
            <ScrollTable
              label="Usage by day"
              minWidth={480}
              columns={['Day', ...COUNTS.map(({ label }) => ({ title: label, align: 'right' as const }))]}
            >
              {usage.toReversed().map((day) => (
                <Table.Tr key={day.day}>
                  <Table.Td>{utcDay(day.day)}</Table.Td>
                  {COUNTS.map(({ name }) => (
                    <Table.Td key={name} ta="right">
                      {inWords(day[name])}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </ScrollTable>
          </Folded>
        )}
      </Stack>
    </Card>
  );
}

function inWords(count: number): string {
  return count.toLocaleString('en');
}
