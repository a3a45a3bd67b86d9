import type { Collection, Db, Document, WriteConcern } from 'mongodb';
import type { AttemptInput, DeliveryRef, HeldReason } from '../domain/delivery-contract';
import { ON_TIME_MS } from '../domain/retention';
import type { Endpoint } from './endpoint-store';
import { changesOf, EVENTS_COLLECTION, eventsOf, type DeliveryOf, type StoredEvent } from './event-store';
import type { PayloadBox } from '../payloads/payload-box';
import { createReadGroup, DURABLE, FAST } from '../platform/mongo';
import { createWriteGroup, DATA_PATH_GROUP, type WriteGroup } from '../platform/write-groups';
import { createAttemptExpiryStore } from './attempt-expiry-store';
import { createAttemptStore, type RecordedAnswer, type StoredAnswer } from './attempt-store';
import { answerUpdate, holdUpdate, releasePromisesUpdate, settledUpdate, startedUpdate } from './delivery-updates';
import { createHeldStore } from './held-store';
import { createDeliveryOperations } from './operations-store';
import { openEvent, WITH_DATA, type AtRest } from './sealed-event-store';

/** A delivery with the fields of its event that an attempt needs. */
export type LoadedDelivery = DeliveryOf<LoadedEvent>;

/** A delivery and its endpoint, as an attempt needs them. */
export interface KnownDelivery {
  readonly delivery: LoadedDelivery;
  readonly endpoint: Endpoint;
}

type LoadedEvent = Pick<
  StoredEvent,
  '_id' | 'account_id' | 'type' | 'data' | 'timestamp' | 'retention_ms' | 'traceparent' | 'key_id' | 'destinations'
> & {
  /** The database's clock when it was read. */
  readonly now?: Date;
};

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/**
 * Claims and records attempts, and changes the states of deliveries.
 *
 * @param leaseMs how long a claim of this process lasts (`claimLeaseMs`)
 * @param retentionMs how long the installation keeps a finished event
 */
export function createDeliveryStore(db: Db, leaseMs: number, retentionMs: number, payloads: PayloadBox) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const { answer: writeAnswer, ...attempts } = createAttemptStore(db, leaseMs, retentionMs + ON_TIME_MS, payloads);
  const expiry = createAttemptExpiryStore(db, retentionMs);
  const { moves, starts, holds } = groupedUpdates(events);
  const loads = createReadGroup<StoredEvent, AtRest<LoadedEvent>>(events, {
    ...WITH_DATA,
    type: 1,
    timestamp: 1,
    retention_ms: 1,
    traceparent: 1,
    key_id: 1,
    destinations: 1,
    now: '$$NOW',
  });
  const states = createReadGroup<StoredEvent, Pick<StoredEvent, '_id' | 'destinations'>>(events, { destinations: 1 });
  /** Updates the delivery for an answer that is already in the history. */
  const applyAnswer = (
    input: AttemptInput,
    { succeeded, next_delay_ms: nextDelayMs }: Pick<StoredAnswer, 'succeeded' | 'next_delay_ms'>,
  ): Promise<void> => {
    const move = { number: input.number, nextDelayMs: nextDelayMs ?? input.nextDelayMs, succeeded };
    return moves.add({ ref: input, how: input.express ? { ...move, staysDue: true } : move });
  };
  return {
    ...attempts,
    ...createDeliveryOperations(events, expiry),
    ...createHeldStore(events, leaseMs),
    applyAnswer,
    /** Updates the delivery for an answer that an earlier call recorded, and may not have applied. */
    async applyAgain(input: AttemptInput, answer: RecordedAnswer, { event }: LoadedDelivery): Promise<void> {
      await expiry.beforeAnswer(event, delayAfter(input, answer));
      await applyAnswer(input, answer);
    },
    /**
     * @returns null if the event or its destination is gone
     * @throws UnavailableError `encryption_key_missing` if this process can't open it
     */
    async load(ref: DeliveryRef): Promise<LoadedDelivery | null> {
      const event = await loads.add(ref.eventId);
      const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === ref.endpointId);
      return event && destination ? { event: await openEvent<LoadedEvent>(payloads, event), destination } : null;
    },
    /**
     * Records an answer and updates the delivery, durably; a second time changes nothing.
     *
     * @param of `event`: that of the delivery; `isNew`: the claim is part of the event's insert
     */
    async record(
      input: AttemptInput,
      answer: StoredAnswer,
      { event, isNew }: { readonly event: LoadedEvent; readonly isNew: boolean },
    ): Promise<void> {
      const expiresAt = await expiry.beforeAnswer(event, delayAfter(input, answer));
      // One after the other: a crash may leave an answer without its state, which the next call for the attempt
      // repairs. A state without its answer would never be repaired.
      // If another process's answer is stored, the state follows that one.
      await applyAnswer(input, await writeAnswer({ input, answer, expiresAt, accountId: event.account_id, isNew }));
    },
    /**
     * Records that everything that follows from a failed delivery's last answer is done. Until then an express one stays
     * due: if its process dies, the sweeper has the attempt repeated, which finds its answer and does the rest. A lost
     * record costs one more repetition.
     */
    async settled(ref: DeliveryRef): Promise<void> {
      await events.updateOne(eventsOf([ref]), settledUpdate(ref), { writeConcern: FAST });
    },
    /**
     * Records that the run's workflow was started, unless the delivery was given back since.
     *
     * @param givenBack the `look_at` that the destination had before the start
     */
    markStarted: (ref: DeliveryRef, givenBack?: Date) => starts.add({ ref, how: givenBack ?? null }),
    /**
     * Takes the start of a delivery that an execution gave back. If the process dies before it starts the next one, the
     * delivery is overdue without an execution, which the sweeper finds.
     *
     * @param givenBack the `look_at` of the destination
     * @returns false if another process has taken it
     */
    async takeStart(ref: DeliveryRef, givenBack: Date): Promise<boolean> {
      const update = startedUpdate([ref], givenBack);
      return (await events.updateOne(eventsOf([ref]), update, { writeConcern: FAST })).modifiedCount === 1;
    },
    /** Makes the delivery wait for its endpoint's gate, unless it is finished. */
    hold: (ref: DeliveryRef, reason: HeldReason) => holds.add({ ref, how: reason }),
    /** Releases this process's claims from the events' inserts: nothing was sent. */
    async releasePromises(refs: readonly DeliveryRef[]): Promise<void> {
      if (refs.length === 0) return;
      await events.bulkWrite(changesOf(events, refs, releasePromisesUpdate), { ordered: false, writeConcern: FAST });
    },
    /** Whether the run must still be sent or started. */
    async isDue({ eventId, endpointId, run }: DeliveryRef): Promise<boolean> {
      const event = await states.add(eventId);
      const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
      return destination?.dispatch === 'due';
    },
  };
}

