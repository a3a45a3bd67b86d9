import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Send } from 'lucide-react';
import { DeliveryCard } from '../deliveries/delivery-card';
import { ProblemAlert } from '../elements/problem-alert';
import { useSendTest } from './endpoint-queries';

/** Sends a test event to this endpoint alone, and shows its attempts while they are made. */
export function TestPanel({ endpointId }: { readonly endpointId: string }) {
  const send = useSendTest(endpointId);
  return (
    <Card withBorder padding="lg" component="section">
      <Stack>
        <Group justify="space-between">
          <Stack gap={2}>
            <Title order={2}>Test</Title>
            <Text size="sm" c="dimmed">
              Sends an event of type endpoint.test to this endpoint, whatever its patterns are.
            </Text>
          </Stack>
          <Button
            size="sm"
            leftSection={<Send size={15} aria-hidden />}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            Send a test event
          </Button>
        </Group>
        <ProblemAlert error={send.error} title="The test event was not sent" />
        {send.data && <DeliveryCard id={`${send.data.id}.${endpointId}`} />}
      </Stack>
    </Card>
  );
}
