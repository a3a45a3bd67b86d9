import { Select, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { AccountList } from '../api/answers';
import { callApi } from '../api/call-api';
import { breakable } from '../elements/breakable';
import { DataTable } from '../elements/data-table';
import { queryOf } from '../elements/list-filter';
import { LoadMore } from '../elements/load-more';
import { ProblemAlert } from '../elements/problem-alert';
import { StateBadge } from '../elements/state-badge';
import { Ago } from '../elements/time';
import { meQuery } from '../session/session-queries';
import { Page } from '../shell/page';
import { AccountActions } from './account-actions';

type Account = AccountList['accounts'][number];
type Tier = AccountList['tiers'][number];

const COLUMNS = [
  ...['E-mail', 'Created'],
  { title: 'Calls this month', align: 'right' },
  ...['Tier', 'State'],
  { title: 'Actions', isHidden: true },
] as const;

/** For operators: every account of the installation, its tier, and the actions that suspend or delete it. */
export function AccountsPage() {
  const list = useSuspenseInfiniteQuery({
    queryKey: ['accounts'],
    queryFn: ({ pageParam }) => callApi<AccountList>(`/dashboard/api/accounts?${queryOf({}, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const { data: me } = useSuspenseQuery(meQuery);
  const accounts = list.data.pages.flatMap((page) => page.accounts);
  const tiers = list.data.pages[0]?.tiers ?? [];
  return (
    <Page title="Accounts" description="Every account of this installation. A new tier applies from the next call on.">
      <DataTable label="Accounts" minWidth={860} columns={COLUMNS}>
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} tiers={tiers} isOwn={account.id === me.account.id} />
        ))}
      </DataTable>
      <LoadMore
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        onLoad={() => void list.fetchNextPage()}
      />
    </Page>
  );
}

interface AccountRowProps {
  readonly account: Account;
  readonly tiers: readonly Tier[];
  readonly isOwn: boolean;
}

function AccountRow({ account, tiers, isOwn }: AccountRowProps) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (tier: string) =>
      callApi<Account>(`/dashboard/api/accounts/${account.id}`, { method: 'PATCH', body: { tier } }),
    onSuccess: () =>
      Promise.all(['accounts', 'me', 'overview'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
  const quota = tiers.find(({ id }) => id === account.tier)?.monthly_quota ?? null;
  return (
    <Table.Tr>
      <Table.Td>
        <Text inherit fw={600}>
          {breakable(account.email)}
        </Text>
        <Text ff="monospace" size="sm">
          {account.id}
        </Text>
      </Table.Td>
      <Table.Td>
        <Ago at={account.created_at} />
      </Table.Td>
      <Table.Td ta="right">
        {account.quota_used.toLocaleString('en')}
        <Text span c="dimmed" size="sm">
          {quota === null ? ' of unlimited' : ` of ${quota.toLocaleString('en')}`}
        </Text>
      </Table.Td>
      <Table.Td>
        <Select
          aria-label={`Tier of ${account.email}`}
          data={tiers.map(({ id, name, per_minute: rate }) => ({
            value: id,
            label: `${name} · ${rate.toLocaleString('en')}/min`,
          }))}
          value={account.tier}
          onChange={(tier) => tier !== null && tier !== account.tier && change.mutate(tier)}
          disabled={change.isPending}
          allowDeselect={false}
          w={220}
        />
        <ProblemAlert error={change.error} title="The tier was not changed" />
      </Table.Td>
      <Table.Td>
        <StateBadge state={account.state} />
      </Table.Td>
      <Table.Td>
        <AccountActions account={account} isOwn={isOwn} />
      </Table.Td>
    </Table.Tr>
  );
}
