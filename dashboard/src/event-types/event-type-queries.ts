import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../api/call-api';

const PATH = '/dashboard/api/webhooks/event-types';
/** An installation has at most 1,000 types: ten pages. */
const PAGE_ROWS = '100';

/** A type of the installation's catalog. */
export interface EventType {
  readonly name: string;
  readonly description: string | null;
  readonly group: string | null;
  /** JSON Schema 2020-12 of `data`. */
  readonly schema: unknown;
  readonly example: unknown;
  readonly deprecated: boolean;
  readonly version: number;
  readonly updated_at: string;
}

/** A type as it is listed. */
export interface ListedEventType extends Omit<EventType, 'schema' | 'example'> {
  readonly has_schema: boolean;
}

interface EventTypeList {
  readonly event_types: readonly ListedEventType[];
  readonly next_cursor: string | null;
}

/** All types of the catalog, by name. */
export const describedTypesQuery = queryOptions({
  queryKey: ['described-types', 'list'],
  queryFn: async () => {
    const types: ListedEventType[] = [];
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
    queryFn: () => callApi<EventType>(`${PATH}/${encodeURIComponent(name)}`),
  });
}
