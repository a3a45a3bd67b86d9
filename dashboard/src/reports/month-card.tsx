import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DeliveryReport } from '../api/answers';
import { Figure } from '../elements/figure';
import { ProblemAlert } from '../elements/problem-alert';
import { formatUnitPrice, formatUsd } from '../estimator/money';
import { deliveredShare, timeToDelivered } from './delivery-words';
import { reportQuery } from './report-queries';

type Totals = DeliveryReport['totals'];

const FIGURES: readonly { readonly label: string; readonly of: (totals: Totals) => string }[] = [
  { label: 'Accepted', of: ({ accepted }) => accepted.toLocaleString('en') },
  { label: 'Delivered', of: ({ delivered }) => delivered.toLocaleString('en') },
  { label: 'Given up', of: ({ failed }) => failed.toLocaleString('en') },
  { label: 'Share delivered', of: deliveredShare },
  { label: 'Time to delivered p50', of: ({ time_to_delivered_ms: time }) => timeToDelivered(time?.p50) },
  { label: 'Time to delivered p95', of: ({ time_to_delivered_ms: time }) => timeToDelivered(time?.p95) },
];

/** The deliveries of this month beside those of the last one, and what the month costs, if its calls have a price. */
export function MonthCard() {
  const { data, error } = useQuery(reportQuery('endpoint'));
  return (
    <Card withBorder padding="lg" component="section" aria-label="Deliveries this month">
      <Stack>
        <Stack gap={2}>
          <Title order={2}>Deliveries this month</Title>
          <Text size="sm" c="dimmed">
            One for each event and endpoint, counted when it ends. Months and days are in UTC.
          </Text>
        </Stack>
        <ProblemAlert error={error} title="The deliveries could not be loaded" />
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="lg">
          {FIGURES.map(({ label, of }) => (
            <Figure key={label} label={label} value={data && of(data.totals)} note={lastMonth(data, of)} />
          ))}
        </SimpleGrid>
        {data && data.totals.recovered > 0 && (
          <Text size="sm">
            Replays delivered {data.totals.recovered.toLocaleString('en')} of those that had been given up.
          </Text>
        )}
        {data && !hasAny(data.month_before) && (
          <Text size="sm" c="dimmed">
            No deliveries were counted last month.
          </Text>
        )}
        {data?.cost && <Cost {...data.cost} />}
      </Stack>
    </Card>
  );
}

function hasAny({ accepted, delivered, failed }: Totals): boolean {
  return accepted + delivered + failed > 0;
}

/** Up to the same day, which compares fairly, and in all. */
function lastMonth(report: DeliveryReport | undefined, of: (totals: Totals) => string): string | undefined {
  if (!report || !hasAny(report.month_before)) return undefined;
  const day = Number(report.until.slice(8, 10));
  return `Last month: ${of(report.month_before_to_date)} up to day ${day}, ${of(report.month_before)} in all`;
}

function Cost({ amount, calls, price_per_1000_calls: price }: NonNullable<DeliveryReport['cost']>) {
  return (
    <Text size="sm">
      About <strong>{formatUsd(amount)}</strong> this month: {calls.toLocaleString('en')} calls at{' '}
      {formatUnitPrice(Number(price))} for a thousand.
    </Text>
  );
}
