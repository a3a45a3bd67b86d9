import { Anchor, Card, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CALL_REFUSALS } from '../../../src/domain/call-refusals';
import type { Usage } from '../api/answers';
import { outlookInWords } from '../reports/outlook';
import { usageQuery } from '../reports/usage-queries';

/** Today's calls and refusals, how long the quota lasts, and a link to the page *Reports*. Nothing without calls. */
export function UsageCard() {
  const { data } = useQuery(usageQuery);
  const today = data?.days.at(-1);
  if (!data || !today || data.days.every(({ keys }) => keys.length === 0)) return null;
  return (
    <Card withBorder padding="lg" component="section">
      <Group justify="space-between">
        <Title order={2}>Usage</Title>
        <Anchor component={Link} to="/dashboard/reports">
          Calls by day and key
        </Anchor>
      </Group>
      <Text mt="xs">
        {todayInWords(today)} {outlookInWords(data.quota)}
      </Text>
    </Card>
  );
}

function todayInWords({ calls, refused }: Usage['days'][number]): string {
  const refusals = CALL_REFUSALS.reduce((sum, reason) => sum + refused[reason], 0);
  const made = `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'} today`;
  return refusals === 0 ? `${made}.` : `${made}, and ${refusals.toLocaleString('en')} refused with 429.`;
}
