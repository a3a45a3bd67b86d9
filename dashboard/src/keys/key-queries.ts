import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreatedKey, Key, KeyList } from '../api/answers';
import { callApi } from '../api/call-api';

/** The account's keys, newest first. While a rotation is watched, look often. */
export function keysQuery(refetchInterval: number | false = false) {
  return queryOptions({
    queryKey: ['keys'],
    queryFn: () => callApi<KeyList>('/dashboard/api/keys'),
    refetchInterval,
  });
}

/** Creates a key. The answer is the only one that holds the full key. */
export function useCreateKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { product: string; label: string; scopes?: string[]; expires_in?: string }) =>
      callApi<CreatedKey>('/dashboard/api/keys', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
    // The full key must not stay in the page's memory after its dialog is closed.
    gcTime: 0,
  });
}

export type CreateKey = ReturnType<typeof useCreateKey>;

export function useRevokeKey(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<Key>(`/dashboard/api/keys/${id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
}
