import type { z } from 'zod';
import { deliveryId } from '../domain/delivery-contract';
import type { Waiting } from './count-waiting';
import type { attemptListView, waitingView } from './endpoint-schema';
import type { AttemptOfEndpoint } from './list-attempts';
import { presentAttempt } from './present';

/** An attempt in the list of an endpoint. */
export function presentAttemptOfEndpoint({
  attempt,
  eventType,
}: AttemptOfEndpoint): z.output<typeof attemptListView>['attempts'][number] {
  const { event_id: eventId, endpoint_id: endpointId, answer } = attempt;
  return {
    ...presentAttempt(attempt),
    delivery_id: deliveryId({ eventId, endpointId }),
    event_id: eventId,
    event_type: eventType,
    succeeded: answer.succeeded,
  };
}

/** What waits for an endpoint. */
export function presentWaiting(endpointId: string, waiting: Waiting): z.output<typeof waitingView> {
  return {
    endpoint_id: endpointId,
    complete: waiting.complete,
    held: waiting.held.map((group) => ({ ...group, since: group.since?.toISOString() ?? null })),
    scheduled: waiting.scheduled,
    next_attempt_at: waiting.nextAttemptAt?.toISOString() ?? null,
    due: waiting.due,
    behind_event_id: waiting.behindEventId,
  };
}
