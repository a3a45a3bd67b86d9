import type { Dispatcher } from '../engine/dispatcher';
import { TooManyRequestsError } from '../domain/errors';
import type { EndpointCache } from '../endpoints/endpoint-cache';
import type { DeliveryBudget } from '../limits/delivery-budget';
import type { StorageBudget } from '../limits/storage-budget';
import type { Endpoint } from '../stores/endpoint-store';
import { toDocument, type EventStore, type EventSummary, type NewEvent } from '../stores/event-store';
import type { IdempotencyStore, KeyReservation } from '../stores/idempotency-store';
import type { CheckEvents } from '../event-types/check-events';
import { draftEvents, type BatchItem, type DraftDeps, type Refusal } from './draft-events';
import { outcomeUnknown } from './ingest-admission';
import { newEvent, type Caller, type IngestInput } from './new-event';

/** What an ingest needs. */
export interface IngestDeps extends DraftDeps {
  readonly events: EventStore;
  readonly idempotency: IdempotencyStore;
  readonly endpointCache: EndpointCache;
  readonly dispatcher: Pick<Dispatcher, 'placeFor' | 'accept'>;
  readonly budget: Pick<DeliveryBudget, 'take' | 'takeNow' | 'giveBack'>;
  readonly storage: StorageBudget;
  /** Checks events against the catalog of event types. */
  readonly checkEvents: CheckEvents;
  /** Called with each new event that does not match the catalog. */
  readonly onSchemaErrors?: (event: NewEvent) => void;
}

/** The result of an ingest. */
export interface IngestResult {
  readonly id: number;
  readonly type: string;
  readonly timestamp: number;
  readonly duplicate: boolean;
  readonly deliveries: number;
  /** The repeat's type or data differ from the original's. */
  readonly payloadMismatch: boolean;
}

/** The result for one event of a batch. */
export type BatchResult = IngestResult | Refusal;

/**
 * Accepts an event: matches its destinations, and writes the event with all of them in one durable insert. When this
 * resolves, the event is stored, whatever is killed next.
 *
 * A repeat inside the idempotency window resolves to the original; of any number of concurrent calls with one key,
 * exactly one creates the event. A call that finds the record of a key without its event (the process died between the
 * two) creates the event with the recorded id.
 *
 * Rejects when MongoDB can't store the event now; then nothing was acknowledged.
 *
 * @param signal aborts the ingest unless the event was already sent to MongoDB
 * @throws TooManyRequestsError for a new event when the account's deliveries of the minute are used up
 */
export async function ingestEvent(
  deps: IngestDeps,
  caller: Caller,
  input: IngestInput,
  signal?: AbortSignal,
): Promise<IngestResult> {
  return onlyOf(await ingestBatch(deps, caller, [input], signal));
}

/**
 * Accepts an event for one of the caller's endpoints, whatever its patterns and filter.
 *
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 */
export async function ingestTo(
  deps: IngestDeps,
  caller: Caller,
  endpoint: Endpoint,
  input: IngestInput,
): Promise<IngestResult> {
  const event = newEvent(deps, await deps.eventIds.next(), caller, input, [endpoint]);
  const [settled] = await settle(deps, [event], deps.budget.takeNow);
  return onlyOf([settled!.result]);
}

/**
 * Accepts many events, each like `ingestEvent`, in a handful of round trips whatever their number: their keys are
 * reserved together, and one durable write inserts and orders them.
 *
 * Of events with one idempotency key the first is the original, also within the batch.
 *
 * @param signal aborts the batch unless its events were already sent to MongoDB
 * @returns the result of each event; a refused event does not affect the others, except that they share the account's
 *   budget of deliveries. Rejects when MongoDB can't store the events now; then nothing was acknowledged, and sending
 *   the batch again ingests no event with a key twice.
 */
