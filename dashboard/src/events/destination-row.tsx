import { Card, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { causeInWords } from '../../../src/domain/endpoint-health';
import { isFinished } from '../../../src/domain/delivery-state';
import { DeliveryStory } from '../deliveries/delivery-story';
import { NextAttempt } from '../deliveries/next-attempt';
import { useDestination } from '../deliveries/use-destination';
import { breakable } from '../elements/breakable';
import { StateBadge } from '../elements/state-badge';
import { lastCause, type Destination } from './destinations';

interface DestinationRowProps {
  readonly delivery: Destination;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One destination of an event: its state and what happens next, or its whole story. */
export function DestinationRow({ delivery, name, isOpen, onToggle }: DestinationRowProps) {
  const { shown } = useDestination(delivery);
  const cause = lastCause(delivery);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Card withBorder padding="md" component="section" aria-label={`Delivery ${delivery.id}`}>
      <Stack gap={isOpen ? 'sm' : 4}>
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <Title order={2} size="h4" miw={0}>
            <UnstyledButton onClick={onToggle} aria-expanded={isOpen} style={{ font: 'inherit' }}>
              <Group gap={6} wrap="nowrap" align="flex-start" component="span">
                <Chevron size={18} aria-hidden style={{ flex: 'none', marginTop: '0.2em' }} />
                <span style={{ overflowWrap: 'anywhere' }}>{breakable(name)}</span>
              </Group>
            </UnstyledButton>
          </Title>
          <StateBadge state={delivery.state} />
        </Group>
        {name !== delivery.url && isOpen && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {delivery.url}
          </Text>
        )}
        {isOpen && <DeliveryStory id={delivery.id} />}
        {!isOpen && (cause || !isFinished(delivery.state)) && (
          <Group gap="md" c="dimmed">
            {cause && <Text size="sm">{causeInWords(cause)}</Text>}
            {!isFinished(delivery.state) && <NextAttempt delivery={shown} />}
          </Group>
        )}
      </Stack>
    </Card>
  );
}
