import { Group, Loader, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { EVENT_STATUSES } from '../../../src/domain/delivery-state';
import type { EventList } from '../api/answers';
import { DataTable } from '../elements/data-table';
import { EmptyState } from '../elements/empty-state';
import { FilterBar } from '../elements/filter-bar';
import { PageLink } from '../elements/links';
import { LoadMore } from '../elements/load-more';
import { PausedList } from '../elements/paused-list';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge, stateLabel } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { Page } from '../shell/page';
import { ViewsBar } from '../views/views-bar';
import { eventsQuery } from './event-queries';
import { FirstEvent } from './first-event';

type ListedEvent = EventList['events'][number];

const STATUS_CHOICE = {
  name: 'status',
  label: 'Status',
  options: EVENT_STATUSES.map((value) => ({ value, label: stateLabel(value) })),
};

const FOUND_BY = [
  { name: 'idempotency_key', label: (key: string) => `Idempotency key ${key}` },
  { name: 'data', label: (value: string) => `Data ${value}` },
];

/** Every event, the newest first, and what became of it. */
export function EventsPage() {
  const filter = useSearch({ from: '/dashboard/events' });
  const navigate = useNavigate();
  const list = useInfiniteQuery(eventsQuery(filter));
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page title="Events" description="Every event that you sent, with its delivery status. The list updates live.">
      <FilterBar
        filter={filter}
        choices={[STATUS_CHOICE]}
        found={FOUND_BY}
        onChange={(search) => void navigate({ to: '/dashboard/events', search })}
      />
      <ViewsBar list="events" filter={filter} onOpen={(search) => void navigate({ to: '/dashboard/events', search })} />
      <ProblemAlert error={list.error} title="The events could not be loaded" />
      <PausedList queryKey={eventsQuery(filter).queryKey} pages={list.data?.pages.length ?? 0} />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isSuccess && events.length === 0 && <NoEvents isNarrowed={isNarrowed} />}
      {events.length > 0 && <EventTable events={events} />}
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoad={() => void list.fetchNextPage()}
      />
    </Page>
  );
}

function NoEvents({ isNarrowed }: { readonly isNarrowed: boolean }) {
  return isNarrowed ? (
    <EmptyState Icon={Zap} title="No matching events">
      No event matches these filters.
    </EmptyState>
  ) : (
    <EmptyState Icon={Zap} title="No events yet">
      <FirstEvent />
    </EmptyState>
  );
}

function EventTable({ events }: { readonly events: readonly ListedEvent[] }) {
  return (
    <DataTable label="Events" minWidth={640} columns={['Event', 'Type', 'Status', 'Destinations', 'Accepted']}>
      {events.map((event) => (
        <Table.Tr key={event.id}>
          <Table.Td>
            <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(event.id) }} fw={600}>
              {event.id}
            </PageLink>
          </Table.Td>
          <Table.Td ff="monospace" fz="sm">
            {event.type}
          </Table.Td>
          <Table.Td>
            <StateBadge state={event.status} />
          </Table.Td>
          <Table.Td>
            <Destinations event={event} />
          </Table.Td>
          <Table.Td>
            <Ago at={new Date(event.timestamp * 1_000).toISOString()} />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Destinations({ event }: { readonly event: ListedEvent }) {
  const delivered = event.deliveries.filter(({ state }) => state === 'delivered').length;
  if (event.deliveries.length === 0) return <Text size="sm">none matched</Text>;
  return (
    <Group gap={4}>
      <Text size="sm">
        {delivered} of {event.deliveries.length} delivered
      </Text>
    </Group>
  );
}