export async function ingestBatch(
  deps: IngestDeps,
  caller: Caller,
  items: readonly BatchItem[],
  signal?: AbortSignal,
): Promise<BatchResult[]> {
  const endpoints = await deps.endpointCache.endpointsOf(caller.accountId, caller.endpointsVersion);
  // Before keys are reserved, so a repeat of a refused event is checked again.
  const checked = await deps.checkEvents(caller, items);
  signal?.throwIfAborted();
  const drafts = await draftEvents(deps, caller, { items: checked, endpoints }, signal);
  const leaders = new Map<NewEvent | string, NewEvent>();
  for (const draft of drafts) {
    if ('error' in draft) continue;
    const key = draft.idempotencyKey ?? draft;
    if (!leaders.has(key)) leaders.set(key, draft);
  }
  const events = [...leaders.values()];
  const settled = await settle(deps, events, deps.budget.take, signal);
  return drafts.map((draft) => {
    if ('error' in draft) return draft;
    const leader = leaders.get(draft.idempotencyKey ?? draft)!;
    const { result, hasPayload } = settled[events.indexOf(leader)]!;
    if (draft === leader || 'error' in result) return result;
    return { ...result, duplicate: true, payloadMismatch: !hasPayload(draft.payloadHash) };
  });
}

/** The result of an event that later events of the batch may repeat. */
interface Settled {
  readonly result: BatchResult;
  /** Whether a payload with this hash is the original's. */
  readonly hasPayload: (hash: string | null) => boolean;
}

/**
 * Reserves the keys of, counts and inserts events, of which no two have the same key.
 *
 * @param take counts their deliveries in the account's budget
 */
async function settle(
  deps: IngestDeps,
  drafts: readonly NewEvent[],
  take: DeliveryBudget['take'],
  signal?: AbortSignal,
): Promise<Settled[]> {
  const events = await reserveKeys(deps, drafts, signal);
  const reservedBefore = events.filter(({ id }, index) => id !== drafts[index]!.id);
  const originals = await findOriginals(deps, reservedBefore);
  const fresh = events.filter(({ id }) => !originals.has(id));
  const refusals = await countAll(deps, take, fresh);
  const accepted = fresh.filter((event) => !refusals.has(event));
  const inserted = await insertAll(deps, accepted, reservedBefore, signal);
  const settleOne = async (event: NewEvent): Promise<Settled> => {
    const original = originals.get(event.id);
    if (original) return { result: repeatOf(original, event.payloadHash), hasPayload: original.hasPayload };
    const hasPayload = (hash: string | null): boolean => hash === event.payloadHash;
    const error = refusals.get(event);
    if (error) return { result: { error }, hasPayload };
    if (inserted.has(event)) return { result: startDeliveries(deps, event), hasPayload };
    // Other events of the batch are already stored, so an error of this one is the result for this one only.
    return { result: await settleTaken(deps, event).catch((reason: unknown) => ({ error: reason })), hasPayload };
  };
  return Promise.all(events.map(settleOne));
}

/** The events with the ids that their keys stand for; an event without a key keeps its own id. */
async function reserveKeys(
  { idempotency }: IngestDeps,
  events: readonly NewEvent[],
  signal: AbortSignal | undefined,
): Promise<NewEvent[]> {
  const ids = await idempotency.reserve(reservationsOf(events), signal);
  return events.map((event) => (event.idempotencyKey === null ? event : { ...event, id: ids.shift()! }));
}

function reservationsOf(events: readonly NewEvent[]): KeyReservation[] {
  return events.flatMap(({ accountId, idempotencyKey: key, id, now }) =>
    key === null ? [] : [{ accountId, key, eventId: id, now }],
  );
}

/** The originals of events whose keys were reserved before, by id. */
async function findOriginals(
  { events }: IngestDeps,
  repeats: readonly NewEvent[],
): Promise<ReadonlyMap<number, EventSummary>> {
  // A key without an event was reserved by a process that died: the event is created with that id.
  const [first] = repeats;
  if (!first) return new Map();
  const found = await events.findSummaries(
    first.accountId,
    repeats.map(({ id }) => id),
  );
  return new Map(found.map((summary) => [summary._id, summary]));
}

/**
 * Counts the data and the deliveries of events in the account's budgets, in order. If an event is refused here, the next
 * call with its key creates it with the key's id.
 *
 * @returns the refused events, with the reasons
 */
