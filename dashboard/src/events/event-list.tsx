import { Group, Loader, Table, Text } from '@mantine/core';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { surface } from '../api/surface';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { EmptyList } from '../elements/empty-state';
import { PageLink } from '../elements/links';
import { isNarrowed, type ListFilter } from '../elements/list-filter';
import { ProblemAlert } from '../elements/problem-alert';
import { SELECT, SelectRow } from '../elements/selection';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { ErasedBadge } from '../erasures/erased-badge';
import { SchemaErrorsBadge } from '../event-types/schema-errors-badge';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { eventsList, type ListedEvent } from './event-queries';
import { EventSelectionBar } from './event-selection-bar';
import { FirstEvent } from './first-event';
import { useMay } from '../session/use-may';

const COLUMNS = ['Event', 'Type', 'Status', 'Destinations', 'Accepted'];

/** Events, the newest first, each with its status. */
export function EventList({ filter }: { readonly filter: ListFilter }) {
  const list = useLiveList(eventsList(filter));
  const events = list.rows;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const canReplay = useMay('deliveries:write');
  return (
    <>
      <ProblemAlert error={list.error} title="The events could not be loaded" />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isSuccess && <NewRows list={list} noun={['event', 'events']} />}
      {list.isSuccess && events.length === 0 && (
        <EmptyList Icon={Zap} noun={['event', 'events']} isNarrowed={isNarrowed(filter)} hasOlder={list.hasOlder}>
          {surface().isPortal ? 'Events appear here as soon as the first one is sent to you.' : <FirstEvent />}
        </EmptyList>
      )}
      {canReplay && (events.length > 0 || list.hasOlder) && (
        <EventSelectionBar
          filter={filter}
          ids={events.map(({ id }) => String(id))}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {events.length > 0 && (
        <EventTable events={events} selected={selected} onSelect={canReplay ? setSelected : undefined} />
      )}
      <OlderRowsControl list={list} />
    </>
  );
}

interface EventTableProps {
  readonly events: readonly ListedEvent[];
  /** Ids of the selected ones. */
  readonly selected: ReadonlySet<string>;
  /** Undefined for a session that could do nothing with them. */
  readonly onSelect: ((ids: ReadonlySet<string>) => void) | undefined;
}

function EventTable({ events, selected, onSelect }: EventTableProps) {
  return (
    <DataTable label="Events" minWidth={700} columns={onSelect ? [SELECT, ...COLUMNS] : COLUMNS}>
      {events.map((event) => (
        <Table.Tr key={event.id}>
          {onSelect && (
            <Table.Td>
              <SelectRow
                id={String(event.id)}
                label={`Select event ${event.id}`}
                selected={selected}
                onSelect={onSelect}
              />
            </Table.Td>
          )}
          <Table.Td>
            <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(event.id) }} fw={600}>
              {event.id}
            </PageLink>
          </Table.Td>
          <NameCell ff="monospace" fz="sm">
            {breakable(event.type)} {event.schema_errors && <SchemaErrorsBadge />}{' '}
            {event.data_erased_at && <ErasedBadge />}
          </NameCell>
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
