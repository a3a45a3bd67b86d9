/** What the query of every list may say where to begin. */
export interface Cursor {
  /** `next_cursor` of the page before; null and undefined begin with the first page. */
  readonly cursor?: string | null | undefined;
}

/** A list of the API. Nothing is asked for before it is iterated, or `page` is called. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** One page, as the API answers it. */
  page(): Promise<Page>;
}

/**
 * Makes a list of which each page is fetched when the items before it are used up.
 *
 * @param fetchPage the page that begins at a cursor; the first one without
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
