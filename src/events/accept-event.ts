import { UnprocessableError, type AppError } from '../domain/errors';
import { isOperationalType } from '../domain/event-pattern';
import type { IngestInput } from './ingest-event';

/** An event as a caller sent it: validated, with access to its bytes. */
export interface SentEvent {
  readonly value: { readonly type: string; readonly idempotency_key?: string | undefined };
  raw(name: string): Uint8Array;
}

/**
 * Makes a caller's event one to ingest. Types of Everpost's own are kept for what Everpost has to say, so that a
 * receiver can believe them.
 *
 * @param idempotencyKey null for none; the event's own unless given
 * @returns the error for a reserved type
 */
export function acceptable(
  { value, raw }: SentEvent,
  idempotencyKey = value.idempotency_key ?? null,
): IngestInput | { readonly error: AppError } {
  const error = reservedType(value.type);
  return error ? { error } : { type: value.type, data: raw('data'), idempotencyKey };
}

/** @returns the error for a type that is kept for Everpost's own events */
export function reservedType(type: string): UnprocessableError | undefined {
  if (!isOperationalType(type)) return undefined;
  const message = 'must not begin with "everpost.": these types are kept for events of Everpost itself';
  return new UnprocessableError(`"type" ${message}.`, 'reserved_event_type', [{ path: 'type', message }]);
}
