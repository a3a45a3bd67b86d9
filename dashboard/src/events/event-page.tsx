import { Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { Page } from '../shell/page';
import { DestinationList } from './destination-list';
import { EventData } from './event-data';

import { eventQuery } from './event-queries';
import { MissingDeliveryCard } from './missing-delivery-card';

/** Loaded for the events that have some: the first load of the page has a bound. */
const SchemaErrorsNotice = lazy(async () => ({
  default: (await import('./schema-errors-notice')).SchemaErrorsNotice,
}));

/** One event: where it went, why it did not go elsewhere, and its data as they were sent. */
export function EventPage() {
  const { eventId } = useParams({ from: '/dashboard/events/$eventId' });
  const { data } = useSuspenseQuery(eventQuery(eventId));
  const { event, dataText } = data;
  return (
    <Page
      title={`Event ${event.id}`}
      description={
        <Group gap="sm" component="span">
          <Text span ff="monospace">
            {event.type}
          </Text>
          <StateBadge state={event.status} />
          <span>
            accepted <Ago at={new Date(event.timestamp * 1_000).toISOString()} />
          </span>
        </Group>
      }
    >
      <Grid gap="lg" key={event.id}>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            {event.schema_errors && (
              <Suspense>
                <SchemaErrorsNotice type={event.type} errors={event.schema_errors} />
              </Suspense>
            )}
            {event.deliveries.length === 0 && (
              <Card withBorder padding="lg">
                <Text>
                  When this event was accepted, no endpoint had both a pattern that matches{' '}
                  <strong>{event.type}</strong> and a filter that lets its data through, so it was not delivered. The
                  event is stored.
                </Text>
              </Card>
            )}
            <DestinationList deliveries={event.deliveries} />
            <MissingDeliveryCard event={event} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Card withBorder padding="lg">
            <EventData event={event} text={dataText} />
            {event.idempotency_key !== null && (
              <Text size="sm" c="dimmed" mt="sm" style={{ overflowWrap: 'anywhere' }}>
                Idempotency key: <code>{event.idempotency_key}</code>
              </Text>
            )}
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
