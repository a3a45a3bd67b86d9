import { Button, Group, Loader, Select, Table, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { AuditList } from '../api/answers';
import { callApi } from '../api/call-api';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { EmptyList } from '../elements/empty-state';
import { ClearFilters } from '../elements/clear-filters';
import { isNarrowed, queryOf, type ListFilter } from '../elements/list-filter';
import { fromLocalField, toLocalField } from '../elements/local-time';
import { LoadMore } from '../elements/load-more';
import { onSubmit } from '../elements/on-submit';
import { ProblemAlert } from '../elements/problem-alert';
import { Ago } from '../elements/time';
import { Page } from '../shell/page';
import { AUDIT_ACTIONS } from '../../../src/domain/audit-actions';

type Entry = AuditList['entries'][number];

/** Who did what in this account. Nothing is ever changed here. */
export function AuditPage() {
  const filter = useSearch({ from: '/dashboard/settings/audit' });
  const navigate = useNavigate();
  const log = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => callApi<AuditList>(`/dashboard/api/audit?${queryOf(filter, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page
      title="Audit log"
      description="Who did what, when and from where: sign-ins, keys, revealed secrets, endpoint changes, replays."
      actions={
        <Button
          component="a"
          href={exportPath(filter)}
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          Export as CSV
        </Button>
      }
    >
      <AuditFilterBar
        filter={filter}
        onChange={(search) => void navigate({ to: '/dashboard/settings/audit', search })}
      />
      <ProblemAlert error={log.error} title="The log could not be loaded" />
      {log.isPending && <Loader aria-label="Loading" />}
      {log.isSuccess && entries.length === 0 && (
        <EmptyList
          Icon={ScrollText}
          noun={['entry', 'entries']}
          isNarrowed={isNarrowed(filter)}
          hasOlder={log.hasNextPage}
        >
          Everpost records here what you and your programs change.
        </EmptyList>
      )}
      {entries.length > 0 && (
        <DataTable label="Audit log" minWidth={720} columns={['Time', 'Actor', 'Action', 'Object', 'IP address']}>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </DataTable>
      )}
      <LoadMore hasMore={log.hasNextPage} isLoading={log.isFetchingNextPage} onLoad={() => void log.fetchNextPage()} />
    </Page>
  );
}

interface AuditFilterBarProps {
  readonly filter: ListFilter;
  readonly onChange: (filter: ListFilter) => void;
}

function AuditFilterBar({ filter, onChange }: AuditFilterBarProps) {
  const { action, actor = '', object = '', after = '', before = '' } = filter;
  const form = useRef<HTMLFormElement>(null);
  // Back and forward change what was searched for. The fields keep the focus, which new ones would lose.
  useEffect(() => {
    const searched = { actor, object, after: toLocalField(after), before: toLocalField(before) };
    for (const [name, value] of Object.entries(searched)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = value;
    }
  }, [actor, object, after, before]);
  const search = onSubmit((typed) =>
    onChange({
      ...{ ...filter, actor: typed('actor') || undefined, object: typed('object') || undefined },
      ...{ after: fromLocalField(typed('after')), before: fromLocalField(typed('before')) },
    }),
  );
  const clear = (): void => {
    // With what was typed and not searched for.
    form.current?.reset();
    onChange({});
  };
  return (
    <form ref={form} onSubmit={search}>
      <Group mb="md" gap="sm" align="flex-end" role="search" aria-label="Filters">
        <Select
          label="Action"
          placeholder="All"
          data={AUDIT_ACTIONS.map((value) => ({ value, label: describeAction(value) }))}
          value={action ?? null}
          onChange={(value) => onChange({ ...filter, action: value ?? undefined })}
          clearable
          searchable
          w={210}
        />
        <TextInput label="Actor" name="actor" placeholder="E-mail address or id" w={190} />
        <TextInput label="Object" name="object" placeholder="ep_…" w={190} />
        <Group gap="sm" align="flex-end">
          <TimeInput label="From" name="after" />
          <TimeInput label="Until" name="before" />
          <Button type="submit" variant="default">
            Search
          </Button>
          <ClearFilters filter={filter} onClear={clear} />
        </Group>
      </Group>
    </form>
  );
}

function TimeInput(input: { readonly label: string; readonly name: string }) {
  return <TextInput {...input} type="datetime-local" step={1} w={210} />;
}

function exportPath(filter: ListFilter): string {
  const query = queryOf(filter, null);
  query.delete('limit');
  return `/dashboard/api/audit.csv?${query}`;
}

function AuditRow({ entry }: { readonly entry: Entry }) {
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
      <Table.Td ff="monospace" fz="sm">
        {entry.object ?? ''}
      </Table.Td>
      <Table.Td className="figures">{entry.address ?? ''}</Table.Td>
    </Table.Tr>
  );
}

/** Who acts. A name alone is no proof: any user can give a key the name of a person. */
const ACTOR_TYPES = { user: 'User', key: 'API key', cli: 'Operator', system: 'System' } as const;

/** `account.tier_changed` → `Account tier changed`. */
function describeAction(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
