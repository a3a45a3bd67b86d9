import { Table, Text } from '@mantine/core';
import type { Delivery, Endpoint } from '../api/answers';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { PageLink } from '../elements/links';
import { SELECT, SelectRow } from '../elements/selection';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import classes from './delivery-table.module.css';
import { NextAttempt } from './next-attempt';

const COLUMNS = ['Event', 'Endpoint', 'State', 'Attempts', 'Accepted'];

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  /** Ids of the selected ones. */
  readonly selected: ReadonlySet<string>;
  /** Undefined for a session that could do nothing with them. */
  readonly onSelect: ((ids: ReadonlySet<string>) => void) | undefined;
}

/** Deliveries in rows that can be selected. */
export function DeliveryTable({ deliveries, selected, onSelect }: DeliveryTableProps) {
  const endpoints = useEndpoints();
  return (
    <DataTable label="Deliveries" minWidth={820} columns={onSelect ? [SELECT, ...COLUMNS] : COLUMNS}>
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          endpoint={endpoints.get(delivery.endpoint_id)}
          selected={selected}
          onSelect={onSelect}
        />
      ))}
    </DataTable>
  );
}

interface DeliveryRowProps {
  readonly delivery: Delivery;
  /** Undefined if it was removed, and until it is loaded. */
  readonly endpoint: Endpoint | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: ((ids: ReadonlySet<string>) => void) | undefined;
}

function DeliveryRow({ delivery, endpoint, selected, onSelect }: DeliveryRowProps) {
  const name = endpoint ? endpointName(endpoint) : delivery.endpoint_id;
  return (
    <Table.Tr>
      {onSelect && (
        <Table.Td>
          <SelectRow
            id={delivery.id}
            label={`Select event ${delivery.event_id} to ${name}`}
            selected={selected}
            onSelect={onSelect}
          />
        </Table.Td>
      )}
      <NameCell>
        <PageLink to="/dashboard/events/$eventId" params={{ eventId: String(delivery.event_id) }} fw={600}>
          {delivery.event_id}
        </PageLink>
        <Text size="sm" ff="monospace">
          {breakable(delivery.event_type)}
        </Text>
      </NameCell>
      <NameCell>
        <Text size="sm" title={name}>
          {breakable(shortened(name))}
        </Text>
        {endpoint && endpoint.url !== name && (
          <Text size="sm" c="dimmed" title={endpoint.url}>
            {breakable(shortened(endpoint.url))}
          </Text>
        )}
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
