import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Usage } from '../api/answers';
import { Figure } from '../elements/figure';
import { Ago } from '../elements/time';
import { UsedBar } from '../elements/used-bar';
import { countInWords } from '../overview/count-in-words';
import { backlogQuery } from '../overview/overview-queries';
import { outlookInWords } from './outlook';

/** How much of the quota is used and what becomes of it, and how much of the other limits is used. */
export function LimitFigures({ usage }: { readonly usage: Usage | undefined }) {
  const { quota } = usage ?? {};
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Title order={2}>Limits</Title>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="lg">
          <Figure
            label="Calls this month"
            value={quota && part(quota.used, quota.limit)}
            note={
              quota && (
                <>
                  Resets <Ago at={quota.resets_at} />
                </>
              )
            }
          />
          <WindowFigure label="Calls this minute" window={usage?.calls_per_minute} />
          <WindowFigure label="Deliveries this minute" window={usage?.deliveries_per_minute} />
          <PendingFigure limit={usage?.pending_deliveries.limit} />
        </SimpleGrid>
        {quota && <QuotaBar quota={quota} />}
      </Stack>
    </Card>
  );
}

function QuotaBar({ quota }: Pick<Usage, 'quota'>) {
  const { used, limit } = quota;
  const words = outlookInWords(quota);
  return (
    <Stack gap="xs">
      {limit !== null && <UsedBar used={used} limit={limit} label="Part of the quota used" />}
      {words !== undefined && <Text>{words}</Text>}
    </Stack>
  );
}

function WindowFigure({
  label,
  window,
}: {
  readonly label: string;
  readonly window: Usage['calls_per_minute'] | undefined;
}) {
  return <Figure label={label} value={window && part(window.used, window.limit)} />;
}

/** Counted when it is looked at. What the usage has of it is an upper bound, for programs. */
function PendingFigure({ limit }: { readonly limit: number | null | undefined }) {
  const { data: backlog } = useQuery(backlogQuery);
  return (
    <Figure
      label="Pending deliveries"
      value={backlog && limit !== undefined ? `${countInWords(backlog)} of ${limitInWords(limit)}` : undefined}
      note={
        backlog && (
          <>
            Counted <Ago at={backlog.counted_at} />
          </>
        )
      }
    />
  );
}

/** `12 of 500` */
function part(used: number, limit: number | null): string {
  return `${used.toLocaleString('en')} of ${limitInWords(limit)}`;
}

function limitInWords(limit: number | null): string {
  return limit === null ? 'unlimited' : limit.toLocaleString('en');
}
