import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Erasure, ErasureList } from '../api/answers';
import { callApi } from '../api/call-api';
import { refreshDeliveries } from '../deliveries/delivery-queries';
import { queryOf } from '../elements/list-filter';
import type { LiveList } from '../live/live-list';

const PATH = '/dashboard/api/webhooks/erasures';
/** The page looks this often while an erasure runs. */
const PROGRESS_MS = 2_000;

/** Erasures, newest first. */
export const erasuresList: LiveList<Erasure> = {
  queryKey: ['erasures'],
  ask: async (cursor) => {
    const { erasures, next_cursor: next } = await callApi<ErasureList>(`${PATH}?${queryOf({}, cursor)}`);
    return { rows: erasures, next };
  },
  idOf: ({ id }) => id,
  lookEvery: (newest) => newest.some(({ state }) => state === 'running') && PROGRESS_MS,
};

/** Begins an erasure of everything with a search value, `<field>:<value>`. */
export function useStartErasure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (data: string) => callApi<Erasure>(PATH, { method: 'POST', body: { data } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['erasures'] }),
  });
}

/** Erases the data of one event. */
export function useEraseEvent(eventId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(`/dashboard/api/webhooks/events/${eventId}/data`, { method: 'DELETE' }),
    onSettled: () => refreshDeliveries(client),
  });
}
