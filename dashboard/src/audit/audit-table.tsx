import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AuditList } from '../api/answers';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { PageLink } from '../elements/links';
import { Ago } from '../elements/time';
import { endpointName } from '../endpoints/endpoint-name';
import { useEndpoints } from '../endpoints/endpoint-queries';
import { meQuery } from '../session/session-queries';
import { describeAction } from './describe-action';

type AuditEntry = AuditList['entries'][number];

const COLUMNS = ['Time', 'Actor', 'Action', 'Object', 'IP address'];

/** Entries of the audit log: who did what, with which object. */
export function AuditTable({ label, entries }: { readonly label: string; readonly entries: readonly AuditEntry[] }) {
  const endpoints = useEndpoints();
  return (
    <DataTable label={label} minWidth={720} columns={COLUMNS}>
      {entries.map((entry) => (
        <AuditRow key={entry.id} entry={entry} endpoints={endpoints} />
      ))}
    </DataTable>
  );
}

interface AuditRowProps {
  readonly entry: AuditEntry;
  readonly endpoints: ReturnType<typeof useEndpoints>;
}

function AuditRow({ entry, endpoints }: AuditRowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        <Ago at={entry.at} />
      </Table.Td>
      <NameCell>
        {breakable(entry.actor.name)}
        <Text c="dimmed" size="sm">
          {ACTOR_TYPES[entry.actor.type]}
          {entry.actor.id !== null && ` ${entry.actor.id}`}
        </Text>
      </NameCell>
      <NameCell maw={400}>
        {describeAction(entry.action)}
        {entry.detail !== null && (
          <Text span c="dimmed" size="sm">
            {' '}
            · {entry.detail}
          </Text>
        )}
        {entry.changes.map(({ field, from, to }) => (
          <Text key={field} c="dimmed" size="sm">
            {breakable(from === null && to === null ? field : `${field}: ${from ?? 'none'} → ${to ?? 'none'}`)}
          </Text>
        ))}
      </NameCell>
      <NameCell>
        {entry.object !== null && <ObjectName id={entry.object} accountId={entry.account_id} endpoints={endpoints} />}
      </NameCell>
      <Table.Td className="figures">{entry.address ?? ''}</Table.Td>
    </Table.Tr>
  );
}

/** Who acts. A name alone is no proof: any user can give a key the name of a person. */
const ACTOR_TYPES = {
  user: 'User',
  key: 'API key',
  management_key: 'Management key',
  portal: 'Customer in the portal',
  cli: 'Operator',
  system: 'System',
} as const;

interface ObjectNameProps {
  readonly id: string;
  /** Of the log. */
  readonly accountId: string | null;
  readonly endpoints: AuditRowProps['endpoints'];
}

/** The object by its name, as a link to its page; what has no page any more, and what has no name, is its id. */
function ObjectName({ id, accountId, endpoints }: ObjectNameProps) {
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const isOperator = me?.user.operator === true;
  const endpoint = endpoints.get(id);
  return (
    <>
      {endpoint && (
        <PageLink to="/dashboard/endpoints/$endpointId" params={{ endpointId: id }}>
          {breakable(endpointName(endpoint))}
        </PageLink>
      )}
      {/^\d+$/.test(id) && (
        <PageLink to="/dashboard/events/$eventId" params={{ eventId: id }}>
          Event {id}
        </PageLink>
      )}
      {id.startsWith('key_') &&
        (accountId === null ? (
          <PageLink to="/dashboard/management-keys">Management keys</PageLink>
        ) : (
          <PageLink to="/dashboard/settings/keys">API keys</PageLink>
        ))}
      {id.startsWith('acc_') && isOperator && (
        <PageLink to="/dashboard/accounts/$accountId" params={{ accountId: id }}>
          Account
        </PageLink>
      )}
      {id.startsWith('rpl_') && <PageLink to="/dashboard/replays">Replays</PageLink>}
      <Text size="sm" ff="monospace" c="dimmed">
        {id}
      </Text>
    </>
  );
}
