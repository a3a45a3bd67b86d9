/** What a list is narrowed to: names of query parameters and their values; an empty one is not asked for. */
export type ListFilter = Readonly<Record<string, string | undefined>>;

const PAGE = '25';

/** The query of one page of a list. */
export function queryOf(filter: ListFilter, cursor: string | null): URLSearchParams {
  const query = new URLSearchParams({ limit: PAGE });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined && value !== '') query.set(name, value);
  if (cursor !== null) query.set('cursor', cursor);
  return query;
}

/** Keeps of an address's query the filters of a list, whatever else somebody wrote into it. */
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
