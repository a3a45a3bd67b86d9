import { Button, Loader, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Users } from 'lucide-react';
import type { AccountList } from '../api/answers';
import { breakable } from '../elements/breakable';
import { DataTable, NameCell } from '../elements/data-table';
import { EmptyList } from '../elements/empty-state';
import { lazyDialog } from '../elements/lazy-dialog';
import { PageLink } from '../elements/links';
import { isNarrowed } from '../elements/list-filter';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { meQuery } from '../session/session-queries';
import { Page } from '../shell/page';
import { AccountActions } from './account-actions';
import { accountName } from './account-name';
import { accountsQuery, type ListedAccount } from './account-queries';
import { AccountsFilterBar } from './accounts-filter-bar';

type Tiers = AccountList['tiers'];

const CreateAccountDialog = lazyDialog(() => import('./create-account-dialog'), 'CreateAccountDialog');

const COLUMNS = [
  ...['Account', 'Created'],
  { title: 'Calls this month', align: 'right' },
  ...['Tier', 'State'],
  { title: 'Actions', isHidden: true },
] as const;

/** For operators: the accounts of the installation, found by name or id, and the way to each. */
export function AccountsPage() {
  const filter = useSearch({ from: '/dashboard/accounts' });
  const navigate = useNavigate();
  const list = useInfiniteQuery(accountsQuery(filter));
  const { data: me } = useSuspenseQuery(meQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const accounts = list.data?.pages.flatMap((page) => page.accounts) ?? [];
  const tiers = list.data?.pages[0]?.tiers ?? [];
  return (
    <Page
      title="Accounts"
      description="Every account of this installation: the teams that signed up, and those of your customers."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          New account
        </Button>
      }
    >
      <AccountsFilterBar filter={filter} onChange={(search) => void navigate({ to: '/dashboard/accounts', search })} />
      <ProblemAlert error={list.error} title="The accounts could not be loaded" />
      {list.isPending && <Loader aria-label="Loading" />}
      {list.isSuccess && accounts.length === 0 && (
        <EmptyList Icon={Users} noun={['account', 'accounts']} isNarrowed={isNarrowed(filter)} hasOlder={false}>
          Create one for each customer.
        </EmptyList>
      )}
      {accounts.length > 0 && (
        <DataTable label="Accounts" minWidth={860} columns={COLUMNS}>
          {accounts.map((account) => (
            <AccountRow key={account.id} account={account} tiers={tiers} isOwn={account.id === me.account.id} />
          ))}
        </DataTable>
      )}
      {list.data?.pages[0]?.more === true && (
        <Text size="sm" c="dimmed" mt="md">
          More accounts match than are listed. Type more of the name.
        </Text>
      )}
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoad={() => void list.fetchNextPage()}
      />
      <CreateAccountDialog opened={isCreating} onClose={close} tiers={tiers} />
    </Page>
  );
}

interface AccountRowProps {
  readonly account: ListedAccount;
  readonly tiers: Tiers;
  readonly isOwn: boolean;
}

function AccountRow({ account, tiers, isOwn }: AccountRowProps) {
  const { monthly_quota: quota } = account;
  return (
    <Table.Tr>
      <NameCell>
        <PageLink to="/dashboard/accounts/$accountId" params={{ accountId: account.id }} inherit fw={600}>
          {breakable(accountName(account))}
        </PageLink>
        {[account.external_id, account.email, account.id]
          .filter((one) => one !== null && one !== accountName(account))
          .map((one) => (
            <Text key={one} ff="monospace" size="sm" c="dimmed">
              {one === account.id ? one : breakable(one!)}
            </Text>
          ))}
      </NameCell>
      <Table.Td>
        <Ago at={account.created_at} />
      </Table.Td>
      <Table.Td ta="right">
        {account.quota_used.toLocaleString('en')}
        <Text span c="dimmed" size="sm">
          {quota === null ? ' of unlimited' : ` of ${quota.toLocaleString('en')}`}
        </Text>
      </Table.Td>
      <Table.Td>{tiers.find(({ id }) => id === account.tier)?.name ?? account.tier}</Table.Td>
      <Table.Td>
        <StateBadge state={account.status} />
      </Table.Td>
      <Table.Td>
        <AccountActions account={account} isOwn={isOwn} />
      </Table.Td>
    </Table.Tr>
  );
}
