import { Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import type { Erasure } from '../api/answers';
import { DataTable } from '../elements/data-table';
import { EmptyState } from '../elements/empty-state';
import { lazyDialog } from '../elements/lazy-dialog';
import { PageLink } from '../elements/links';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { useLiveList } from '../live/live-list';
import { NewRows } from '../live/new-rows';
import { OlderRowsControl } from '../live/older-rows-control';
import { meQuery } from '../session/session-queries';
import { useMay } from '../session/use-may';
import { Page } from '../shell/page';
import { erasuresList } from './erasure-queries';

const EraseByValueDialog = lazyDialog(() => import('./erase-by-value-dialog'), 'EraseByValueDialog');

const COLUMNS = ['State', 'Search field', 'Events erased', 'Started', 'Erasure'];

/** Erasures of all events with a search value, and how far they are. */
export function ErasuresPage() {
  const list = useLiveList(erasuresList);
  const { data: me } = useSuspenseQuery(meQuery);
  const fields = me.account.search_fields;
  const [isOpen, { open, close }] = useDisclosure(false);
  const canErase = useMay('data:erase');
  return (
    <Page
      title="Erasures"
      description="Erase the data of all events with a value. The data of one event is erased on its page."
      actions={
        canErase &&
        fields.length > 0 && (
          <Button leftSection={<Eraser size={16} aria-hidden />} onClick={open}>
            Erase by value
          </Button>
        )
      }
    >
      <ProblemAlert error={list.error} title="The erasures could not be loaded" />
      {fields.length === 0 && (
        <Text mb="md">
          The account has no search fields, so nothing can be found by a value.{' '}
          <PageLink to="/dashboard/settings/search-fields" underline="always">
            Set the search fields
          </PageLink>
        </Text>
      )}
      {list.isSuccess && <NewRows list={list} noun={['erasure', 'erasures']} />}
      {list.isSuccess && list.rows.length === 0 && (
        <EmptyState Icon={Eraser} title="No erasures yet">
          An erasure finds what a search finds: events that were accepted since the field became a search field.
        </EmptyState>
      )}
      {list.rows.length > 0 && <ErasureTable erasures={list.rows} />}
      <OlderRowsControl list={list} />
      {fields.length > 0 && <EraseByValueDialog opened={isOpen} fields={fields} onClose={close} />}
    </Page>
  );
}

function ErasureTable({ erasures }: { readonly erasures: readonly Erasure[] }) {
  return (
    <DataTable label="Erasures" minWidth={640} columns={COLUMNS}>
      {erasures.map(({ id, state, field, erased, created_at: createdAt }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <StateBadge state={state} />
          </Table.Td>
          <Table.Td ff="monospace" fz="sm">
            {field}
          </Table.Td>
          <Table.Td className="figures">{erased.toLocaleString('en')}</Table.Td>
          <Table.Td>
            <Ago at={createdAt} />
          </Table.Td>
          <Table.Td ff="monospace" fz="sm">
            {id}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
