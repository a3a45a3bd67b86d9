import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { AccountDetail, AccountList } from '../api/answers';
import { callApi } from '../api/call-api';
import { queryOf, type ListFilter } from '../elements/list-filter';
import type { AccountBody } from './account-draft';

const PATH = '/dashboard/api/accounts';

/** An account in the list. */
export type ListedAccount = AccountList['accounts'][number];

/** What a change of an account answers. */
type ChangedAccount = Omit<AccountDetail, 'quota_used' | 'monthly_quota' | 'tiers' | 'usage' | 'endpoints'>;

/** For operators: the accounts that match, page by page. The list stays while another one is loading. */
export function accountsQuery(filter: ListFilter) {
  return infiniteQueryOptions({
    queryKey: ['accounts', 'list', filter],
    queryFn: ({ pageParam }) => callApi<AccountList>(`${PATH}?${queryOf(filter, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** One account, with its usage and the health of its endpoints. */
export function accountQuery(id: string) {
  return queryOptions({
    queryKey: ['accounts', 'one', id],
    queryFn: () => callApi<AccountDetail>(`${PATH}/${id}`),
  });
}

/** What an operator may see of a changed account elsewhere: it may be the own one. */
function forget(client: QueryClient): Promise<unknown> {
  return Promise.all(['accounts', 'me', 'overview'].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** Creates an account. */
export function useCreateAccount() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { external_id: string; name?: string; tier?: string }) =>
      callApi<ListedAccount>(PATH, { method: 'POST', body }),
    onSuccess: () => forget(client),
  });
}

/** Changes an account. The answer is the account as it is then. */
export function useChangeAccount(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AccountBody) => callApi<ChangedAccount>(`${PATH}/${id}`, { method: 'PATCH', body }),
    onSuccess: () => forget(client),
  });
}
