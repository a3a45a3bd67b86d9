import { Binary, Timestamp, type Collection, type Db, type Document } from 'mongodb';
import { isTooFarAhead } from '../domain/clock-set-back';
import type { StoredBodyForm } from '../domain/body-form';
import type { DeliveryRef, Dispatch, HeldReason } from '../domain/delivery-contract';
import type { DeliveryState } from '../domain/delivery-state';
import type { ErrorDetail } from '../domain/errors';
import { MAX_ENDPOINTS } from '../domain/tiers';
import type { Endpoint } from './endpoint-store';
import { DURABLE, insertAllNew, upsertOnceMore } from '../platform/mongo';
import type { AccountKey } from '../payloads/account-key';
import type { PayloadBox } from '../payloads/payload-box';
import { anyOf, isRouted, writesAlike } from '../platform/mongo-router';
import { createWriteGroup, DATA_PATH_GROUP } from '../platform/write-groups';
import { openEvent, sealEvent, type AtRest } from './sealed-event-store';

/** One destination of an event, with the state of its delivery. */
export interface Destination {
  readonly endpoint_id: string;
  /** The URL when the event was accepted; each attempt stores the URL that it was sent to. */
  readonly url: string;
  readonly state: DeliveryState;
  /** Attempts with an answer in this run. */
  readonly attempt_count: number;
  readonly next_attempt_at: Date | null;
  readonly completed_at: Date | null;
  /** The endpoint's own schedule when the event was accepted, in milliseconds; absent for that of `RETRY_SCHEDULE`. */
  readonly schedule_ms?: readonly number[];
  /** The shape and the masks of its body when the event was accepted; absent for an envelope with all of `data`. */
  readonly body?: StoredBodyForm;
  /** A test makes one attempt, and says nothing about its endpoint's health. */
  readonly test?: true;
  /** 1, and one more with each replay. */
  readonly run: number;
  readonly dispatch: Dispatch;
  /** Set only while it is held. */
  readonly held_for?: HeldReason | null;
  /** Since when it is held. Set only while it is held. */
  readonly held_at?: Date | null;
  /**
   * The gate skips it until then, because the execution that gave it back must end first. Null again after the next
   * attempt.
   */
  readonly look_at?: Date | null;
  /** The process that makes the next attempt, until `claimed_until`; executions don't. */
  readonly claimed_by?: string | null;
  readonly claimed_until?: Date | null;
  /** The bulk replay that started this run. */
  readonly replay_job?: string | null;
  /** How the runs before this one ended: the last of them that was not cancelled, or `cancelled`. Absent in a first run. */
  readonly replayed_from?: DeliveryState;
}

/** An accepted event: the promise itself. Its one insert contains everything that must happen. */
export interface StoredEvent {
  readonly _id: number;
  readonly account_id: string;
  readonly type: string;
  /** The caller's bytes of `data`, unchanged; absent once they were erased. */
  readonly data?: Binary;
  /** Unix seconds of acceptance, as in the delivered body. */
  readonly timestamp: number;
  readonly idempotency_key: string | null;
  /** `<field>:<value>` for each search field of its account; absent if it has none. */
  readonly search?: readonly string[];
  /** Hash of type and data, to recognise a repeat that differs; only with an idempotency key. */
  readonly payload_hash?: string;
  /** W3C `traceparent` of the call that created it; absent if the call belonged to no trace. */
  readonly traceparent?: string;
  /** The key that sent it; absent if no key did. */
  readonly key_id?: string;
  /** Where it does not match the schema of its type; absent if it does, and if that was not checked. */
  readonly schema_errors?: readonly ErrorDetail[];
  /** When its data was erased; absent if it was not. */
  readonly data_erased_at?: Date;
  /** Answers of requests from before the erasure may be recorded until then; then its attempts are erased once more. */
  readonly erase_attempts_until?: Date;
  readonly destinations: readonly Destination[];
  /** Order of acceptance by the database's clock: event ids come in blocks and are not chronological. */
  readonly accepted_at: Timestamp;
  /** When the last destination finished; retention counts from here. */
  readonly finished_at: Date | null;
  /** How long it is kept from then on. Absent in events of earlier versions. */
  readonly retention_ms?: number;
  /** When MongoDB removes it; absent while it is not finished. */
  readonly expires_at?: Date;
  /** How many destinations are not finished. */
  readonly unfinished: number;
}

/** An event whose data was not erased. */
export type WithData<Event extends Pick<StoredEvent, 'data'>> = Event & Required<Pick<StoredEvent, 'data'>>;

/** Whether an event's data is there: false once it was erased. */
export function hasData<Event extends Pick<StoredEvent, 'data'>>(event: Event): event is WithData<Event> {
  return event.data !== undefined;
}

