import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type { Erasure, ErasurePage, NewErasure } from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** Erasures of one account: jobs that erase the data of all events with a search value. */
export interface Erasures {
  /**
   * Begins an erasure, with a management key: `create({ data: 'customer_id:cus_123' })`. A second one of the same value
   * finds nothing.
   */
  create(erasure: NewErasure, options?: CallOptions): Promise<Erasure>;
  /** Erasures, newest first. */
  list(query?: ListQuery<'listErasures'>, options?: CallOptions): List<Erasure, ErasurePage>;
  /** The erasure, and how far it is. */
  get(id: string, options?: CallOptions): Promise<Erasure>;
}

/** Makes the calls about erasures. */
export function createErasures({ api, call }: Transport): Erasures {
  const path = '/api/v1/webhooks/erasures' as const;
  return {
    create: async (body, options) => call(options, (how) => api.POST(path, { body, ...how })),
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(path, { params: { query: at }, ...how })),
        ({ erasures }) => erasures,
      ),
    get: async (id, options) =>
      call(options, (how) =>
        api.GET(`${path}/{erasure_id}`, { params: { path: { erasure_id: segment(id) } }, ...how }),
      ),
  };
}
