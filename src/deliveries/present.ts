import type { z } from 'zod';
import { bodyFormOf, bodyHeaders } from '../domain/body-form';
import { deliveryId } from '../domain/delivery-contract';
import type { RetrySchedule } from '../domain/retry-schedule';
import { HIDDEN } from '../domain/sent-request';
import { dataOf } from '../stores/event-data';
import { hasData, type DeliveryOf, type Destination, type StoredEvent } from '../stores/event-store';
import type { AnsweredAttempt, StoredAnswer } from '../stores/attempt-store';
import type { History } from '../stores/history-store';
import type { ListedAttempt } from '../stores/list-attempts-store';
import { readHeaders } from '../sender/response-headers';
import { composeBody, layOver } from '../sender/signature';
import type { DeliveryWithHistory } from './find-deliveries';
import { hasExecution } from './has-execution';
import type {
  attemptView,
  attemptWithRequestView,
  deliveryOfEventView,
  deliveryStateView,
  deliveryView,
  deliveryWithAttemptsView,
} from './schema';
import type { Waiting } from './count-waiting';
import type { attemptListView, waitingView } from './endpoint-schema';
import type { AttemptOfEndpoint } from './list-attempts';

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

/** A delivery inside its event, with those of the event's newest attempts that are its own. */
export function presentDeliveryOfEvent(
  eventId: number,
  destination: Destination,
  history: History,
  maxAttempts: number,
): z.output<typeof deliveryOfEventView> {
  const own = history.attempts.filter(({ endpoint_id }) => endpoint_id === destination.endpoint_id);
  return {
    ...presentDeliveryState(eventId, destination, maxAttempts),
    url: urlOf(destination, history),
    attempts: own.map(presentAttempt),
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

/**
 * A delivery with everything that is stored about its newest attempts.
 *
 * @param schedule that of the installation, for deliveries without their own
 */
export function presentDeliveryWithAttempts(
  delivery: DeliveryWithHistory,
  schedule: RetrySchedule,
): z.output<typeof deliveryWithAttemptsView> {
  const { destination, history, wait } = delivery;
  const { attempts, total } = history;
  const own = destination.schedule_ms ?? schedule;
  return {
    ...presentDelivery(delivery, schedule.length),
    url: urlOf(destination, history),
    ...(delivery.event.data_erased_at && { data_erased_at: delivery.event.data_erased_at.toISOString() }),
    retry_schedule: own.map((delayMs) => delayMs / 1_000),
    body: presentBody(delivery),
    behind_event_id: wait.behindEventId,
    wait_seconds: wait.seconds,
    has_execution: hasExecution(destination, attempts, own.length),
    attempts_total: total,
    attempts: presentWithRequests(delivery, attempts),
    attempts_cursor: delivery.cursor,
  };
}

function presentBody({ event, destination }: DeliveryOf<StoredEvent>) {
  const { shape, source, include = null, exclude = null } = bodyFormOf(destination.body, event.account_id);
  return {
    shape,
    include: include && [...include],
    exclude: exclude && [...exclude],
    source: shape === 'cloudevents' ? source : null,
  };
}

/** Attempts of one delivery, with everything that is stored about them. */
export function presentWithRequests(
  delivery: DeliveryOf<StoredEvent>,
  attempts: readonly AnsweredAttempt[],
): z.output<typeof attemptWithRequestView>[] {
  if (attempts.length === 0) return [];
  // Composed once: it may be 256 KB, and there may be a hundred attempts.
  const bodyBytes = hasData(delivery.event) ? bodyBytesOf(delivery) : null;
  return attempts.map((attempt) => presentWithRequest(delivery, attempt, bodyBytes));
}

/** How long the body of a delivery's requests is. */
export function bodyBytesOf({ event, destination }: DeliveryOf<EventToSend>): number {
  const { _id: id, type, timestamp } = event;
  const form = bodyFormOf(destination.body, event.account_id);
  return composeBody({ id, type, data: dataOf(event), timestamp }, form).length;
}

function presentWithRequest(
  delivery: DeliveryOf<StoredEvent>,
  attempt: AnsweredAttempt,
  bodyBytes: number | null,
): z.output<typeof attemptWithRequestView> {
  const { answer } = attempt;
  const { queued_ms: queued, timings } = answer;
  return {
    ...presentAttempt(attempt),
    url: answer.url,
    resends: answer.resends,
    request_headers: sentHeaders(delivery, answer, bodyBytes),
    response_headers: answer.response_headers === undefined ? null : readHeaders(answer.response_headers),
    timings: {
      queued_ms: queued ?? null,
      dns_ms: timings.dns ?? null,
      connect_ms: timings.connect ?? null,
      tls_ms: timings.tls ?? null,
      first_byte_ms: timings.first ?? null,
      body_ms: timings.body ?? null,
    },
  };
}

function urlOf({ endpoint_id: id, url }: Destination, { lastUrls }: History): string {
  return lastUrls.get(id) ?? url;
}

/** An attempt, without its request. */
function presentAttempt({ run, number, trigger, answer }: ListedAttempt): z.output<typeof attemptView> {
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
    warning: answer.warning ?? null,
  };
}

type EventToSend = Pick<StoredEvent, '_id' | 'account_id' | 'type' | 'data' | 'timestamp'>;

/**
 * The headers of an attempt's request, as sent and in order: those that were stored, and those that follow from the
 * event. Signatures are the ones that were sent, even if the secrets have changed since. Values of the endpoint's own
 * headers and credentials are not stored.
 *
 * @param bodyBytes null once the data was erased: how long the body was is not known any more
 * @returns none if no request was sent
 */
export function sentHeaders(
  { event, destination }: DeliveryOf<EventToSend>,
  answer: Pick<StoredAnswer, 'sent' | 'unsent' | 'url' | 'resends'>,
  bodyBytes: number | null,
): Record<string, string> {
  if (answer.unsent) return {};
  const { sent } = answer;
  const host = { Host: new URL(answer.url).host };
  const own = Object.fromEntries((sent.hidden ?? []).map((name) => [name, HIDDEN]));
  const defaults = { 'User-Agent': sent.user_agent, ...(sent.accept !== undefined && { Accept: sent.accept }) };
  const isHostFirst = sent.accept !== undefined;
  return {
    ...(isHostFirst && host),
    ...layOver(defaults, own),
    ...bodyHeaders(event, bodyFormOf(destination.body, event.account_id)),
    'X-Webhook-ID': String(event._id),
    'X-Webhook-Type': event.type,
    'X-Webhook-Timestamp': String(sent.timestamp),
    'X-Webhook-Signature': sent.signature,
    'webhook-id': String(event._id),
    'webhook-timestamp': String(sent.timestamp),
    'webhook-signature': sent.standard_signature,
    ...(sent.next_signature !== undefined && { 'X-Webhook-Signature-Next': sent.next_signature }),
    ...(sent.traceparent !== undefined && { traceparent: sent.traceparent }),
    ...host,
    'Accept-Encoding': 'identity',
    ...(bodyBytes !== null && { 'Content-Length': String(bodyBytes) }),
    // The second try uses a connection of its own.
    Connection: answer.resends > 0 ? 'close' : 'keep-alive',
  };
}

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
