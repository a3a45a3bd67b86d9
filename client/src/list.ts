import type { operations } from './schema.ts';

/** Where a list begins. */
interface Cursor {
  /** `next_cursor` of the previous page; null and undefined start with the first page. */
  readonly cursor?: string | null | undefined;
}

type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
/** The query of a list. Its `cursor` may be the `next_cursor` of any page, even of the last one. */
export type ListQuery<Operation extends keyof operations> = Omit<QueryOf<Operation>, 'cursor'> & Cursor;

/** A list of the API. It fetches nothing before it is iterated or `page` is called. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** One page, as the API returns it. */
  page(): Promise<Page>;
}

/**
 * Makes a list that fetches each page when the items before it are used up.
 *
 * @param query of the first page
 * @param fetchPage fetches the page of a query
 * @param itemsOf the items of a page
 */
export function createList<Query extends Cursor, Item, Page extends { readonly next_cursor: string | null }>(
  query: Query | undefined,
  fetchPage: (query: Omit<Query, 'cursor'> & { readonly cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): List<Item, Page> {
  const { cursor: start, ...rest } = query ?? ({} as Query);
  const fetchAt = (cursor: string | undefined): Promise<Page> =>
    fetchPage({ ...rest, ...(cursor !== undefined && { cursor }) });
  return {
    page: async () => fetchAt(start ?? undefined),
    async *[Symbol.asyncIterator]() {
      let cursor = start ?? undefined;
      do {
        const page = await fetchAt(cursor);
        yield* itemsOf(page);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
