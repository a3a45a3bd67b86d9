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
 * @param fetchPage fetches the page at a cursor, or the first one without a cursor
 * @param itemsOf the items of a page
 */
export function createList<Item, Page extends { readonly next_cursor: string | null }>(
  start: string | null | undefined,
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): List<Item, Page> {
  return {
    page: () => fetchPage(start ?? undefined),
    async *[Symbol.asyncIterator]() {
      let cursor = start ?? undefined;
      do {
        const page = await fetchPage(cursor);
        yield* itemsOf(page);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}

/** The query parameters of a page that begins at a cursor. */
export function at<Query extends object>(query: Query, cursor: string | undefined) {
  return { params: { query: { ...query, ...(cursor !== undefined && { cursor }) } } };
}
