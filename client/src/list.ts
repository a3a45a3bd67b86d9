/** Where a list begins. */
export interface Cursor {
  /** `next_cursor` of the previous page; null and undefined start with the first page. */
  readonly cursor?: string | null | undefined;
}

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
