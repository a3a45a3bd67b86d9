import { Loader, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { EmptyList } from '../elements/empty-state';
import { isNarrowed, type ListFilter } from '../elements/list-filter';
import { ProblemAlert } from '../elements/problem-alert';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { deliveriesList } from './delivery-queries';
import { DeliveryTable } from './delivery-table';
import { SelectionBar } from './selection-bar';
import { useMay } from '../session/use-may';

/** Deliveries, the newest event first: one row for each event and endpoint. */
export function DeliveryList({ filter }: { readonly filter: ListFilter }) {
  const list = useLiveList(deliveriesList(filter));
  const deliveries = list.rows;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const canAct = useMay('deliveries:write');
  return (
    <>
      {filter['replay_id'] !== undefined && (
        <Text size="sm" mb="sm">
          Only deliveries of the replay <code>{filter['replay_id']}</code>
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
      {canAct && list.isSuccess && (
        <SelectionBar
          filter={filter}
          deliveries={deliveries}
          hasOlder={list.hasOlder}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {deliveries.length > 0 && (
        <DeliveryTable deliveries={deliveries} selected={selected} onSelect={canAct ? setSelected : undefined} />
      )}
      <OlderRowsControl list={list} />
    </>
  );
}
