import { Stack, Text } from '@mantine/core';
import { causeInWords } from '../../../src/domain/endpoint-health';
import type { EndpointHealth } from '../api/answers';
import { StateBadge } from '../elements/state-badge';
import { clockTime } from '../elements/time';

/** How an endpoint does: its state, since when, and the last error. */
export function HealthBadge({ health }: { readonly health: EndpointHealth }) {
  const words = reasonOf(health);
  return (
    <Stack gap={2} component="span" align="flex-start">
      <StateBadge state={health.state} detail={health.since ? `since ${clockTime(health.since)}` : undefined} />
      {words !== undefined && (
        <Text span size="sm" {...(health.last_error && { title: health.last_error.error })}>
          {words}
        </Text>
      )}
    </Stack>
  );
}

/** The last error in words, and how many attempts failed. */
function reasonOf({ state, last_error: error, failed_in_a_row: inARow, last_hour: hour }: EndpointHealth) {
  if (!error || (state !== 'failing' && state !== 'degraded')) return undefined;
  const words = causeInWords({ code: error.code, statusCode: error.status_code });
  if (state === 'failing') return `${words}, ${number(error.count)} of ${number(inARow)}`;
  return hour.failed > 0
    ? `${words}, ${number(hour.failed)} of ${number(hour.attempts)} failed in the last hour`
    : `${words} at the last attempt`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
