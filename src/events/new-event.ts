import { createHash } from 'node:crypto';
import type { Dispatcher } from '../engine/dispatcher';
import type { Actor } from '../domain/audit-actions';
import { storedBodyFormOf, type BodyShape } from '../domain/body-form';
import { UnprocessableError, type ErrorDetail } from '../domain/errors';
import type { EventTypeMode } from '../domain/event-type-modes';
import { isOperationalType } from '../domain/event-pattern';
import { requireRetention, retentionOf } from '../domain/retention';
import { ownSchedule, type RetrySchedule } from '../domain/retry-schedule';
import { searchValuesOf } from '../domain/search-values';
import { SpanKind, startSpan, traceparentOf } from '../platform/tracing';
import type { Endpoint } from '../stores/endpoint-store';
import type { Destination, NewEvent } from '../stores/event-store';

/** The owner of the event, as admitted by the limiter. */
export interface Caller {
  readonly accountId: string;
  readonly endpointsVersion: number;
  /** The fields of `data` by which its events are found. */
  readonly searchFields: readonly string[];
  /** The shape of bodies of endpoints without their own; undefined for the envelope. */
  readonly defaultBody: BodyShape | undefined;
  /** What an ingest does with types that the catalog does not know; undefined: as the installation says. */
  readonly eventTypes: EventTypeMode | undefined;
  /** How many days its finished events are kept; undefined: as long as the installation keeps them. */
  readonly retentionDays: number | undefined;
  /** The database's clock. */
  readonly now: Date;
  /** The trace of the call. */
  readonly traceparent?: string | undefined;
  /** Who it is. */
  readonly actor?: Pick<Actor, 'type' | 'id'>;
}

/** A validated event, with the exact bytes of its `data`. */
export interface IngestInput {
  readonly type: string;
  readonly data: Uint8Array;
  readonly idempotencyKey: string | null;
  /** How many days it is kept after it finished; absent: as its account says. */
  readonly retentionDays?: number | undefined;
  /** A test of one endpoint. */
  readonly isTest?: true;
  /** Where it does not match the schema of its type, for an account that only wants to know. */
  readonly schemaErrors?: readonly ErrorDetail[];
}

/** An event as a caller sent it: validated, with access to its bytes. */
interface SentEvent {
  readonly value: {
    readonly type: string;
    readonly idempotency_key?: string | undefined;
    readonly retention_days?: number | undefined;
  };
  raw(name: string): Uint8Array;
}

/**
 * Turns a caller's event into the input of an ingest.
 *
 * @param idempotencyKey null for none; the event's own by default
 * @throws UnprocessableError for a reserved type, and for more days than the installation keeps events
 */
export function inputOf(
  { retentionMs }: Pick<NewEventDeps, 'retentionMs'>,
  { value, raw }: SentEvent,
  idempotencyKey = value.idempotency_key ?? null,
): IngestInput {
  const { type, retention_days: retentionDays } = value;
  refuseReservedType(type);
  requireRetention(retentionDays, retentionMs);
  return { type, data: raw('data'), idempotencyKey, retentionDays };
}

/** @throws UnprocessableError for a reserved type: receivers can trust that such events come from Everpost */
export function refuseReservedType(type: string): void {
  if (!isOperationalType(type)) return;
  const message = 'must not begin with "everpost.": these types are reserved for events of Everpost itself';
  throw new UnprocessableError(`"type" ${message}.`, 'reserved_event_type', [{ path: 'type', message }]);
}

/** What an event before it is stored needs. */
export interface NewEventDeps {
  /** `placeFor`: the first state of each delivery. */
  readonly dispatcher: Pick<Dispatcher, 'placeFor'>;
  /** How long the installation keeps a finished event. */
  readonly retentionMs: number;
}

/** An event with a destination for each endpoint, before it is stored. */
export function newEvent(
  { dispatcher: { placeFor }, retentionMs }: NewEventDeps,
  id: number,
  { accountId, searchFields, defaultBody, retentionDays, now, traceparent, actor }: Caller,
  input: IngestInput,
  endpoints: readonly Endpoint[],
): NewEvent {
  const isTest = input.isTest ?? false;
  const destinations = endpoints.map((endpoint) => newDestination(placeFor, endpoint, { now, isTest, defaultBody }));
  return {
    ...input,
    id,
    accountId,
    timestamp: Math.floor(now.getTime() / 1_000),
    search: searchValuesOf(searchFields, input.data),
    traceparent: traceparent ?? beginTrace(),
    keyId: actor?.type === 'key' ? (actor.id ?? undefined) : undefined,
    payloadHash: input.idempotencyKey === null ? null : hashPayload(input),
    retentionMs: retentionOf(input.retentionDays ?? retentionDays, retentionMs),
    destinations,
    endpoints,
    now,
    madeAt: performance.now(),
  };
}

/** A test's one attempt, at once: a second one would test nothing new. */
const TEST_SCHEDULE: RetrySchedule = [0];

/**
 * A destination before its first attempt. Its own schedule, and the shape and masks of its body, are stored with it: a
 * later change of the endpoint applies to later events.
 *
 * @param now the database's clock
 */
export function newDestination(
  placeFor: Dispatcher['placeFor'],
  endpoint: Endpoint,
  { now, defaultBody, isTest = false }: Pick<Caller, 'now' | 'defaultBody'> & { readonly isTest?: boolean },
): Destination {
  const ofEndpoint = endpoint.options?.retry_schedule;
  const body = storedBodyFormOf(endpoint.options, defaultBody);
  const own = isTest ? TEST_SCHEDULE : ofEndpoint && ownSchedule(ofEndpoint);
  return {
    endpoint_id: endpoint._id,
    url: endpoint.url,
    state: 'pending',
    attempt_count: 0,
    completed_at: null,
    run: 1,
    ...(own && { schedule_ms: own }),
    ...(body && { body }),
    ...(isTest && { test: true }),
    ...placeFor({ endpoint, own, now }),
  };
}

/** The trace of an event that no traced call creates. @returns undefined while tracing is off */
function beginTrace(): string | undefined {
  const span = startSpan('accept event', { kind: SpanKind.PRODUCER }, undefined);
  span.end();
  return traceparentOf(span);
}

/** Equal for payloads that differ only in the white space between JSON tokens. */
function hashPayload({ type, data }: IngestInput): string {
  const compact = Buffer.from(data).toString().replaceAll(STRING_OR_SPACE, '$1');
  return createHash('sha256').update(type).update('\n').update(compact).digest('base64url');
}

const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;
