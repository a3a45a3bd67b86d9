import { Button, Card, List, Loader, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { Endpoint, EventWithDeliveries } from '../api/answers';
import { ProblemAlert } from '../elements/problem-alert';
import { endpointChoice, endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { explanationQuery, useCreateDelivery } from './event-queries';
import { conditionInWords, explanationInWords, hasAlternatives } from './explanation-in-words';
import { useMay } from '../session/use-may';

type Event = Pick<EventWithDeliveries, 'id' | 'type' | 'deliveries' | 'data_erased_at'>;

/** Explains why an endpoint did not get the event, and sends it there. */
export function MissingDeliveryCard({ event }: { readonly event: Event }) {
  const endpoints = useEndpoints();
  const [chosen, setChosen] = useState<string | null>(null);
  const canReplay = useMay('deliveries:write');
  const canSend = canReplay && event.data_erased_at === undefined;
  const send = useCreateDelivery(event.id);
  const missing = [...endpoints.values()].filter(({ id }) => !event.deliveries.some((it) => it.endpoint_id === id));
  const endpoint = missing.find(({ id }) => id === chosen);
  const sentTo = send.data && endpoints.get(send.data.endpoint_id);
  if (missing.length === 0 && !sentTo) return null;
  return (
    <Card withBorder padding="lg" component="section" aria-label="Missing endpoint">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Why did an endpoint not get it?
        </Title>
        {missing.length > 0 && (
          <Select
            label="Endpoint"
            placeholder="Name or URL"
            searchable
            nothingFoundMessage="No endpoint without this event has this name or URL"
            data={missing.map(endpointChoice)}
            value={endpoint?.id ?? null}
            onChange={(id) => {
              send.reset();
              setChosen(id);
            }}
            maw={480}
          />
        )}
        {endpoint && (
          <Explained key={endpoint.id} event={event} endpoint={endpoint}>
            {canSend && (
              <SendButton isPending={send.isPending} endpoint={endpoint} onSend={() => send.mutate(endpoint.id)} />
            )}
          </Explained>
        )}
        <ProblemAlert error={send.error} title="The event was not sent" />
        {sentTo && (
          <Text role="status" size="sm">
            The event goes to {endpointName(sentTo)}: its delivery is in the list.
          </Text>
        )}
      </Stack>
    </Card>
  );
}

interface SendButtonProps {
  readonly endpoint: Endpoint;
  readonly isPending: boolean;
  readonly onSend: () => void;
}

function SendButton({ endpoint, isPending, onSend }: SendButtonProps) {
  return (
    <>
      <Button
        size="sm"
        variant="default"
        leftSection={<Send size={15} aria-hidden />}
        loading={isPending}
        onClick={onSend}
      >
        Send to this endpoint
      </Button>
      <Text size="xs" c="dimmed">
        {endpoint.status === 'active'
          ? 'Sends this event there, whatever its patterns and filter.'
          : `The endpoint is ${endpoint.status}: it gets the event after it is resumed, whatever its patterns and filter.`}
      </Text>
    </>
  );
}

interface ExplainedProps {
  readonly event: Event;
  readonly endpoint: Endpoint;
  /** What can be done. */
  readonly children: React.ReactNode;
}

function Explained({ event, endpoint, children }: ExplainedProps) {
  const { data, error } = useQuery(explanationQuery(event.id, endpoint));
  if (error) return <ProblemAlert error={error} title="The endpoint could not be explained" />;
  if (!data) return <Loader aria-label="Loading" size="sm" />;
  if (data.delivery) return <Text size="sm">This endpoint got the event: its delivery is in the list.</Text>;
  return (
    <Stack gap="xs" align="flex-start" style={{ overflowWrap: 'anywhere' }}>
      {explanationInWords(data, event.type).map((sentence) => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
      {data.conditions.length > 0 && (
        <List size="sm">
          {data.conditions.map((condition) => (
            <List.Item key={condition.path}>
              <code>{conditionInWords(condition)}</code>
            </List.Item>
          ))}
        </List>
      )}
      {hasAlternatives(data.conditions) && (
        <Text size="sm" c="dimmed">
          Of the conditions in an $or, one would be enough.
        </Text>
      )}
      {children}
    </Stack>
  );
}
