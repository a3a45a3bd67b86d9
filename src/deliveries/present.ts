import type { z } from 'zod';
import { deliveryId } from '../domain/delivery-contract';
import type { DeliveryOf, Destination, StoredEvent } from '../record/event-store';
import type { AnsweredAttempt, StoredAnswer } from '../record/attempt-store';
import type { DeliveryWithHistory } from './find-deliveries';
import type {
  attemptView,
  deliveryOfEventView,
  deliveryStateView,
  deliveryView,
  deliveryWithAttemptsView,
} from './schema';

/** The state of a delivery. */
export function presentDeliveryState(
  eventId: number,
  destination: Destination,
  maxAttempts: number,
): z.output<typeof deliveryStateView> {
  return {
    id: deliveryId({ eventId, endpointId: destination.endpoint_id }),
    endpoint_id: destination.endpoint_id,
    state: destination.state,
    run: destination.run,
    attempt_count: destination.attempt_count,
    max_attempts: destination.schedule_ms?.length ?? maxAttempts,
    next_attempt_at: destination.next_attempt_at?.toISOString() ?? null,
    held_for: destination.held_for ?? null,
    held_since: destination.held_at?.toISOString() ?? null,
    completed_at: destination.completed_at?.toISOString() ?? null,
  };
}

/** A delivery with its attempts, inside its event. */
export function presentDeliveryOfEvent(
  eventId: number,
  destination: Destination,
  attempts: readonly AnsweredAttempt[],
  maxAttempts: number,
): z.output<typeof deliveryOfEventView> {
  return {
    ...presentDeliveryState(eventId, destination, maxAttempts),
    url: urlOf(destination, attempts),
    attempts: attempts.map(presentAttempt),
  };
}

type EventOfDelivery = Pick<StoredEvent, '_id' | 'type' | 'accepted_at'>;

/** A delivery as lists and the operations on it show it. */
export function presentDelivery(
  { event, destination }: DeliveryOf<EventOfDelivery>,
  maxAttempts: number,
): z.output<typeof deliveryView> {
  return {
    ...presentDeliveryState(event._id, destination, maxAttempts),
    event_id: event._id,
    event_type: event.type,
    accepted_at: new Date(event.accepted_at.t * 1_000).toISOString(),
  };
}

/** A delivery with everything that is stored about its attempts. */
export function presentDeliveryWithAttempts(
  delivery: DeliveryWithHistory,
  maxAttempts: number,
): z.output<typeof deliveryWithAttemptsView> {
  const { destination, attempts } = delivery;
  return {
    ...presentDelivery(delivery, maxAttempts),
    url: urlOf(destination, attempts),
    attempts: attempts.map((attempt) => ({
      ...presentAttempt(attempt),
      url: attempt.answer.url,
      resends: attempt.answer.resends,
      request_headers: sentHeaders(delivery.event, attempt.answer),
    })),
  };
}

function urlOf(destination: Destination, attempts: readonly AnsweredAttempt[]): string {
  return attempts.at(-1)?.answer.url ?? destination.url;
}

function presentAttempt({ run, number, trigger, answer }: AnsweredAttempt): z.output<typeof attemptView> {
  return {
    run,
    number,
    trigger,
    started_at: answer.started_at.toISOString(),
    latency_ms: answer.latency_ms,
    status_code: answer.status_code,
    error_code: answer.error_code,
    error: answer.error,
    response_snippet: answer.response_snippet,
  };
}

/** Replaces a value that is the owner's secret. */
const HIDDEN = '[hidden]';

/**
 * The headers of an attempt's request, as sent: those that were stored, and those that follow from the event.
 * Signatures are the ones that were sent, even if the secrets have changed since. Values of the endpoint's own headers
 * and credentials are not stored.
 */
export function sentHeaders(
  event: Pick<StoredEvent, '_id' | 'type'>,
  { sent }: Pick<StoredAnswer, 'sent'>,
): Record<string, string> {
  return {
    ...Object.fromEntries((sent.hidden ?? []).map((name) => [name, HIDDEN])),
    'Content-Type': 'application/json',
    'X-Webhook-ID': String(event._id),
    'X-Webhook-Type': event.type,
    'X-Webhook-Timestamp': String(sent.timestamp),
    'X-Webhook-Signature': sent.signature,
    ...(sent.next_signature !== undefined && { 'X-Webhook-Signature-Next': sent.next_signature }),
    'webhook-id': String(event._id),
    'webhook-timestamp': String(sent.timestamp),
    'webhook-signature': sent.standard_signature,
  };
}
