import { timeBefore } from './time-before';

/** What a list is narrowed to: names of query parameters and their values; an empty one is not asked for. */
export type ListFilter = Readonly<Record<string, string | undefined>>;

const PAGE = '25';

/** Whether a filter narrows its list at all. */
export function isNarrowed(filter: ListFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}

/** Spans until now, which a filter names as `last`; the server takes a time. */
export const SPANS = [
  { value: '1h', label: 'Last hour', hours: 1 },
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 168 },
] as const;

/** The span with this name. */
export function spanOf(last: string | undefined): (typeof SPANS)[number] | undefined {
  return SPANS.find(({ value }) => value === last);
}

/** The query of one page of a list. */
export function queryOf({ last, ...filter }: ListFilter, cursor: string | null): URLSearchParams {
  const query = new URLSearchParams({ limit: PAGE });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined && value !== '') query.set(name, value);
  const span = spanOf(last);
  if (span) query.set('after', timeBefore(span.hours));
  if (cursor !== null) query.set('cursor', cursor);
  return query;
}

/** Keeps of an address's query the filters of a list, and drops everything else. */
export function filterOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const entries = names.flatMap((name) => {
    const value = search[name];
    return (typeof value === 'string' || typeof value === 'number') && value !== '' ? [[name, String(value)]] : [];
  });
  return Object.fromEntries(entries) as Partial<Record<Name, string>>;
}