/** An event before the database stamped it. */
export interface NewEvent {
  readonly id: number;
  readonly accountId: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly timestamp: number;
  readonly idempotencyKey: string | null;
  readonly payloadHash: string | null;
  /** By `searchValuesOf`. */
  readonly search: readonly string[];
  readonly traceparent?: string | undefined;
  /** Undefined if no key sent it. */
  readonly keyId?: string | undefined;
  /** Where it does not match the schema of its type; absent if it does, and if that was not checked. */
  readonly schemaErrors?: readonly ErrorDetail[];
  /** How long it is kept after its last destination finished. */
  readonly retentionMs: number;
  readonly destinations: readonly Destination[];
  /** The endpoints of the destinations, in order. Not stored. */
  readonly endpoints: readonly Endpoint[];
  /** The database's clock. Not stored. */
  readonly now: Date;
  /** When it was made, by `performance.now()`: `now` is no later. Not stored. */
  readonly madeAt: number;
}

/**
 * Whether a process makes a destination's next attempt now. The claim was written with the attempt's time: if that is
 * far in the future, the database's clock was set back since, and the claim's end is meaningless.
 */
export function isClaimed(
  { claimed_until: until, next_attempt_at: at }: Pick<Destination, 'claimed_until' | 'next_attempt_at'>,
  now: Date,
): boolean {
  return Boolean(until && until > now && !(at && isTooFarAhead(at.getTime() - now.getTime())));
}

/** A delivery: the known fields of the event, and the destination. */
export interface DeliveryOf<Event> {
  readonly event: Event;
  readonly destination: Destination;
}

/** The fields of an event that the answer to a repeated ingest needs. */
export type EventSummary = Pick<StoredEvent, '_id' | 'type' | 'timestamp'> & {
  readonly destinationCount: number;
  /** Whether a payload with this hash is the event's; true for an event whose data was erased, because that can't be known. */
  readonly hasPayload: (hash: string | null) => boolean;
};

/** The most destinations of an event: an account has no more endpoints at a time, but may replace them. */
export const MAX_DESTINATIONS = MAX_ENDPOINTS;

/** Name of the collection, for the store of deliveries, which updates the destinations. */
export const EVENTS_COLLECTION = 'events';
/** For events with a destination that is due: by account, so that a noisy one is skipped in one step. */
export const BACKLOG_INDEX = { account_id: 1, accepted_at: 1 } as const;
/** For events with a destination that is held: by endpoint, the earliest accepted first. */
export const HELD_INDEX = { 'destinations.dispatch': 1, 'destinations.endpoint_id': 1, accepted_at: 1 } as const;

/** For events with unfinished destinations: the index alone answers how many an account has. */
export const PENDING_INDEX = { account_id: 1, unfinished: 1 } as const;

/**
 * For events with a destination whose next attempt has a time: those of the same time, by id. Finished and held ones have
 * none.
 */
export const OVERDUE_INDEX = { 'destinations.next_attempt_at': 1, _id: 1 } as const;

/** For events with a destination whose last run a bulk replay began: the replay's deliveries by state, and a list. */
export const REPLAYED_INDEX = {
  'destinations.replay_job': 1,
  'destinations.state': 1,
  accepted_at: -1,
  _id: -1,
} as const;

export type EventStore = ReturnType<typeof createEventStore>;

/** Reads and writes events. `DeliveryStore` updates their destinations. */
export function createEventStore(db: Db, payloads: PayloadBox) {
  const events: Collection<AtRest<StoredEvent>> = db.collection(EVENTS_COLLECTION);
  const counters: Collection<{ _id: string; next: number }> = db.collection('counters');
  const insertTogether = (list: readonly AtRest<StoredEvent>[]) => insertAllNew(events, list, DURABLE);
  const inserts = createWriteGroup(insertTogether, DATA_PATH_GROUP);
  return {
    async ensureIndexes(): Promise<void> {
      await events.createIndexes([
        { key: { account_id: 1, accepted_at: -1, _id: -1 } },
        { key: BACKLOG_INDEX, partialFilterExpression: { 'destinations.dispatch': 'due' } },
        { key: HELD_INDEX, partialFilterExpression: { 'destinations.dispatch': 'held' } },
        { key: PENDING_INDEX, partialFilterExpression: { unfinished: { $gt: 0 } } },
        { key: REPLAYED_INDEX, partialFilterExpression: { 'destinations.replay_job': { $gt: '' } } },
        { key: OVERDUE_INDEX, partialFilterExpression: { 'destinations.next_attempt_at': { $gt: new Date(0) } } },
      ]);
    },
    /**
     * Reserves ids `[first, first + count)` permanently, whether they are used or not. They are above the microseconds
     * since 1970 by the database's clock, so even a counter that a restore has set back gives out no id twice.
     */
    async reserveIds(count: number): Promise<number> {
      const counter = await upsertOnceMore(() =>
        counters.findOneAndUpdate({ _id: 'event_id' }, [{ $set: { next: { $add: [LAST_ID, count] } } }], {
          upsert: true,
          returnDocument: 'after',
          writeConcern: DURABLE,
        }),
      );
      return counter!.next - count + 1;
    },
    /** Opened, if it is sealed. */
    async find(id: number): Promise<StoredEvent | null> {
      const event = await events.findOne({ _id: id });
      return event && openEvent<StoredEvent>(payloads, event);
    },
    /**
     * Seals the events and inserts them durably: a majority has them in its journal. One event shares its write with those of other calls;
     * several are one write, so that they are accepted in order.
     *
     * @param signal aborts the insert unless it was already sent
     * @returns for each, whether it was inserted: false if the id is taken
     */
    async insert(list: readonly NewEvent[], signal?: AbortSignal): Promise<readonly boolean[]> {
      const sealed = await Promise.all(list.map((event) => sealEvent(payloads, toDocument(event))));
      const [first, ...others] = sealed;
      if (!first) return [];
      if (others.length === 0) return [await inserts.add(first, signal)];
      signal?.throwIfAborted();
      if (!isRouted(events) || !list.some(isForOrdered)) return insertTogether(sealed);
      // Shards stamp the parts of one write side by side. The client passes on the time of each answer with the next write.
      const inserted: boolean[] = [];
      for (const event of sealed) inserted.push(...(await insertTogether([event])));
      return inserted;
    },
    /** The events of an account as a majority has them, which no failover reverts. */
    async findSummaries(accountId: string, ids: readonly number[]): Promise<EventSummary[]> {
      const [found, key] = await Promise.all([
        events.find({ _id: { $in: [...ids] } }, { projection: SUMMARY, readConcern: { level: 'majority' } }).toArray(),
        payloads.findKey(accountId),
      ]);
      return found.map((event) => summaryOf(event, key));
    },
  };
}

