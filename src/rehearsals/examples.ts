import { EXAMPLE_ID, type ErrorExample } from '../http/route';

/** A rehearsal that goes on after the answer. */
export const RUNNING = { id: `rhs_${EXAMPLE_ID}`, state: 'running' };

/** A rehearsal of other patterns. */
export const COMPLETED = {
  id: `rhs_${EXAMPLE_ID}`,
  state: 'completed',
  result: {
    events: 1_000,
    window: { after: '2026-11-21T06:00:00.000Z', before: '2026-11-21T12:00:00.000Z' },
    complete: true,
    matches: { before: 1_000, after: 640, types: [{ type: 'user.created', before: 360, after: 0 }] },
    schema: null,
    bodies: [
      {
        event_id: 1_001,
        type: 'user.created',
        before: '{"id":1001,"type":"user.created","data":{"name":"Ada"},"timestamp":1795262400}',
        after: null,
        content_type_before: 'application/json',
        content_type_after: null,
      },
    ],
    peak: { before: 12, after: 9, at: '2026-11-21T08:30:00.000Z', max_per_second: 10 },
  },
};

/** The error for a rehearsal that does not exist or is not the caller's. */
export const NOT_FOUND: ErrorExample = {
  error: 'There is no rehearsal with this id. It is kept for an hour.',
  code: 'rehearsal_not_found',
};
