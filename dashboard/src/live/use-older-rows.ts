import { useDocumentVisibility } from '@mantine/hooks';
import { useQueryClient, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { timeOfCursor } from '../../../src/domain/cursor-time';
import type { RowPage } from './new-rows-of';
import { withFullPages, type Pages } from './older-rows';

/** How far a list reads back, by itself or on request. */
export interface OlderRows {
  readonly isLoadingOlder: boolean;
  /** Whether it looks for rows by itself, because those that it looked at do not match; or was stopped. */
  readonly search: 'none' | 'on' | 'stopped';
  /** Up to which time it has looked, in Unix milliseconds. */
  readonly searchedBackTo: number | undefined;
  stopSearch(): void;
  /** Reads until one more page is shown. */
  showOlder(): void;
  /** The list begins anew, with one page. */
  restart(): void;
}

/** Each call reads up to 5,000 rows of the server, so they don't follow each other at once: 600 calls a minute are allowed. */
const PAUSE_MS = 300;

/**
 * Reads on by itself while a list has less than a page of rows and may have more: a page of the server's may be short,
 * because it looks at a bounded number of rows. It pauses between calls, and while the page is hidden.
 */
export function useOlderRows<Row>(
  listKey: readonly unknown[],
  list: UseInfiniteQueryResult<InfiniteData<RowPage<Row>>>,
  pageRows: number,
): OlderRows {
  const client = useQueryClient();
  const id = JSON.stringify(listKey);
  const first = { id, wanted: pageRows, isStopped: false };
  const [state, setState] = useState(first);
  // A list with another filter begins anew.
  const { wanted, isStopped } = state.id === id ? state : first;
  const isShown = useDocumentVisibility() === 'visible';
  const pages = list.data?.pages ?? [];
  const rows = pages.reduce((sum, page) => sum + page.rows.length, 0);
  const last = pages.at(-1);
  const isWanting = list.hasNextPage && rows < wanted;
  const isReading = isWanting && !isStopped && !list.isFetchNextPageError;
  const isDue = isReading && isShown && !list.isFetching;
  const fetchOlder = async (): Promise<void> => {
    await list.fetchNextPage();
    client.setQueryData<Pages<Row>>(listKey, (shown) => shown && withFullPages(shown, pageRows));
  };
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => void fetchOlder(), PAUSE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- each render has another function
  }, [isDue, id]);
  const isShort = last !== undefined && last.rows.length < pageRows;
  return {
    isLoadingOlder: list.isFetchingNextPage || isReading,
    search: isWanting && isStopped ? 'stopped' : isReading && isShort ? 'on' : 'none',
    searchedBackTo: last?.next ? timeOfCursor(last.next) : undefined,
    stopSearch: () => setState({ id, wanted, isStopped: true }),
    showOlder() {
      setState({ id, wanted: Math.max(wanted, (Math.floor(rows / pageRows) + 1) * pageRows), isStopped: false });
      void fetchOlder();
    },
    restart: () => setState(first),
  };
}

/** Waits between two calls. @throws when the answer is not wanted any more */
export async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  signal.throwIfAborted();
}
