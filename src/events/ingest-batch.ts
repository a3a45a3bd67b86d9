import { AppError, TooManyRequestsError } from '../domain/errors';
import type { Endpoint } from '../record/endpoint-store';
import {
  accepted,
  insertNew,
  newEvent,
  repeatOf,
  repeatOfTaken,
  type Caller,
  type IngestDeps,
  type IngestInput,
  type IngestResult,
} from './ingest-event';
import { matchDestinations } from './match-destinations';
import type { EventSummary, NewEvent } from '../record/event-store';

/** An event of a batch, or why it can't be one. */
export type BatchItem = IngestInput | Refusal;

/** What became of an event of a batch. */
export type BatchResult = IngestResult | Refusal;

interface Refusal {
  readonly error: unknown;
}

/** What became of an event that others of the batch may repeat. */
interface Settled {
  readonly result: BatchResult;
  readonly payloadHash: string | null;
}

/**
 * Accepts many events, each as `ingestEvent` would, in a handful of round trips whatever their number: they are
 * claimed together, and inserted in one durable write that stamps them in their order.
 *
 * Of events with one idempotency key the first is the original, also within the batch.
 *
 * @param signal gives the batch up, as long as its events are not sent to MongoDB
 * @returns what became of each; an event that is refused stops no other, but for the account's budget of deliveries
 * Rejects when MongoDB can't keep the promise now; nothing was acknowledged then, and sending the batch again ingests
 * no event with a key twice.
 */
export async function ingestBatch(
  deps: IngestDeps,
  caller: Caller,
  items: readonly BatchItem[],
  signal?: AbortSignal,
): Promise<BatchResult[]> {
  const endpoints = await deps.endpointCache.endpointsOf(caller.accountId, caller.endpointsVersion);
  const drafts = [];
  for (const item of items) drafts.push(await draftOf(deps, caller, item, endpoints));

  const leaders = new Map<NewEvent | string, NewEvent>();
  for (const draft of drafts) {
    if (!('error' in draft) && !leaders.has(draft.idempotencyKey ?? draft)) {
      leaders.set(draft.idempotencyKey ?? draft, draft);
    }
  }
  const settled = await settle(deps, [...leaders.values()], signal);
  return drafts.map((draft) => {
    if ('error' in draft) return draft;
    const leader = leaders.get(draft.idempotencyKey ?? draft)!;
    const { result, payloadHash } = settled.get(leader)!;
    if (draft === leader || 'error' in result) return result;
    return { ...result, duplicate: true, payloadMismatch: payloadHash !== draft.payloadHash };
  });
}

async function draftOf(
  deps: IngestDeps,
  caller: Caller,
  item: BatchItem,
  endpoints: readonly Endpoint[],
): Promise<NewEvent | Refusal> {
  if ('error' in item) return item;
  try {
    return newEvent(deps, await deps.eventIds.next(), caller, item, matchDestinations(endpoints, item));
  } catch (error) {
    if (error instanceof AppError) return { error };
    throw error;
  }
}

/** Settles events, of which no two have one key. */
async function settle(
  deps: IngestDeps,
  events: readonly NewEvent[],
  signal: AbortSignal | undefined,
): Promise<Map<NewEvent, Settled>> {
  const ids = await claimIds(deps, events);
  const originals = await findOriginals(deps, events, ids);
  const isNew = (event: NewEvent): boolean => !originals.has(event);

  const settled = new Map<NewEvent, Settled>();
  const refused = await countAll(deps, events.filter(isNew));
  for (const [event, error] of refused) settled.set(event, { result: { error }, payloadHash: event.payloadHash });
  const fresh = events
    .filter((event) => isNew(event) && !refused.has(event))
    .map((event) => ({ event, reserved: { ...event, id: ids.get(event) ?? event.id } }));
  const inserted = await insertAll(
    deps,
    fresh.map(({ reserved }) => reserved),
    signal,
  );
  for (const [event, original] of originals) {
    const payloadHash = original.payload_hash ?? null;
    settled.set(event, { result: repeatOf(original, event.payloadHash), payloadHash });
  }
  for (const [index, { event, reserved }] of fresh.entries()) {
    // From here on some of the batch are kept: what goes wrong with one of them is the answer to that one.
    const result = inserted[index]
      ? accepted(deps, reserved)
      : await settleTaken(deps, reserved).catch((error: unknown) => ({ error }));
    settled.set(event, { result, payloadHash: event.payloadHash });
  }
  return settled;
}

/**
 * Counts the deliveries of events in the account's budget, in their order.
 *
 * @returns the events that did not fit, and why
 */
async function countAll({ budget }: IngestDeps, events: readonly NewEvent[]): Promise<Map<NewEvent, Error>> {
  const refused = new Map<NewEvent, Error>();
  let refusal: TooManyRequestsError | undefined;
  for (const event of events) {
    const { accountId, destinations } = event;
    if (!refusal) {
      await budget.take(accountId, destinations.length).catch((error: unknown) => {
        if (!(error instanceof TooManyRequestsError)) throw error;
        refusal = error;
      });
    }
    if (refusal && destinations.length > 0) refused.set(event, refusal);
  }
  return refused;
}

/** Inserts events that were counted. Those that are not inserted count no more. */
async function insertAll(
  { events, budget }: IngestDeps,
  list: readonly NewEvent[],
  signal: AbortSignal | undefined,
): Promise<boolean[]> {
  let inserted: boolean[] = [];
  try {
    signal?.throwIfAborted();
    inserted = await events.insertAll(list);
    return inserted;
  } finally {
    for (const [index, { accountId, destinations }] of list.entries()) {
      if (!inserted[index]) budget.giveBack(accountId, destinations.length);
    }
  }
}

/** The ids that the events' keys stand for; an event without a key has its own. */
async function claimIds(deps: IngestDeps, events: readonly NewEvent[]): Promise<Map<NewEvent, number>> {
  const keyed = events.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const claims = keyed.map(({ id, idempotencyKey }) => ({ key: idempotencyKey!, eventId: id }));
  const ids = await deps.idempotency.claimAll(events[0]?.accountId ?? '', claims);
  return new Map(keyed.map((event, index) => [event, ids[index]!]));
}

/** Which of the events are repeats, and of what. */
async function findOriginals(
  deps: IngestDeps,
  events: readonly NewEvent[],
  ids: ReadonlyMap<NewEvent, number>,
): Promise<Map<NewEvent, EventSummary>> {
  const claimedBefore = events.filter((event) => (ids.get(event) ?? event.id) !== event.id);
  if (claimedBefore.length === 0) return new Map();
  const found = await deps.events.findSummaries(claimedBefore.map((event) => ids.get(event)!));
  const byId = new Map(found.map((summary) => [summary._id, summary]));
  const originals = new Map<NewEvent, EventSummary>();
  for (const event of claimedBefore) {
    const original = byId.get(ids.get(event)!);
    // Without its event, a key was claimed by somebody who died: it is made good under that id.
    if (original) originals.set(event, original);
  }
  return originals;
}

/** An event whose id is taken: somebody else created it under the same key a moment ago. */
function settleTaken(deps: IngestDeps, event: NewEvent): Promise<IngestResult> {
  return event.idempotencyKey === null ? insertNew(deps, event) : repeatOfTaken(deps, event);
}
