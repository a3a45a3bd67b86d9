import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { Delivery, DeliveryAttemptList, DeliveryList, DeliveryWithAttempts } from '../api/answers';
import { callApi } from '../api/call-api';
import { inTurn } from '../api/in-turn';
import { queryOf, type ListFilter } from '../elements/list-filter';
import type { LiveList } from '../live/live-list';

const PATH = '/dashboard/api/webhooks/deliveries';

/** Deliveries, newest event first. */
export function deliveriesList(filter: ListFilter): LiveList<Delivery> {
  return {
    queryKey: ['deliveries', filter],
    ask: async (cursor) => {
      const { deliveries, next_cursor: next } = await callApi<DeliveryList>(`${PATH}?${queryOf(filter, cursor)}`);
      return { rows: deliveries, next };
    },
    idOf: ({ id }) => id,
  };
}

/** A delivery with its newest attempts. */
export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: () => callApi<DeliveryWithAttempts>(`${PATH}/${id}`),
  });
}

/** The attempts before those of a delivery, newest first. They never change. @param cursor that the delivery has */
export function olderAttemptsQuery(id: string, cursor: string | null) {
  return infiniteQueryOptions({
    queryKey: ['older attempts', id, cursor],
    queryFn: ({ pageParam }) =>
      callApi<DeliveryAttemptList>(
        `${PATH}/${id}/attempts?${new URLSearchParams({ limit: '100', cursor: pageParam! })}`,
      ),
    initialPageParam: cursor,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What can be done with a delivery. */
export type DeliveryVerb = 'retry' | 'cancel' | 'replay';

export function useDeliveryVerb(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verb: DeliveryVerb) => callApi<Delivery>(`${PATH}/${id}/${verb}`, { method: 'POST' }),
    onSettled: () => refreshDeliveries(client),
  });
}

/** Does the same with several deliveries. */
export function useBulkDeliveryVerb() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ verb, ids }: { verb: DeliveryVerb; ids: readonly string[] }) =>
      inTurn(ids, (id) => callApi<Delivery>(`${PATH}/${id}/${verb}`, { method: 'POST' })),
    onSettled: () => refreshDeliveries(client),
  });
}

/** Has everything asked again that shows deliveries. */
export function refreshDeliveries(client: QueryClient): Promise<unknown> {
  return Promise.all(['events', 'deliveries'].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