/** The wait before the next attempt, in milliseconds; 0 if there may be none. */
function delayAfter({ nextDelayMs }: AttemptInput, { succeeded, next_delay_ms: longer }: RecordedAnswer): number {
  return succeeded ? 0 : (longer ?? nextDelayMs ?? 0);
}

/** Only the slot of the start queue waits for a start mark. */
const START_MARK_LINGER_MS = 50;

/** A change of one delivery. */
interface Change<How> {
  readonly ref: DeliveryRef;
  readonly how: How;
}

/** Changes of deliveries, each kind written in groups. */
function groupedUpdates(events: Collection<StoredEvent>) {
  /** Changes that are alike are one update. */
  const grouped = <How>(
    toUpdate: (refs: readonly DeliveryRef[], how: How) => Document[],
    writeConcern: WriteConcern,
    options: { readonly maxInFlight?: number; readonly lingerMs?: number } = {},
  ): WriteGroup<Change<How>, void> =>
    createWriteGroup(
      async (changes) => {
        const updates = alike(changes).flatMap(({ refs, how }) =>
          changesOf(events, refs, (some) => toUpdate(some, how)),
        );
        await events.bulkWrite(updates, { ordered: false, writeConcern });
        return changes.map(() => undefined);
      },
      { ...DATA_PATH_GROUP, ...options },
    );
  return {
    moves: grouped(answerUpdate, DURABLE),
    /** A lost one costs one more start, which the workflow id rejects. */
    starts: grouped(startedUpdate, FAST, { maxInFlight: 1, lingerMs: START_MARK_LINGER_MS }),
    /** A lost one leaves an unfinished delivery without an execution, which the sweeper finds. */
    holds: grouped(holdUpdate, FAST),
  };
}

function alike<How>(changes: readonly Change<How>[]) {
  const kinds = new Map<string, { readonly refs: DeliveryRef[]; readonly how: How }>();
  for (const { ref, how } of changes) {
    const key = JSON.stringify(how);
    const kind = kinds.get(key) ?? { refs: [], how };
    kinds.set(key, kind);
    kind.refs.push(ref);
  }
  return [...kinds.values()];
}
