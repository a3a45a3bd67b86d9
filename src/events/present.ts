import type { z } from 'zod';
import { presentDeliveryOfEvent, presentDeliveryState } from '../deliveries/present';
import { eventStatus } from '../domain/delivery-state';
import { answerOf, type ErrorAnswer } from '../http/error-mapper';
import type { EventWithHistory } from './find-events';
import type { BatchResult, IngestResult } from './ingest-event';
import type { ListedEvent } from '../stores/list-events-store';
import type { ingestView, listedEventView } from './schema';
import { dataOf } from '../stores/event-data';
import { hasData, type Destination } from '../stores/event-store';

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

/** The answer of a batch for an accepted event. */
type Accepted = z.output<typeof ingestView> & { readonly status: 200 | 202 };

/** The answer of a batch. */
export function presentBatch(results: readonly BatchResult[]): { results: (ErrorAnswer | Accepted)[] } {
  return {
    results: results.map((result) =>
      'error' in result
        ? answerOf(result.error)
        : { status: result.duplicate ? (200 as const) : (202 as const), ...presentIngest(result) },
    ),
  };
}

/**
 * An event with its deliveries, as JSON text. It is assembled by hand so that `data` has exactly the bytes that were
 * sent.
 */
export function presentEvent({ event, history }: EventWithHistory, maxAttempts: number): string {
  const deliveries = event.destinations.map((destination) => {
    return presentDeliveryOfEvent(event._id, destination, history, maxAttempts);
  });
  const before = JSON.stringify({ id: event._id, type: event.type });
  const data = hasData(event) ? dataOf(event).toString('utf8') : 'null';
  const after = JSON.stringify({
    timestamp: event.timestamp,
    idempotency_key: event.idempotency_key,
    ...(event.schema_errors && { schema_errors: event.schema_errors }),
    ...erasedAt(event),
    status: statusOf(event.destinations),
    attempts_total: history.total,
    deliveries,
  });
  return `${before.slice(0, -1)},"data":${data},${after.slice(1)}`;
}

/** An event in a list: without its data and its attempts. */
export function presentListedEvent(event: ListedEvent, maxAttempts: number): z.output<typeof listedEventView> {
  return {
    id: event._id,
    type: event.type,
    timestamp: event.timestamp,
    idempotency_key: event.idempotency_key,
    ...(event.schema_errors && { schema_errors: [...event.schema_errors] }),
    ...erasedAt(event),
    status: statusOf(event.destinations),
    deliveries: event.destinations.map((destination) => presentDeliveryState(event._id, destination, maxAttempts)),
  };
}

function erasedAt({ data_erased_at: at }: Pick<ListedEvent, 'data_erased_at'>) {
  return at && { data_erased_at: at.toISOString() };
}

function statusOf(destinations: readonly Destination[]) {
  return eventStatus(destinations.map(({ state, attempt_count }) => ({ state, attemptCount: attempt_count })));
}