async function countAll(
  { storage }: IngestDeps,
  take: DeliveryBudget['take'],
  events: readonly NewEvent[],
): Promise<ReadonlyMap<NewEvent, TooManyRequestsError>> {
  const refused = new Map<NewEvent, TooManyRequestsError>();
  let refusal: TooManyRequestsError | undefined;
  for (const event of events) {
    const { accountId, destinations, data, now } = event;
    const isFull = await refusalOf(storage.take(accountId, data.byteLength, now));
    if (isFull) {
      refused.set(event, isFull);
      continue;
    }
    refusal ??= await refusalOf(take(accountId, destinations.length));
    if (!refusal || destinations.length === 0) continue;
    refused.set(event, refusal);
    await storage.giveBack(accountId, data.byteLength);
  }
  return refused;
}

/** The refusal that a budget throws; undefined if it throws none. */
function refusalOf(taken: Promise<void>): Promise<TooManyRequestsError | undefined> {
  return taken.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof TooManyRequestsError) return error;
      throw error;
    },
  );
}

/**
 * Inserts events that were counted. Events that are not inserted are no longer counted.
 *
 * @param reservedBefore events whose keys were reserved by an earlier call, which was refused or died
 * @returns those that were inserted
 */
async function insertAll(
  { events, budget, storage, idempotency }: IngestDeps,
  list: readonly NewEvent[],
  reservedBefore: readonly NewEvent[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<NewEvent>> {
  const inserted = new Set<NewEvent>();
  try {
    // A repeat is recognised for a whole window after the event was accepted.
    await idempotency.renew(reservationsOf(list.filter((event) => reservedBefore.includes(event))));
    const isInserted = await events.insert(list, signal);
    for (const [index, event] of list.entries()) if (isInserted[index]) inserted.add(event);
    return inserted;
  } finally {
    for (const event of list) {
      if (inserted.has(event)) continue;
      budget.giveBack(event.accountId, event.destinations.length);
      await storage.giveBack(event.accountId, event.data.byteLength);
    }
  }
}

/**
 * Finds the result of an event whose id is taken: another call created it with the same key a moment ago. The refused
 * insert has waited until a majority has that event.
 *
 * @throws UnavailableError if a newly elected primary does not show yet what a majority has
 */
async function settleTaken(deps: IngestDeps, event: NewEvent): Promise<IngestResult> {
  if (event.idempotencyKey === null) {
    // Ids are never given out twice; the unique index is a safeguard if that ever fails.
    const renamed = { ...event, id: await deps.eventIds.next() };
    const [isInserted] = await deps.events.insert([renamed]);
    return isInserted ? startDeliveries(deps, renamed) : settleTaken(deps, event);
  }
  const original = (await findOriginals(deps, [event])).get(event.id);
  if (!original) throw outcomeUnknown();
  return repeatOf(original, event.payloadHash);
}

/** The answer to a repeat: the original's values. */
function repeatOf(original: EventSummary, payloadHash: string | null): IngestResult {
  return {
    id: original._id,
    type: original.type,
    timestamp: original.timestamp,
    duplicate: true,
    deliveries: original.destinationCount,
    // Compared with the event itself: the insert decides which of two calls with one key created it.
    payloadMismatch: !original.hasPayload(payloadHash),
  };
}

/** Starts or attempts the deliveries of a stored event. */
function startDeliveries({ dispatcher, onSchemaErrors }: IngestDeps, event: NewEvent): IngestResult {
  const { id, type, timestamp, destinations } = event;
  const stored = toDocument(event);
  if (event.schemaErrors) onSchemaErrors?.(event);
  for (const [index, destination] of destinations.entries())
    dispatcher.accept({ event: stored, destination }, event.endpoints[index]!, event);
  return { id, type, timestamp, duplicate: false, deliveries: destinations.length, payloadMismatch: false };
}

function onlyOf([result]: readonly BatchResult[]): IngestResult {
  if ('error' in result!) throw result.error;
  return result!;
}
