import { filterOf, type ListFilter } from '../elements/list-filter';

/** What the rows are. */
export type Rows = 'events' | 'deliveries';

const OF_BOTH = ['type', 'after', 'before', 'last'] as const;
const OF_EVENTS = ['status', 'data', 'idempotency_key'] as const;
const OF_DELIVERIES = ['state', 'endpoint_id', 'replay_id'] as const;

/** What the page's address can say: the rows, a text to search for, and the filters: parameters of the API, and `last`. */
export const FIND_SEARCH = ['rows', 'q', ...OF_BOTH, ...OF_EVENTS, ...OF_DELIVERIES] as const;

/** The address as it was asked for. */
export type FindSearch = { readonly [Name in (typeof FIND_SEARCH)[number]]?: string };

/** Which rows an address shows: those that it names, or those that its filters belong to; otherwise events. */
export function rowsOf({ rows, ...filter }: FindSearch): Rows {
  if (rows === 'events' || rows === 'deliveries') return rows;
  const has = (names: readonly (keyof typeof filter)[]): boolean => names.some((name) => filter[name] !== undefined);
  return has(OF_DELIVERIES) && !has(OF_EVENTS) ? 'deliveries' : 'events';
}

/** The filters of an address that belong to these rows. */
export function filterFor(rows: Rows, search: ListFilter): ListFilter {
  return filterOf(search, [...OF_BOTH, ...(rows === 'events' ? OF_EVENTS : OF_DELIVERIES)]);
}

/** The address of a list: it names the rows only where its filters leave them open. */
export function searchFor(rows: Rows, filter: ListFilter): FindSearch {
  const own: FindSearch = filterFor(rows, filter);
  return rowsOf(own) === rows ? own : { rows, ...own };
}
