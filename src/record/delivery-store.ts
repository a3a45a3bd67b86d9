import type { Collection, Db } from 'mongodb';
import type { AttemptInput, DeliveryRef, HeldReason } from '../domain/delivery-contract';
import type { Endpoint } from './endpoint-store';
import { EVENTS_COLLECTION, setInRun, type Destination, type StoredEvent } from './event-store';
import { createReadGroup, FAST } from '../platform/mongo';
import { ATTEMPTS_COLLECTION, groupedAnswers, type Attempt, type StoredAnswer } from './attempt-store';
import { createClaimStore, type ClaimStore } from './claim-store';
import { groupedHolds, groupedMoves, groupedStarts } from './state-store';
import { createHeldStore, type HeldStore } from './held-store';
import { createDeliveryOperations, type DeliveryOperations } from './operations-store';

/** A delivery with what an attempt needs of its event. */
export interface LoadedDelivery {
  readonly event: LoadedEvent;
  readonly destination: Destination;
}

/** A delivery and its endpoint, as the process that accepted the event, or let it go, has them in memory. */
export interface KnownDelivery {
  readonly delivery: LoadedDelivery;
  readonly endpoint: Endpoint;
  /** It was inserted in this process's claim: nobody else can have claimed its attempt. */
  readonly isNew?: true;
}

type LoadedEvent = Pick<StoredEvent, '_id' | 'account_id' | 'type' | 'data' | 'timestamp' | 'destinations'> & {
  /** The database's clock when it was read. */
  readonly now?: Date;
};

/** Moves deliveries: claims, answers and states. The one place that changes an event's destinations. */
export interface DeliveryStore extends DeliveryOperations, ClaimStore, HeldStore {
  ensureIndexes(): Promise<void>;
  /** @returns null when the event or its destination is gone */
  load(ref: DeliveryRef): Promise<LoadedDelivery | null>;
  /** Writes an answer and moves the delivery, durably; a second time changes nothing. */
  record(input: AttemptInput, answer: StoredAnswer): Promise<void>;
  /** Moves the delivery for an answer that is in the history already. */
  applyAnswer(input: AttemptInput, answer: Pick<StoredAnswer, 'succeeded' | 'next_delay_ms'>): Promise<void>;
  /** Notes that the run's workflow is started. */
  markStarted(ref: DeliveryRef): Promise<void>;
  /** Has the delivery wait for its endpoint's gate, unless it is finished. */
  hold(ref: DeliveryRef, reason: HeldReason): Promise<void>;
  /** Gives up this process's claims that came with the promise: nothing was sent. */
  releasePromises(refs: readonly DeliveryRef[]): Promise<void>;
  /** Whether the run is still to be sent or started. */
  isDue(ref: DeliveryRef): Promise<boolean>;
  /** Answered attempts of an event, in the order they were made. */
  listAttempts(eventId: number): Promise<(Attempt & { readonly answer: StoredAnswer })[]>;
}

/** @param leaseMs how long a claim of this process lasts (`claimLeaseMs`) */
export function createDeliveryStore(db: Db, leaseMs: number): DeliveryStore {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  const answers = groupedAnswers(attempts);
  const moves = groupedMoves(events);
  const starts = groupedStarts(events);
  const holds = groupedHolds(events);
  const loads = createReadGroup<StoredEvent, LoadedEvent>(events, {
    account_id: 1,
    type: 1,
    data: 1,
    timestamp: 1,
    destinations: 1,
    now: '$$NOW',
  });
  const states = createReadGroup<StoredEvent, Pick<StoredEvent, '_id' | 'destinations'>>(events, { destinations: 1 });
  const applyAnswer: DeliveryStore['applyAnswer'] = (input, { succeeded, next_delay_ms: nextDelayMs }) =>
    moves.add({ input: nextDelayMs === undefined ? input : { ...input, nextDelayMs }, succeeded });
  return {
    ...createDeliveryOperations(events),
    ...createClaimStore(attempts, leaseMs),
    ...createHeldStore(events, leaseMs),
    async ensureIndexes() {
      await attempts.createIndexes([{ key: { event_id: 1 } }]);
    },
    async load(ref) {
      const event = await loads.add(ref.eventId);
      const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === ref.endpointId);
      return event && destination ? { event, destination } : null;
    },
    async record(input, answer) {
      // One after the other: a crash may leave an answer whose state has not followed yet, and whoever asks for the
      // attempt again makes that good. A state without its answer would stay so.
      await answers.add({ input, answer });
      await applyAnswer(input, answer);
    },
    applyAnswer,
    markStarted: (ref) => starts.add(ref),
    hold: (ref, reason) => holds.add({ ref, reason }),
    async releasePromises(refs) {
      if (refs.length === 0) return;
      const updates = refs.map((ref) => setInRun(ref, { claimed_until: null }));
      await events.bulkWrite(updates, { ordered: false, writeConcern: FAST });
    },
    async isDue({ eventId, endpointId, run }) {
      const event = await states.add(eventId);
      const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
      return destination?.dispatch === 'due';
    },
    listAttempts: (eventId) =>
      attempts
        .find<Attempt & { answer: StoredAnswer }>({ event_id: eventId, answer: { $exists: true } })
        .sort({ run: 1, number: 1 })
        .toArray(),
  };
}
