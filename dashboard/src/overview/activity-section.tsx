import { Card, Grid, Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AccountHealth, Overview } from '../api/answers';
import { AttemptChart } from '../charts/attempt-chart';
import { WINDOW_CHOICES, windowOf } from '../charts/history';
import { LatencyChart } from '../charts/latency-chart';
import { RetryChart } from '../charts/retry-chart';
import { Figure } from '../elements/figure';
import { ProblemAlert } from '../elements/problem-alert';
import { latency } from '../elements/time';
import { shareOf } from '../elements/with-unit';
import { countInWords } from './count-in-words';
import { accountHealthQuery } from './overview-queries';

const LOADING_HEIGHT = 300;

/** The attempts of a window to all endpoints: numbers and charts. */
export function ActivitySection({ backlog }: Pick<Overview, 'backlog'>) {
  const search = useSearch({ from: '/dashboard/' });
  const navigate = useNavigate({ from: '/dashboard/' });
  const window = windowOf(search.window);
  const setWindow = (chosen: string): void =>
    void navigate({ search: { ...search, window: chosen }, replace: true, resetScroll: false });
  const { data, error } = useQuery(accountHealthQuery(window));
  return (
    <Stack component="section" gap="lg" aria-labelledby="activity">
      <Group justify="space-between">
        <Title order={2} id="activity">
          Attempts
        </Title>
        <SegmentedControl aria-label="Time" size="xs" data={[...WINDOW_CHOICES]} value={window} onChange={setWindow} />
      </Group>
      <ProblemAlert error={error} title="The attempts could not be loaded" />
      <Figures totals={data?.totals} backlog={backlog} />
      <Grid gap="lg">
        <Grid.Col span={12}>
          <ChartCard title="Success">{data && <AttemptChart history={data} />}</ChartCard>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <ChartCard title="Latency">{data && <LatencyChart history={data} />}</ChartCard>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <ChartCard title="Retries">{data && <RetryChart history={data} />}</ChartCard>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

interface FiguresProps extends Pick<Overview, 'backlog'> {
  readonly totals: AccountHealth['totals'] | undefined;
}

function Figures({ totals, backlog }: FiguresProps) {
  const number = (value: number | undefined): string | undefined => value?.toLocaleString('en');
  const percentiles = totals?.latency_ms;
  const time = (value: number | undefined): string | undefined => (value === undefined ? '–' : latency(value));
  return (
    <Card withBorder padding="lg">
      <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} spacing="lg">
        <Figure label="Attempts" value={number(totals?.attempts)} />
        <Figure
          label="Succeeded"
          value={totals && shareOf(totals.succeeded, totals.attempts)}
          note={totals && `${number(totals.failed)} failed`}
        />
        <Figure label="Retries" value={number(totals?.retries)} />
        <Figure label="Latency p50" value={totals && time(percentiles?.p50)} />
        <Figure
          label="Latency p95"
          value={totals && time(percentiles?.p95)}
          note={totals && `p99 ${time(percentiles?.p99)}`}
        />
        <Figure label="Backlog now" value={countInWords(backlog)} note="pending or retrying" />
      </SimpleGrid>
    </Card>
  );
}

interface ChartCardProps {
  readonly title: string;
  /** Undefined while it loads. */
  readonly children: ReactNode;
}

function ChartCard({ title, children }: ChartCardProps) {
  return (
    <Card withBorder padding="lg" h="100%">
      <Stack gap="sm">
        <Title order={3}>{title}</Title>
        {children ?? <Skeleton height={LOADING_HEIGHT} />}
      </Stack>
    </Card>
  );
}
