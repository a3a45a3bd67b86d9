import type { CallOptions } from './patience.ts';
import type { NewRehearsal, Rehearsal } from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** Rehearsals of one account: what a change would have done to the newest stored events. */
export interface Rehearsals {
  /**
   * Rehearses a change, which changes nothing. After two seconds it goes on: ask for its result with `get`.
   *
   * @throws EverpostError as the change itself would
   */
  create(rehearsal: NewRehearsal, options?: CallOptions): Promise<Rehearsal>;
  /** The rehearsal, with its result once it has ended. */
  get(id: string, options?: CallOptions): Promise<Rehearsal>;
}

/** Makes the calls about rehearsals. */
export function createRehearsals({ api, call }: Transport): Rehearsals {
  const path = '/api/v1/webhooks/rehearsals' as const;
  const one = `${path}/{rehearsal_id}` as const;
  return {
    create: async (body, options) => call(options, (how) => api.POST(path, { body, ...how })),
    get: async (id, options) =>
      call(options, (how) => api.GET(one, { params: { path: { rehearsal_id: segment(id) } }, ...how })),
  };
}
