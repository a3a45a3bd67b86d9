import { Card, Group, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import type { Usage } from '../api/answers';
import { ScrollTable } from '../elements/data-table';
import { EmptyState } from '../elements/empty-state';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { utcDay } from '../elements/written-time';
import { Page } from '../shell/page';
import { BreakdownCard } from './breakdown-card';
import { DayCard } from './day-card';
import { attemptRows, callRows, refusalRows } from './day-rows';
import { LimitFigures } from './limit-figures';
import { MonthCard } from './month-card';
import { usageQuery } from './usage-queries';

const SPANS = [
  { value: 'days', label: 'Last 30 days' },
  { value: 'month', label: 'This month' },
];

/** The results of the month's deliveries, the account's calls, refusals and attempts, and how long the quota lasts. */
export function ReportsPage() {
  const [span, setSpan] = useState('days');
  const { data, error } = useQuery(usageQuery);
  return (
    <Page
      title="Reports"
      description="What was delivered, and what your API keys called. Use of the dashboard isn't counted as calls."
    >
      <Stack gap="lg">
        <ProblemAlert error={error} title="The usage could not be loaded" />
        <MonthCard />
        <BreakdownCard />
        <LimitFigures usage={data} />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            Calls and attempts by day, in UTC.
          </Text>
          <SegmentedControl aria-label="Time" data={SPANS} value={span} onChange={setSpan} />
        </Group>
        {data ? <Days usage={data} span={span} /> : <Skeleton height={300} />}
      </Stack>
    </Page>
  );
}

function Days({ usage, span }: { readonly usage: Usage; readonly span: string }) {
  const month = usage.to.slice(0, 7);
  const days = span === 'month' ? usage.days.filter(({ day }) => day.startsWith(month)) : usage.days.slice(-30);
  const isUsed = days.some(({ keys, attempts }) => keys.length > 0 || (attempts ?? 0) > 0);
  return (
    <>
      {isUsed ? (
        <>
          <DayCard
            title="Calls by day and key"
            description="Calls that count in the quota."
            none="No calls on these days."
            {...callRows(days, usage.keys)}
          />
          <DayCard
            title="Refused calls by day"
            description="Calls that got 429, by the limit that they reached. They don't count in the quota."
            none="No call got 429 on these days."
            {...refusalRows(days)}
          />
          <DayCard
            title="Delivery attempts by day"
            description="Requests to your endpoints that got an answer or failed. They don't count in the quota."
            none="No attempts on these days."
            {...attemptRows(days)}
          />
        </>
      ) : (
        <EmptyState Icon={ChartColumn} title="No calls on these days">
          Calls with an API key are counted here by day.{' '}
          <PageLink to="/dashboard/settings/keys" underline="always">
            Create a key
          </PageLink>
        </EmptyState>
      )}
      <OutsideQuota usage={usage} />
    </>
  );
}

/** Calls of the cost estimator. Nothing while there are none. */
function OutsideQuota({ usage: { outside_quota: records, keys } }: { readonly usage: Usage }) {
  if (records.length === 0) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Stack gap={2}>
          <Title order={2}>Cost estimator</Title>
          <Text size="sm" c="dimmed">
            Calls with your keys in the last 31 days. They don't count in the quota.
          </Text>
        </Stack>
        <ScrollTable
          label="Calls of the cost estimator"
          minWidth={420}
          columns={['Day', 'Operation', 'Key', { title: 'Calls', align: 'right' }]}
        >
          {records.map(({ day, operation, key_id: keyId, calls }) => (
            <Table.Tr key={`${day} ${operation} ${keyId}`}>
              <Table.Td>{utcDay(day)}</Table.Td>
              <Table.Td>{operation}</Table.Td>
              <Table.Td>{keys.find(({ id }) => id === keyId)?.label ?? keyId}</Table.Td>
              <Table.Td ta="right">{calls.toLocaleString('en')}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      </Stack>
    </Card>
  );
}
