import { Select, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { AuditList } from '../api/answers';
import { callApi } from '../api/call-api';
import { DataTable } from '../elements/data-table';
import { EmptyState } from '../elements/empty-state';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';
import { Ago } from '../elements/time';
import { Page } from '../shell/page';
import { AUDIT_ACTIONS } from '../../../src/domain/audit-actions';

type Entry = AuditList['entries'][number];

/** Who did what in this account. Nothing is ever changed or removed here. */
export function AuditPage() {
  const [action, setAction] = useState<string | null>(null);
  const log = useInfiniteQuery({
    queryKey: ['audit', action],
    queryFn: ({ pageParam }) => {
      const query = new URLSearchParams({ limit: '50' });
      if (action !== null) query.set('action', action);
      if (pageParam !== null) query.set('cursor', pageParam);
      return callApi<AuditList>(`/dashboard/api/audit?${query}`);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page
      title="Audit log"
      description="Sign-ins, keys, revealed secrets, changes of endpoints, replays: who, when and from where."
      actions={
        <Select
          aria-label="Show only"
          placeholder="Every action"
          data={AUDIT_ACTIONS.map((value) => ({ value, label: describeAction(value) }))}
          value={action}
          onChange={setAction}
          clearable
          searchable
          w={230}
        />
      }
    >
      <ProblemAlert error={log.error} title="The log could not be loaded" />
      {log.isSuccess && entries.length === 0 ? (
        <EmptyState Icon={ScrollText} title="Nothing of this kind yet">
          What you and your programs change is written down here.
        </EmptyState>
      ) : (
        <DataTable label="Audit log" minWidth={720} columns={['When', 'Who', 'What', 'On', 'From']}>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </DataTable>
      )}
      <LoadMore hasMore={log.hasNextPage} isLoading={log.isFetchingNextPage} onLoad={() => void log.fetchNextPage()} />
    </Page>
  );
}

function AuditRow({ entry }: { readonly entry: Entry }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Ago at={entry.at} />
      </Table.Td>
      <Table.Td>{entry.actor.name}</Table.Td>
      <Table.Td>
        {describeAction(entry.action)}
        {entry.detail !== null && (
          <Text span c="dimmed" size="sm">
            {' '}
            · {entry.detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td ff="monospace" fz="sm">
        {entry.object ?? ''}
      </Table.Td>
      <Table.Td className="figures">{entry.address ?? ''}</Table.Td>
    </Table.Tr>
  );
}

/** `endpoint.tier_changed` → `Endpoint tier changed`. */
function describeAction(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
