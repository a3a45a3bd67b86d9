import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreatedKey, Key, KeyList } from '../api/answers';
import { callApi } from '../api/call-api';
import type { KeyKind } from './key-kinds';

/** The keys of a kind, newest first. While a rotation is watched, look often. */
export function keysQuery({ path, queryKey }: KeyKind, refetchInterval: number | false = false) {
  return queryOptions({
    queryKey: [queryKey],
    queryFn: () => callApi<KeyList>(path),
    refetchInterval,
  });
}

/** Creates a key. The answer is the only one that holds the full key. */
export function useCreateKey({ path, queryKey }: KeyKind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { product?: string; label: string; scopes?: string[]; expires_in?: string }) =>
      callApi<CreatedKey>(path, { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: [queryKey] }),
    // The full key must not stay in the page's memory after its dialog is closed.
    gcTime: 0,
  });
}

export type CreateKey = ReturnType<typeof useCreateKey>;

export function useRevokeKey({ path, queryKey }: KeyKind, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi<Key>(`${path}/${id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: [queryKey] }),
  });
}
