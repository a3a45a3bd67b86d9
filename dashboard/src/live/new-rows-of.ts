import type { InfiniteData } from '@tanstack/react-query';

/** A page of a list, the newest rows first. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the page after it; null at the end. */
  readonly next: string | null;
}

/** How a list differs from what is shown of it. */
export interface News {
  /** Rows that are not shown. */
  readonly added: number;
  /** Whether every row of the newest page is new: there may be more of them than `added`. */
  readonly isMore: boolean;
  /** Rows that are shown and do not belong to the list any more. */
  readonly gone: number;
}

const NONE: News = { added: 0, isMore: false, gone: 0 };

/**
 * Compares the newest page of a list with the rows that are shown of it.
 *
 * @param newest undefined while it is not known
 */
export function newsOf<Row>(newest: RowPage<Row> | undefined, shown: readonly Row[], idOf: (row: Row) => string): News {
  // A page without rows that isn't the last one: the server looked at as many as it does for a page, and none matches.
  if (!newest || shown.length === 0 || (newest.rows.length === 0 && newest.next !== null)) return NONE;
  const places = new Map(shown.map((row, index) => [idOf(row), index]));
  const newestIds = newest.rows.map(idOf);
  const lastKnown = newestIds.reduce((last, id, index) => (places.has(id) ? index : last), -1);
  // A page that isn't the last one says nothing of what follows its last known row.
  const isLast = newest.next === null;
  if (lastKnown < 0 && !isLast) return { added: newestIds.length, isMore: true, gone: 0 };
  const compared = new Set(isLast ? newestIds : newestIds.slice(0, lastKnown + 1));
  const end = isLast ? shown.length : places.get(newestIds[lastKnown]!)! + 1;
  return {
    added: [...compared].filter((id) => !places.has(id)).length,
    isMore: false,
    gone: shown.slice(0, end).filter((row) => !compared.has(idOf(row))).length,
  };
}

/**
 * What is shown, with what is new in its rows. A list that shows nothing shows the newest page: nothing can move. If that
 * has no row either, the list keeps its place, how far it has searched.
 */
export function withNewest<Row>(
  shown: InfiniteData<RowPage<Row>, string | null>,
  newest: RowPage<Row>,
  idOf: (row: Row) => string,
): InfiniteData<RowPage<Row>, string | null> {
  if (shown.pages.every(({ rows }) => rows.length === 0)) {
    const isSearched = newest.rows.length === 0 && newest.next !== null;
    return isSearched ? shown : { pages: [newest], pageParams: [null] };
  }
  const known = new Map(newest.rows.map((row) => [idOf(row), row]));
  const pages = shown.pages.map((page) => ({ ...page, rows: page.rows.map((row) => known.get(idOf(row)) ?? row) }));
  return { ...shown, pages };
}
