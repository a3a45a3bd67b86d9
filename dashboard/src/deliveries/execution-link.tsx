import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { isFinished } from '../../../src/domain/delivery-state';
import type { DeliveryWithAttempts } from '../api/answers';
import { viewerQuery } from '../session/session-queries';
import { temporalLink } from './temporal-link';

/** Where an operator finds the run's execution in Temporal's Web UI, or why it has none. */
export function ExecutionLink({ delivery }: { readonly delivery: DeliveryWithAttempts }) {
  const { data: me } = useQuery(viewerQuery);
  if (!me?.temporal_ui) return null;
  if (!delivery.has_execution) {
    return (
      <Text size="sm" c="dimmed">
        {isFinished(delivery.state)
          ? 'No execution in Temporal: Everpost made its attempts itself (express)'
          : 'No execution in Temporal yet'}
      </Text>
    );
  }
  return (
    <Anchor href={temporalLink(me.temporal_ui, delivery)} target="_blank" rel="noreferrer" size="sm">
      <Group gap={4} component="span">
        Execution in Temporal <ExternalLink size={13} aria-label="(opens in a new tab)" />
      </Group>
    </Anchor>
  );
}
