import { queryOptions } from '@tanstack/react-query';
import type { EventTypeList, DescribedType, ListedType } from '../api/answers';
import { callApi } from '../api/call-api';

const PATH = '/dashboard/api/webhooks/event-types';
/** An installation has at most 1,000 types: ten pages. */
const PAGE_ROWS = '100';

/** All types of the catalog, by name. */
export const describedTypesQuery = queryOptions({
  queryKey: ['described-types', 'list'],
  queryFn: async () => {
    const types: ListedType[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = new URLSearchParams({ limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) });
      const page: EventTypeList = await callApi<EventTypeList>(`${PATH}?${query}`);
      types.push(...page.event_types);
      cursor = page.next_cursor;
    }
    return types;
  },
});

/** One type, with its schema and example. */
export function describedTypeQuery(name: string) {
  return queryOptions({
    queryKey: ['described-types', 'one', name],
    queryFn: () => callApi<DescribedType>(`${PATH}/${encodeURIComponent(name)}`),
  });
}
