import type { InfiniteData } from '@tanstack/react-query';
import { timeOfCursor } from '../../../src/domain/cursor-time';
import type { RowPage } from './new-rows-of';

/** Rows of a page of a list, unless the list has another number. */
export const PAGE_ROWS = 25;

/** Pages of a list, with their cursors. */
export type Pages<Row> = InfiniteData<RowPage<Row>, string | null>;

/**
 * Joins pages that came short of their rows with what follows them. The server looks at a bounded number of rows for each
 * page, so a page that it returns may be short, or empty, although more follow.
 */
export function withFullPages<Row>(shown: Pages<Row>, pageRows: number): Pages<Row> {
  const pages: RowPage<Row>[] = [];
  const pageParams: (string | null)[] = [];
  for (const [index, page] of shown.pages.entries()) {
    const previous = pages.at(-1);
    if (previous && previous.rows.length < pageRows) pages[pages.length - 1] = joined(previous, page);
    else {
      pages.push(page);
      pageParams.push(shown.pageParams[index]!);
    }
  }
  return pages.length === shown.pages.length ? shown : { pages, pageParams };
}

/** A page with the one after it. */
export function joined<Row>(page: RowPage<Row>, following: RowPage<Row>): RowPage<Row> {
  return { rows: [...page.rows, ...following.rows], next: following.next };
}

/** Whether a page that is read again ends before the place that it reached the last time. */
export function endsEarlier<Row>(page: RowPage<Row>, known: RowPage<Row> | undefined, pageRows: number): boolean {
  if (!known || page.next === null || page.rows.length >= pageRows) return false;
  const [at, reached] = [timeOfCursor(page.next), known.next === null ? 0 : timeOfCursor(known.next)];
  return at !== undefined && reached !== undefined && at > reached;
}
