import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCcw, Send } from 'lucide-react';
import { useState } from 'react';
import { DELIVERY_STATES } from '../../../src/domain/delivery-state';
import { EmptyList } from '../elements/empty-state';
import { FilterBar } from '../elements/filter-bar';
import { isNarrowed } from '../elements/list-filter';
import { ProblemAlert } from '../elements/problem-alert';
import { stateLabel } from '../elements/state-badge';
import { endpointChoice } from '../endpoints/endpoint-name';
import { endpointsQuery } from '../endpoints/endpoint-queries';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { ReplayButton } from '../replays/replay-button';
import { draftOfList, newDraft } from '../replays/replay-draft';
import { Page } from '../shell/page';
import { ViewsBar } from '../views/views-bar';
import { deliveriesList } from './delivery-queries';
import { DeliveryTable } from './delivery-table';
import { SelectionBar } from './selection-bar';

const STATE_CHOICE = {
  name: 'state',
  label: 'State',
  options: [
    ...DELIVERY_STATES.map((value) => ({ value, label: stateLabel(value) })),
    { value: 'open', label: 'Open (pending or retrying)' },
  ],
};

/** Every delivery: one event on its way to one endpoint. */
export function DeliveriesPage() {
  const filter = useSearch({ from: '/dashboard/deliveries' });
  const navigate = useNavigate();
  const list = useLiveList(deliveriesList(filter));
  const { data: known } = useQuery(endpointsQuery);
  const deliveries = list.rows;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const endpointFilter = {
    name: 'endpoint_id',
    label: 'Endpoint',
    options: (known?.endpoints ?? []).map(endpointChoice),
  };
  return (
    <Page
      title="Deliveries"
      description="One row for each event and endpoint."
      actions={
        <ReplayButton
          variant="default"
          leftSection={<RotateCcw size={16} aria-hidden />}
          draft={() => (isNarrowed(filter) ? draftOfList(filter) : newDraft())}
        >
          Bulk replay
        </ReplayButton>
      }
    >
      <FilterBar
        filter={filter}
        choices={[STATE_CHOICE, endpointFilter]}
        onChange={(search) => void navigate({ to: '/dashboard/deliveries', search })}
      />
      <ViewsBar
        list="deliveries"
        filter={filter}
        onOpen={(search) => void navigate({ to: '/dashboard/deliveries', search })}
      />
      {filter.replay_id !== undefined && (
        <Text size="sm" mb="sm">
          Only deliveries of the replay <code>{filter.replay_id}</code>
        </Text>
      )}
      <ProblemAlert error={list.error} title="The deliveries could not be loaded" />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isSuccess && <NewRows list={list} noun={['delivery', 'deliveries']} />}
      {list.isSuccess && deliveries.length === 0 && (
        <EmptyList
          Icon={Send}
          noun={['delivery', 'deliveries']}
          isNarrowed={isNarrowed(filter)}
          hasOlder={list.hasOlder}
        >
          A delivery starts when an event matches a pattern of an endpoint.
        </EmptyList>
      )}
      {list.isSuccess && (
        <SelectionBar
          filter={filter}
          deliveries={deliveries}
          hasOlder={list.hasOlder}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {deliveries.length > 0 && <DeliveryTable deliveries={deliveries} selected={selected} onSelect={setSelected} />}
      <OlderRowsControl list={list} />
    </Page>
  );
}
