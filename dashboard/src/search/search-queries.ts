import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_SEARCH_FIELDS } from '../../../src/domain/search-values';
import type { Me, SearchAnswer } from '../api/answers';
import { ApiProblem, callApi } from '../api/call-api';
import { meQuery } from '../session/session-queries';

/** What a text finds. A search for a text that is no longer asked for is given up. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) =>
      callApi<SearchAnswer>(`/dashboard/api/search?${new URLSearchParams({ q: text })}`, { signal }),
  });
}

interface SearchFields {
  readonly fields: readonly string[];
  /** The fields that the form was opened with. */
  readonly opened: readonly string[];
}

/** Adds and removes fields of `data` by which events are found: what others added and removed meanwhile stays so. */
export function useSetSearchFields() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: changeSearchFields,
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['search'] }),
      ]);
    },
  });
}

async function changeSearchFields({ fields, opened }: SearchFields): Promise<readonly string[]> {
  try {
    const body = { search_fields: fields, replaces: opened };
    const path = '/dashboard/api/search-fields';
    return (await callApi<Me['account']>(path, { method: 'PATCH', body })).search_fields;
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 412)) throw error;
    const { search_fields: now } = (await callApi<Me>('/dashboard/api/me')).account;
    const kept = now.filter((name) => fields.includes(name) || !opened.includes(name));
    const added = fields.filter((name) => !opened.includes(name) && !now.includes(name));
    if (kept.length + added.length > MAX_SEARCH_FIELDS) throw tooMany(now);
    return changeSearchFields({ fields: [...kept, ...added], opened: now });
  }
}

function tooMany(now: readonly string[]): Error {
  return new Error(
    `The search fields have changed since you opened this page: ${now.join(', ')}. With yours there are more than ` +
      `${MAX_SEARCH_FIELDS}. Reload the page, and decide which ones the account needs.`,
  );
}
