import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SearchAnswer } from '../api/answers';
import { groupsOf, type Result, type ResultGroup } from './results';
import { searchQuery } from './search-queries';

/** Longer than the pause between two keys at 40 words a minute, so that a word is one request. */
const PAUSE_MS = 300;

/** What a text finds, as far as it is known. */
interface Search {
  /** The last answer: to `text`, or to what was typed before it. */
  readonly found: SearchAnswer | undefined;
  readonly groups: readonly ResultGroup[];
  /** Whether the answer is the one to `text`. */
  readonly isFresh: boolean;
  readonly isFetching: boolean;
  readonly error: unknown;
  /** The first result, for a user who does not wait for the list; undefined if there is none. */
  first(): Promise<Result | undefined>;
}

/** Searches for a text, once its typing pauses. Meanwhile the results of what was typed before stay. */
export function useSearch(text: string): Search {
  const client = useQueryClient();
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...searchQuery(asked),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = text === '' ? undefined : data;
  return {
    found,
    groups: found ? groupsOf(found, asked) : [],
    isFresh: text === asked && !isPlaceholderData,
    isFetching,
    error: text === '' ? null : error,
    first: async () => groupsOf(await client.query(searchQuery(text)), text)[0]?.results[0],
  };
}
