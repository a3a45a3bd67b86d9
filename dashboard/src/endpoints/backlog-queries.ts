import { queryOptions } from '@tanstack/react-query';
import type { CancelledDeliveries, DeliveryList, Endpoint, WaitingDeliveries } from '../api/answers';
import { callApi } from '../api/call-api';
import { queryOf } from '../elements/list-filter';
import { PATH, useEndpointMutation } from './endpoint-queries';

/** While a backlog is sent, its pages look this often: no event tells its end. */
export const BACKLOG_MS = 5_000;

/** Resumes an endpoint, or changes the rate at which its backlog is sent; null for no such limit. */
export function useResume(id: string) {
  return useEndpointMutation((perSecond: number | null) =>
    callApi<Endpoint>(`${PATH}/${id}/resume`, { method: 'POST', body: { backlog_per_second: perSecond } }),
  );
}

/** Cancels all that waits for an endpoint, however many calls that takes. @returns how many deliveries */
export function useCancelDeliveries(id: string) {
  return useEndpointMutation(async (): Promise<number> => {
    for (let all = 0; ;) {
      const some = await callApi<CancelledDeliveries>(`${PATH}/${id}/cancel-deliveries`, { method: 'POST' });
      all += some.cancelled;
      if (some.complete) return all;
    }
  });
}

/** Whether any delivery to an endpoint is `failed`: there is something to recover. */
export function hasFailedQuery(id: string) {
  const query = queryOf({ endpoint_id: id, state: 'failed', limit: '1' }, null);
  return queryOptions({
    queryKey: ['deliveries', 'has-failed', id],
    queryFn: async () => {
      const list = await callApi<DeliveryList>(`/dashboard/api/webhooks/deliveries?${query}`);
      // A short page may have more after it.
      return list.deliveries.length > 0 || list.next_cursor !== null;
    },
  });
}

/** All that waits for an endpoint, whatever for. */
export interface Backlog {
  readonly deliveries: number;
  /** Whether there may be more. */
  readonly isLeast: boolean;
  /** Since when the first held one waits; null if that is not known. */
  readonly since: string | null;
}

export function backlogOf({ held, scheduled, due, complete }: WaitingDeliveries): Backlog {
  const waits = held.flatMap(({ since }) => since ?? []).toSorted();
  return {
    deliveries: held.reduce((sum, { deliveries }) => sum + deliveries, scheduled + due),
    isLeast: !complete,
    since: waits[0] ?? null,
  };
}
