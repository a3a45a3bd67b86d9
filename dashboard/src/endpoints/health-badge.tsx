import { Stack, Text } from '@mantine/core';
import type { EndpointHealth } from '../api/answers';
import { StateBadge } from '../elements/state-badge';
import { clockTime } from '../elements/time';
import { reasonInWords } from './health-in-words';

/** The health of an endpoint: its state, since when, and the last error. */
export function HealthBadge({ health }: { readonly health: EndpointHealth }) {
  const words = reasonInWords(health);
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