/** How many unfinished deliveries an account has: of `limit` events at most, by the index alone. */
export async function sumUnfinished(
  events: Collection<StoredEvent>,
  accountId: string,
  limit: number,
): Promise<number> {
  const [found] = await events
    .aggregate<{ deliveries: number }>(
      [
        { $match: { account_id: accountId, unfinished: { $gt: 0 } } },
        { $project: { _id: 0, unfinished: 1 } },
        { $limit: limit },
        { $group: { _id: null, deliveries: { $sum: '$unfinished' } } },
      ],
      { hint: PENDING_INDEX },
    )
    .toArray();
  return found?.deliveries ?? 0;
}

/** The last id given out, or one that no correct clock has reached before: below 2^53 until the year 2255. */
const LAST_ID = { $max: ['$next', { $multiply: [{ $toLong: '$$NOW' }, 1_000] }] } as const;

const SUMMARY = { type: 1, timestamp: 1, payload_hash: 1, 'destinations.endpoint_id': 1 } as const;

function summaryOf(event: AtRest<StoredEvent>, key: AccountKey | null): EventSummary {
  const { _id, type, timestamp, payload_hash: stored, destinations } = event;
  return {
    ...{ _id, type, timestamp },
    destinationCount: destinations.length,
    hasPayload: (hash) => stored === undefined || stored === hash || (hash !== null && stored === key?.hashToken(hash)),
  };
}

/** The filter of these deliveries' events. */
export function eventsOf(refs: readonly DeliveryRef[]) {
  return { _id: anyOf(refs.map(({ eventId }) => eventId)) };
}

/** The writes that change these deliveries alike. @param toUpdate the update of some of them */
export function changesOf(
  events: Collection<StoredEvent>,
  refs: readonly DeliveryRef[],
  toUpdate: (refs: readonly DeliveryRef[]) => Document[],
) {
  const write = (some: readonly DeliveryRef[]) => ({ filter: eventsOf(some), update: toUpdate(some) });
  return writesAlike(events, refs, ({ eventId }) => eventId, write);
}

function isForOrdered({ endpoints }: NewEvent): boolean {
  return endpoints.some(({ options }) => options?.ordered);
}

/** The event as stored; the server sets `accepted_at`. */
export function toDocument(event: NewEvent): WithData<StoredEvent> {
  // Without a destination there is nothing to wait for.
  const finishedAt = event.destinations.length === 0 ? new Date(event.timestamp * 1_000) : null;
  return {
    _id: event.id,
    account_id: event.accountId,
    type: event.type,
    data: new Binary(event.data),
    timestamp: event.timestamp,
    idempotency_key: event.idempotencyKey,
    ...(event.search.length > 0 && { search: event.search }),
    ...(event.payloadHash !== null && { payload_hash: event.payloadHash }),
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    ...(event.keyId !== undefined && { key_id: event.keyId }),
    ...(event.schemaErrors && { schema_errors: event.schemaErrors }),
    destinations: event.destinations,
    unfinished: event.destinations.length,
    // The server replaces an empty top-level timestamp by its own clock and a counter within the second.
    accepted_at: new Timestamp({ t: 0, i: 0 }),
    finished_at: finishedAt,
    retention_ms: event.retentionMs,
    ...(finishedAt && { expires_at: new Date(finishedAt.getTime() + event.retentionMs) }),
  };
}
