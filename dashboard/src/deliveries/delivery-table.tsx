import { Table, Text } from '@mantine/core';
import type { Delivery } from '../api/answers';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { PageLink } from '../elements/links';
import { SelectRow } from '../elements/selection';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { useEndpointUrls } from '../endpoints/endpoint-queries';
import classes from './delivery-table.module.css';
import { NextAttempt } from './next-attempt';

const COLUMNS = [{ title: 'Select', isHidden: true }, 'Event', 'Endpoint', 'State', 'Attempts', 'Accepted'];

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  /** Ids of the selected ones. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/** Deliveries in rows that can be selected. */
export function DeliveryTable({ deliveries, selected, onSelect }: DeliveryTableProps) {
  const urls = useEndpointUrls();
  return (
    <DataTable label="Deliveries" minWidth={820} columns={COLUMNS}>
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          url={urls.get(delivery.endpoint_id)}
          selected={selected}
          onSelect={onSelect}
        />
      ))}
    </DataTable>
  );
}

interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly url: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

function DeliveryRow({ delivery, url, selected, onSelect }: DeliveryRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <SelectRow
          id={delivery.id}
          label={`Select event ${delivery.event_id} to ${url ?? delivery.endpoint_id}`}
          selected={selected}
          onSelect={onSelect}
        />
      </Table.Td>
      <NameCell>
        <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(delivery.event_id) }} fw={600}>
          {delivery.event_id}
        </PageLink>
        <Text size="sm" ff="monospace">
          {breakable(delivery.event_type)}
        </Text>
      </NameCell>
      <NameCell>
        <Text size="sm" title={url}>
          {breakable(shortened(url ?? delivery.endpoint_id))}
        </Text>
      </NameCell>
      <Table.Td>
        <StateBadge state={delivery.state} />
      </Table.Td>
      <Table.Td miw={190}>
        {/* Two lines in any state: a row that grew or shrank would move those below it. */}
        <div className={classes['attempts']}>
          <span>
            {delivery.attempt_count} of {delivery.max_attempts}
          </span>
          <NextAttempt delivery={delivery} />
        </div>
      </Table.Td>
      <Table.Td>
        <Ago at={delivery.accepted_at} />
      </Table.Td>
    </Table.Tr>
  );
}

/** A long URL without its middle: those of one receiver often differ at the end alone. */
function shortened(url: string): string {
  return url.length > 90 ? `${url.slice(0, 44)}…${url.slice(-45)}` : url;
}
