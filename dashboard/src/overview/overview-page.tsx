import { Card, Grid, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Overview } from '../api/answers';
import { EmptyState } from '../elements/empty-state';
import { Figure } from '../elements/figure';
import { ProblemAlert } from '../elements/problem-alert';
import { latency } from '../elements/time';
import { FirstEvent } from '../events/first-event';
import { Page } from '../shell/page';
import { HourTable } from './hour-table';
import { LimitsCard } from './limits-card';
import { UsageCard } from './usage-card';
import { overviewQuery } from './overview-queries';

const OutcomeBars = lazy(() => import('../charts/outcome-bars').then((module) => ({ default: module.OutcomeBars })));

const CHART_HEIGHT = 280;
const SPANS = [
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
];

/** How the account does: what was delivered, how fast, and how much of the limits is used. */
export function OverviewPage() {
  const [hours, setHours] = useState('24');
  const { data, error } = useQuery(overviewQuery(hours));
  return (
    <Page
      title="Overview"
      description="Deliveries of events that were accepted in this period."
      actions={<SegmentedControl aria-label="Time" data={SPANS} value={hours} onChange={setHours} />}
    >
      <Stack gap="lg">
        <ProblemAlert error={error} title="The overview could not be loaded" />
        <Figures overview={data} />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <DeliveriesCard overview={data} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <LimitsCard limits={data?.limits} />
          </Grid.Col>
        </Grid>
        <UsageCard />
      </Stack>
    </Page>
  );
}

function Figures({ overview }: { readonly overview: Overview | undefined }) {
  const number = (value: number | undefined): string | undefined => value?.toLocaleString('en');
  const time = (value: number | null): string => (value === null ? '–' : latency(value));
  const open = overview && overview.in_flight.pending + overview.in_flight.retrying;
  return (
    <Card withBorder padding="lg">
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="lg">
        <Figure label="Events" value={number(overview?.totals.events)} />
        <Figure label="Delivered" value={number(overview?.totals.delivered)} />
        <Figure
          label="Success rate"
          value={overview && (overview.success_rate === null ? '–' : `${(overview.success_rate * 100).toFixed(1)} %`)}
        />
        <Figure label="Failed" value={number(overview?.totals.failed)} />
        <Figure
          label="In flight"
          value={open === undefined ? undefined : `${number(open)}${overview?.in_flight.at_least ? '+' : ''}`}
          note={overview && `${number(overview.in_flight.retrying)} retrying`}
        />
        <Figure
          label="Latency p50"
          value={overview && time(overview.latency_ms.p50)}
          note={overview && `p95 ${time(overview.latency_ms.p95)}`}
        />
      </SimpleGrid>
    </Card>
  );
}

function DeliveriesCard({ overview }: { readonly overview: Overview | undefined }) {
  if (!overview) return <Skeleton height={CHART_HEIGHT + 80} />;
  if (overview.totals.events === 0) {
    return (
      <EmptyState Icon={Zap} title="No events in this period">
        <FirstEvent />
      </EmptyState>
    );
  }
  return (
    <Card withBorder padding="lg" h="100%">
      <Stack>
        <Title order={2}>Deliveries by hour</Title>
        <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
          <OutcomeBars hours={overview.hours} height={CHART_HEIGHT} />
        </Suspense>
        <HourTable hours={overview.hours} />
        {overview.sampled && (
          <Text size="sm" c="dimmed">
            Only the newest events are counted.
          </Text>
        )}
      </Stack>
    </Card>
  );
}
