import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { StateBadge } from '../elements/state-badge';
import { deliveryQuery } from './delivery-queries';
import { DeliveryStory } from './delivery-story';

/** One delivery alone, with its story. */
export function DeliveryCard({ id }: { readonly id: string }) {
  const { data: delivery } = useQuery(deliveryQuery(id));
  const endpoints = useEndpoints();
  const endpoint = delivery && (endpoints.get(delivery.endpoint_id) ?? { description: '', url: delivery.url });
  return (
    <Card withBorder padding="lg" component="section" aria-label={`Delivery ${id}`}>
      <Stack gap="sm">
        {delivery && endpoint && (
          <Stack gap={4}>
            <Group gap="sm">
              <Title order={2} style={{ overflowWrap: 'anywhere' }}>
                {endpointName(endpoint)}
              </Title>
              <StateBadge state={delivery.state} />
            </Group>
            {endpoint.description !== '' && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {delivery.url}
              </Text>
            )}
          </Stack>
        )}
        <DeliveryStory id={id} />
      </Stack>
    </Card>
  );
}
