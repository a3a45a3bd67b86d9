import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Delivery, DeliveryList, DeliveryWithAttempts } from '../api/answers';
import { callApi } from '../api/call-api';
import { queryOf, type ListFilter } from '../elements/list-filter';

const PATH = '/dashboard/api/webhooks/deliveries';

/** Deliveries, newest event first. */
export function deliveriesQuery(filter: ListFilter) {
  return infiniteQueryOptions({
    queryKey: ['deliveries', 'list', filter],
    queryFn: ({ pageParam }) => callApi<DeliveryList>(`${PATH}?${queryOf(filter, pageParam)}`),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

/** A delivery with every attempt. */
export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: () => callApi<DeliveryWithAttempts>(`${PATH}/${id}`),
  });
}

/** What can be done with a delivery. */
export type DeliveryVerb = 'retry' | 'cancel' | 'replay';

export function useDeliveryVerb(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (verb: DeliveryVerb) => callApi<Delivery>(`${PATH}/${id}/${verb}`, { method: 'POST' }),
    onSettled: () => Promise.all(['events', 'deliveries'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}
