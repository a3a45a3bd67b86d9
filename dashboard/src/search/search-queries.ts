import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Me, SearchAnswer } from '../api/answers';
import { callApi } from '../api/call-api';
import { meQuery } from '../session/session-queries';

/** What a text finds. A search for a text that is no longer asked for is given up. */
export function searchQuery(text: string) {
  return queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) =>
      callApi<SearchAnswer>(`/dashboard/api/search?${new URLSearchParams({ q: text })}`, { signal }),
  });
}

/** Sets the fields of `data` by which events are found. */
export function useSetSearchFields() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: readonly string[]) =>
      callApi<Pick<Me['account'], 'search_fields'>>('/dashboard/api/search-fields', {
        method: 'PATCH',
        body: { search_fields: fields },
      }),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['search'] }),
      ]);
    },
  });
}
