import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { newsOf, withNewest, type News, type RowPage } from './new-rows-of';
import { endsEarlier, joined, PAGE_ROWS, type Pages } from './older-rows';
import { pause, useOlderRows, type OlderRows } from './use-older-rows';

/** A list of the server's, page by page. */
export interface LiveList<Row> {
  /** The subject, by which the stream of changes names it, and what else tells the list from others. */
  readonly queryKey: readonly [subject: string, ...rest: unknown[]];
  /** @param cursor null for the newest page */
  readonly ask: (cursor: string | null) => Promise<RowPage<Row>>;
  readonly idOf: (row: Row) => string;
  /** How many rows a page has; `PAGE_ROWS` by default. */
  readonly pageRows?: number;
  /** How often to look again besides, in milliseconds, while these are the newest rows; false for never. */
  readonly lookEvery?: (newest: readonly Row[]) => number | false;
}

/** What a page shows of such a list. */
export interface ShownList<Row> extends Omit<OlderRows, 'restart'> {
  readonly rows: readonly Row[];
  readonly news: News;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: unknown;
  /** How many pages are shown. */
  readonly pages: number;
  /** Whether there may be more rows: a list without rows is not known to be empty then. */
  readonly hasOlder: boolean;
  /** Shows the newest page alone. */
  showNewest(): void;
}

/**
 * A list whose rows stay where they are: what changes in a shown row is shown, and what is new is only counted until
 * the user asks for it. Whatever is shown, a look asks for the newest page alone; once all of that is new, there are no
 * more looks.
 *
 * The server looks at a bounded number of rows for each page. While fewer match than a page has, the list reads on.
 */
export function useLiveList<Row>(live: LiveList<Row>): ShownList<Row> {
  const { queryKey, ask, idOf, lookEvery, pageRows = PAGE_ROWS } = live;
  const client = useQueryClient();
  const [subject, ...rest] = queryKey;
  const [listKey, newestKey] = [
    [subject, 'list', ...rest],
    [subject, 'newest', ...rest],
  ];
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: async ({ pageParam, signal }) => {
      const known = client.getQueryData<Pages<Row>>(listKey);
      const before = known?.pages[known.pageParams.indexOf(pageParam)];
      let page = await ask(pageParam);
      if (pageParam === null) client.setQueryData(newestKey, page);
      // What is shown stays until the list is as far as it was.
      while (endsEarlier(page, before, pageRows)) {
        await pause(signal);
        page = joined(page, await ask(page.next));
      }
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchOnWindowFocus: false,
  });
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const newsIn = (page: RowPage<Row> | undefined): News => newsOf(page, rows, idOf);
  const newest = useQuery<RowPage<Row>>({
    queryKey: newestKey,
    queryFn: async () => {
      const page = await ask(null);
      client.setQueryData<Pages<Row>>(listKey, (shown) => shown && withNewest(shown, page, idOf));
      return page;
    },
    enabled: ({ state }) => list.isSuccess && !newsIn(state.data).isMore,
    ...(lookEvery && { refetchInterval: ({ state }) => lookEvery(state.data?.rows ?? []) }),
  });
  const news = newsIn(newest.data);
  const { restart, ...older } = useOlderRows(listKey, list, pageRows);
  const showNewest = (): void => {
    const { data: page } = newest;
    restart();
    const isKnown = page !== undefined && !news.isMore;
    client.setQueryData<Pages<Row>>(
      listKey,
      (shown) => shown && { pages: isKnown ? [page] : shown.pages.slice(0, 1), pageParams: [null] },
    );
    if (!isKnown) void list.refetch();
  };
  return {
    rows,
    news,
    isPending: list.isPending,
    isSuccess: list.isSuccess,
    error: list.error ?? newest.error,
    pages: list.data?.pages.length ?? 0,
    hasOlder: list.hasNextPage,
    ...older,
    showNewest,
  };
}
