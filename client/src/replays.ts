import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type { NewReplay, Replay, ReplayChange, ReplayPage } from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** Bulk replays of one account: jobs that send many deliveries again. */
export interface Replays {
  /** Begins a replay. Not sent again after a lost answer: look for it with `list` first. */
  create(replay: NewReplay, options?: CallOptions): Promise<Replay>;
  /** Bulk replays, newest first. */
  list(query?: ListQuery<'listReplays'>, options?: CallOptions): List<Replay, ReplayPage>;
  /** The replay, and how far it is. */
  get(id: string, options?: CallOptions): Promise<Replay>;
  /** Changes its rate, pauses it or resumes it. */
  update(id: string, change: ReplayChange, options?: CallOptions): Promise<Replay>;
  /** Starts none of the deliveries that are left. */
  cancel(id: string, options?: CallOptions): Promise<Replay>;
}

/** Makes the calls about bulk replays. */
export function createReplays({ api, call }: Transport): Replays {
  const path = '/api/v1/webhooks/replays' as const;
  const one = `${path}/{job_id}` as const;
  const of = (id: string) => ({ params: { path: { job_id: segment(id) } } });
  return {
    create: async (body, options) => call(options, (how) => api.POST(path, { body, ...how })),
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(path, { params: { query: at }, ...how })),
        ({ replays }) => replays,
      ),
    get: async (id, options) => call(options, (how) => api.GET(one, { ...of(id), ...how })),
    update: async (id, body, options) => call(options, (how) => api.PATCH(one, { ...of(id), body, ...how })),
    cancel: async (id, options) => call(options, (how) => api.POST(`${one}/cancel`, { ...of(id), ...how })),
  };
}
