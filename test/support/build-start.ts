import type { StartTask } from '../../src/engine/task';

/** A delivery whose first attempt is due: of account `one` to `ep_test`, unless the test sets others. */
export function buildStart(
  eventId: number,
  { endpointId = 'ep_test', ...fields }: Partial<StartTask> & { endpointId?: string } = {},
): StartTask {
  return {
    ref: { eventId, endpointId, run: 1 },
    accountId: 'one',
    eventType: 'order.created',
    url: 'https://example.com/hook',
    firstAttempt: 1,
    firstDelayMs: 0,
    ...fields,
  };
}
