import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
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
    onSettled: () => refresh(client),
  });
}

/** What became of an operation on several deliveries: how many were done, and why the others were refused. */
export interface BulkResult {
  readonly verb: DeliveryVerb;
  readonly done: number;
  readonly refused: readonly string[];
}

/** Does the same with several deliveries, one after the other: a refusal doesn't stop the rest. */
export function useBulkDeliveryVerb() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ verb, ids }: { verb: DeliveryVerb; ids: readonly string[] }): Promise<BulkResult> => {
      const refused: string[] = [];
      for (const id of ids) {
        await callApi<Delivery>(`${PATH}/${id}/${verb}`, { method: 'POST' }).catch((error: unknown) => {
          refused.push(error instanceof Error ? error.message : String(error));
        });
      }
      return { verb, done: ids.length - refused.length, refused };
    },
    onSettled: () => refresh(client),
  });
}

function refresh(client: QueryClient): Promise<unknown> {
  return Promise.all(['events', 'deliveries'].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
