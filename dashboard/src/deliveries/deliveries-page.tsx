import { Loader, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCcw, Send } from 'lucide-react';
import { DELIVERY_STATES } from '../../../src/domain/delivery-state';
import type { Delivery } from '../api/answers';
import { DataTable } from '../elements/data-table';
import { EmptyState } from '../elements/empty-state';
import { FilterBar } from '../elements/filter-bar';
import { PageButton, PageLink } from '../elements/links';
import { LoadMore } from '../elements/load-more';
import { PausedList } from '../elements/paused-list';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge, stateLabel } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { Page } from '../shell/page';
import { ViewsBar } from '../views/views-bar';
import { deliveriesQuery } from './delivery-queries';
import { NextAttempt } from './next-attempt';

const STATE_CHOICE = {
  name: 'state',
  label: 'State',
  options: DELIVERY_STATES.map((value) => ({ value, label: stateLabel(value) })),
};

/** Every delivery: one event on its way to one endpoint. */
export function DeliveriesPage() {
  const filter = useSearch({ from: '/dashboard/deliveries' });
  const navigate = useNavigate();
  const list = useInfiniteQuery(deliveriesQuery(filter));
  const { data: known } = useQuery(endpointsQuery);
  const urls = new Map((known?.endpoints ?? []).map(({ id, url }) => [id, url]));
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const endpointChoice = {
    name: 'endpoint_id',
    label: 'Endpoint',
    options: [...urls].map(([value, label]) => ({ value, label })),
  };
  return (
    <Page
      title="Deliveries"
      description="One row for each event and endpoint. The list updates live."
      actions={
        <PageButton to="/dashboard/replays" variant="default" leftSection={<RotateCcw size={16} aria-hidden />}>
          Bulk replay
        </PageButton>
      }
    >
      <FilterBar
        filter={filter}
        choices={[STATE_CHOICE, endpointChoice]}
        onChange={(search) => void navigate({ to: '/dashboard/deliveries', search })}
      />
      <ViewsBar
        list="deliveries"
        filter={filter}
        onOpen={(search) => void navigate({ to: '/dashboard/deliveries', search })}
      />
      <ProblemAlert error={list.error} title="The deliveries could not be loaded" />
      <PausedList queryKey={deliveriesQuery(filter).queryKey} pages={list.data?.pages.length ?? 0} />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isSuccess && deliveries.length === 0 && (
        <EmptyState Icon={Send} title="No deliveries found">
          A delivery starts when an event matches a pattern of an endpoint.
        </EmptyState>
      )}
      {deliveries.length > 0 && (
        <DataTable
          label="Deliveries"
          minWidth={820}
          columns={['Event', 'Type', 'Endpoint', 'State', 'Attempts', 'Accepted']}
        >
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} url={urls.get(delivery.endpoint_id)} />
          ))}
        </DataTable>
      )}
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoad={() => void list.fetchNextPage()}
      />
    </Page>
  );
}

function DeliveryRow({ delivery, url }: { readonly delivery: Delivery; readonly url: string | undefined }) {
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(delivery.event_id) }} fw={600}>
          {delivery.event_id}
        </PageLink>
      </Table.Td>
      <Table.Td ff="monospace" fz="sm">
        {delivery.event_type}
      </Table.Td>
      <Table.Td maw={280}>
        <Text size="sm" truncate title={url ?? delivery.endpoint_id}>
          {url ?? delivery.endpoint_id}
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge state={delivery.state} />
      </Table.Td>
      <Table.Td>
        {delivery.attempt_count} of {delivery.max_attempts}
        <NextAttempt delivery={delivery} />
      </Table.Td>
      <Table.Td>
        <Ago at={delivery.accepted_at} />
      </Table.Td>
    </Table.Tr>
  );
}
