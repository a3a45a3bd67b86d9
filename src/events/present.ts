import type { z } from 'zod';
import type { Attempt, StoredAnswer } from '../deliveries/store';
import { deliveryId } from '../domain/delivery-contract';
import { eventStatus } from '../domain/delivery-state';
import type { EventWithHistory } from './get-event';
import type { IngestResult } from './ingest-event';
import type { attemptView, deliveryView, ingestView } from './schema';
import type { Destination } from './store';

/** The answer of an ingest. */
export function presentIngest(result: IngestResult): z.output<typeof ingestView> {
  return {
    id: result.id,
    type: result.type,
    timestamp: result.timestamp,
    duplicate: result.duplicate,
    deliveries: result.deliveries,
    ...(result.payloadMismatch && { payload_mismatch: true as const }),
  };
}

/**
 * An event with its deliveries, as JSON text.
 * It is put together by hand so that `data` is shown with the very bytes that were sent.
 */
export function presentEvent({ event, attempts }: EventWithHistory, maxAttempts: number): string {
  const deliveries = event.destinations.map((destination) => {
    const own = attempts.filter(({ endpoint_id }) => endpoint_id === destination.endpoint_id);
    return presentDelivery(event._id, destination, own, maxAttempts);
  });
  const states = event.destinations.map(({ state, attempt_count }) => ({ state, attemptCount: attempt_count }));
  const before = JSON.stringify({ id: event._id, type: event.type });
  const after = JSON.stringify({
    timestamp: event.timestamp,
    idempotency_key: event.idempotency_key,
    status: eventStatus(states),
    deliveries,
  });
  const data = Buffer.from(event.data.value()).toString('utf8');
  return `${before.slice(0, -1)},"data":${data},${after.slice(1)}`;
}

function presentDelivery(
  eventId: number,
  destination: Destination,
  attempts: EventWithHistory['attempts'],
  maxAttempts: number,
): z.output<typeof deliveryView> {
  return {
    id: deliveryId({ eventId, endpointId: destination.endpoint_id }),
    endpoint_id: destination.endpoint_id,
    url: attempts.at(-1)?.answer.url ?? destination.url,
    state: destination.state,
    attempt_count: destination.attempt_count,
    max_attempts: maxAttempts,
    next_attempt_at: destination.next_attempt_at?.toISOString() ?? null,
    completed_at: destination.completed_at?.toISOString() ?? null,
    attempts: attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: Attempt & { answer: StoredAnswer }): z.output<typeof attemptView> {
  const { answer } = attempt;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: answer.started_at.toISOString(),
    latency_ms: answer.latency_ms,
    status_code: answer.status_code,
    error_code: answer.error_code,
    error: answer.error,
    response_snippet: answer.response_snippet,
  };
}
