import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditList } from '../api/answers';
import { callApi } from '../api/call-api';
import { queryOf, type ListFilter } from '../elements/list-filter';

/** The entries of the account's audit log, newest first, page by page. */
export function useAudit(filter: ListFilter) {
  const log = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => callApi<AuditList>(`/dashboard/api/audit?${queryOf(filter, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return { log, entries: log.data?.pages.flatMap((page) => page.entries) ?? [] };
}
