import { Card, Stack, Text, Title } from '@mantine/core';
import type { Overview } from '../api/answers';
import { useNow } from '../elements/clock';
import { Ago, remainingTime } from '../elements/time';
import { UsedBar } from '../elements/used-bar';

/** How much of the tier's limits is used, and when they reset. */
export function LimitsCard({ limits }: Pick<Overview, 'limits'>) {
  const now = useNow();
  const { tier, quota, burst } = limits;
  const burstLeftMs = new Date(burst.resets_at).getTime() - now;
  return (
    <Card withBorder padding="lg" h="100%">
      <Stack>
        <Title order={2}>{tier.name} tier</Title>
        <Usage
          label="Calls this month"
          used={quota.used}
          limit={quota.limit}
          note={
            <>
              Resets <Ago at={quota.resets_at} />
            </>
          }
        />
        <Usage
          label="Calls this minute"
          used={burst.used}
          limit={burst.limit}
          note={burstLeftMs > 0 && burst.used > 0 ? `Resets in ${remainingTime(burstLeftMs)}` : 'No recent calls'}
        />
        <Text size="sm" c="dimmed">
          Dashboard use doesn't count against your quota.
        </Text>
      </Stack>
    </Card>
  );
}

interface UsageProps {
  readonly label: string;
  readonly used: number;
  /** Null for no limit. */
  readonly limit: number | null;
  readonly note: React.ReactNode;
}

function Usage({ label, used, limit, note }: UsageProps) {
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={650} fz="lg" className="figures">
        {used.toLocaleString('en')}{' '}
        <Text span c="dimmed" fw={400}>
          of {limit === null ? 'unlimited' : limit.toLocaleString('en')}
        </Text>
      </Text>
      {limit !== null && <UsedBar used={used} limit={limit} label={`${label}: part used`} />}
      <Text size="sm" c="dimmed" component="div">
        {note}
      </Text>
    </Stack>
  );
}
