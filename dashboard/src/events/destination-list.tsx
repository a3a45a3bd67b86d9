import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { DestinationRow } from './destination-row';
import { byUrgency, openAtOnce, summaryOf, type Destination } from './destinations';

/** As many rows as a screen shows. */
const UNFILTERED_ROWS = 8;

/** Where an event went: a summary, and a row for each destination, whose story opens on demand. */
export function DestinationList({ deliveries }: { readonly deliveries: readonly Destination[] }) {
  const endpoints = useEndpoints();
  const nameOf = ({ endpoint_id: id, url }: Destination): string =>
    endpointName(endpoints.get(id) ?? { description: '', url });
  const [wanted, setWanted] = useState('');
  const [isOpen, setIsOpen] = useState<Readonly<Record<string, boolean>>>({});
  const first = openAtOnce(deliveries);
  // Only once: a second failure does not move the rows again.
  if (first && Object.keys(isOpen).length === 0) setIsOpen({ [first.id]: true });
  const rows = useSteadyOrder(byUrgency(deliveries, nameOf));
  const shown = rows.filter((row) => `${nameOf(row)}\n${row.url}`.toLowerCase().includes(wanted.trim().toLowerCase()));
  if (deliveries.length === 0) return null;
  return (
    <Stack gap="sm">
      {deliveries.length > 1 && (
        <Text fw={600} className="figures" style={{ overflowWrap: 'anywhere' }}>
          {summaryOf(rows, nameOf)}
        </Text>
      )}
      {deliveries.length > UNFILTERED_ROWS && (
        <TextInput
          label="Filter by endpoint"
          placeholder="Name or URL"
          value={wanted}
          onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          maw={360}
        />
      )}
      {shown.length === 0 && <Text c="dimmed">No endpoint with this name or URL got the event.</Text>}
      {shown.map((delivery) => (
        <DestinationRow
          key={delivery.id}
          delivery={delivery}
          name={nameOf(delivery)}
          isOpen={isOpen[delivery.id] ?? false}
          onToggle={() => setIsOpen({ ...isOpen, [delivery.id]: !isOpen[delivery.id] })}
        />
      ))}
    </Stack>
  );
}

/** Keeps the order in which the rows were first shown: no row moves by itself. New ones come first. */
function useSteadyOrder(sorted: readonly Destination[]): Destination[] {
  const [order, setOrder] = useState<readonly string[]>([]);
  const added = sorted.filter(({ id }) => !order.includes(id)).map(({ id }) => id);
  if (added.length > 0) setOrder([...added, ...order]);
  return [...added, ...order].flatMap((id) => sorted.find((row) => row.id === id) ?? []);
}
