import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type {
  AttemptWithRequest,
  Delivery,
  DeliveryAttemptPage,
  DeliveryPage,
  DeliveryWithAttempts,
} from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** Deliveries of one account: an event on its way to one endpoint. */
export interface Deliveries {
  /** Deliveries, newest first. */
  list(query?: ListQuery<'listDeliveries'>, options?: CallOptions): List<Delivery, DeliveryPage>;
  /** The delivery, with its attempts. */
  get(id: string, options?: CallOptions): Promise<DeliveryWithAttempts>;
  /** Makes the next attempt now. */
  retry(id: string, options?: CallOptions): Promise<Delivery>;
  /** Makes no further attempt. */
  cancel(id: string, options?: CallOptions): Promise<Delivery>;
  /** Delivers again what has ended. */
  replay(id: string, options?: CallOptions): Promise<Delivery>;
  /** Its attempts, with what was sent and what came back. */
  attempts(
    id: string,
    query?: ListQuery<'listDeliveryAttempts'>,
    options?: CallOptions,
  ): List<AttemptWithRequest, DeliveryAttemptPage>;
}

/** Makes the calls about deliveries. */
export function createDeliveries({ api, call }: Transport): Deliveries {
  const path = '/api/v1/webhooks/deliveries' as const;
  const one = `${path}/{delivery_id}` as const;
  const of = (id: string) => ({ params: { path: { delivery_id: segment(id) } } });
  return {
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(path, { params: { query: at }, ...how })),
        ({ deliveries }) => deliveries,
      ),
    get: async (id, options) => call(options, (how) => api.GET(one, { ...of(id), ...how })),
    retry: async (id, options) => call(options, (how) => api.POST(`${one}/retry`, { ...of(id), ...how })),
    cancel: async (id, options) => call(options, (how) => api.POST(`${one}/cancel`, { ...of(id), ...how })),
    replay: async (id, options) => call(options, (how) => api.POST(`${one}/replay`, { ...of(id), ...how })),
    attempts: (id, query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(`${one}/attempts`, { params: { ...of(id).params, query: at }, ...how })),
        ({ attempts }) => attempts,
      ),
  };
}
