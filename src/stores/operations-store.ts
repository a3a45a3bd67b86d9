import type { Collection, Filter } from 'mongodb';
import type { DeliveryRef } from '../domain/delivery-contract';
import { DELIVERY_STATES, isFinished, UNFINISHED_STATES } from '../domain/delivery-state';
import type { AttemptExpiryStore } from './attempt-expiry-store';
import type { EndpointRef } from './endpoint-store';
import { changesOf, eventsOf, MAX_DESTINATIONS, type Destination, type StoredEvent } from './event-store';
import { DURABLE } from '../platform/mongo';
import { anyOf, writesAlike } from '../platform/mongo-router';
import type { ListedDelivery } from './list-deliveries-store';
import { addDestinationUpdate, cancelAnyRunUpdate, cancelUpdate, replayUpdate } from './delivery-updates';
import { WITHOUT_DATA } from './sealed-event-store';

const FINISHED_STATES = DELIVERY_STATES.filter(isFinished);

const CANCEL_BATCH = 1_000;

/** Nothing is sent of an event whose data was erased. */
const HAS_DATA = { data_erased_at: { $exists: false } };

/** What a bounded cancel did. */
export interface CancelledDeliveries {
  readonly cancelled: number;
  /** False if there may be more. */
  readonly complete: boolean;
}

/**
 * An operator's operations on deliveries. Each decides by compare-and-set: of two concurrent calls, one comes too late.
 */
export function createDeliveryOperations(events: Collection<StoredEvent>, expiry: AttemptExpiryStore) {
  /** Those of the runs that are their deliveries' last ones. */
  const findRuns = async (refs: readonly DeliveryRef[]): Promise<ListedDelivery[]> => {
    const found = await events.find(eventsOf(refs), { projection: WITHOUT_DATA }).toArray();
    return refs.flatMap(({ eventId, endpointId, run }) => {
      const event = found.find(({ _id }) => _id === eventId);
      const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
      return event && destination ? [{ event, destination }] : [];
    });
  };
  return {
    /**
     * Gives an event one more destination. Of two concurrent calls for one endpoint, one does it.
     *
     * @returns false if it has the endpoint already, has `MAX_DESTINATIONS`, was erased, or does not exist
     */
    async add(eventId: number, destination: Destination): Promise<boolean> {
      const mayHaveIt = {
        ...{ _id: eventId, ...HAS_DATA },
        'destinations.endpoint_id': { $ne: destination.endpoint_id },
        [`destinations.${MAX_DESTINATIONS - 1}`]: { $exists: false },
      };
      await expiry.whileUnfinished([eventId]);
      const written = await events.updateOne(mayHaveIt, addDestinationUpdate(destination), { writeConcern: DURABLE });
      return written.modifiedCount === 1;
    },
    /** Cancels an unfinished delivery. @returns false if it was finished, or if there is none */
    async cancel(ref: DeliveryRef): Promise<boolean> {
      await expiry.beforeCancel([ref.eventId]);
      const { modifiedCount } = await events.updateOne(runIn(ref, UNFINISHED_STATES), cancelUpdate(ref), {
        writeConcern: DURABLE,
      });
      return modifiedCount === 1;
    },
    /**
     * Cancels every unfinished delivery to an endpoint, even those of a million events: in batches, each durable. A
     * second call finds what a first one that died left over.
     *
     * @returns how many deliveries it cancelled
     */
    cancelAllOf: async (endpoint: EndpointRef): Promise<number> =>
      (await cancelUpTo({ events, expiry }, endpoint, Infinity)).cancelled,
    /** The same for about `most` of them, so that a call ends soon. */
    cancelSomeOf: (endpoint: EndpointRef, most: number): Promise<CancelledDeliveries> =>
      cancelUpTo({ events, expiry }, endpoint, most),
    /**
     * Starts run + 1 of a finished run. The caller starts its workflow, or the sweeper does if the caller dies.
     *
     * @returns the new run; null if that run is not finished, is not the last one, or does not exist, and for an erased event
     */
    async replay(ref: DeliveryRef): Promise<DeliveryRef | null> {
      await expiry.whileUnfinished([ref.eventId]);
      const { modifiedCount } = await events.updateOne(runIn(ref, FINISHED_STATES), replayUpdate([ref], null), {
        writeConcern: DURABLE,
      });
      return modifiedCount === 1 ? { ...ref, run: ref.run + 1 } : null;
    },
    /** `replay` for many deliveries, for a bulk replay. Repeating it changes nothing. */
    async replayAll(refs: readonly DeliveryRef[], jobId: string): Promise<void> {
      await expiry.whileUnfinished(refs.map(({ eventId }) => eventId));
      const writes = changesOf(events, refs, (some) => replayUpdate(some, jobId));
      if (writes.length > 0) await events.bulkWrite(writes, { ordered: false, writeConcern: DURABLE });
    },
    /** The new runs of those finished runs that the bulk replay has replayed. */
    async findReplayed(refs: readonly DeliveryRef[], jobId: string): Promise<ListedDelivery[]> {
      const replayed = refs.map((ref) => ({ ...ref, run: ref.run + 1 }));
      return (await findRuns(replayed)).filter(({ destination }) => destination.replay_job === jobId);
    },
    findRuns,
  };
}

/** Matches the event of a run that is in one of the states, unless its data was erased: then nothing changes any more. */
function runIn({ eventId, endpointId, run }: DeliveryRef, states: typeof UNFINISHED_STATES) {
  const inState = { endpoint_id: endpointId, run, state: { $in: states } };
  return { _id: eventId, ...HAS_DATA, destinations: { $elemMatch: inState } };
}

/** Cancels an endpoint's unfinished deliveries: `most`, to the next batch. */
async function cancelUpTo(
  { events, expiry }: { readonly events: Collection<StoredEvent>; readonly expiry: AttemptExpiryStore },
  { accountId, endpointId }: EndpointRef,
  most: number,
): Promise<CancelledDeliveries> {
  const unfinished = { endpoint_id: endpointId, state: { $in: UNFINISHED_STATES } };
  const filter = { account_id: accountId, destinations: { $elemMatch: unfinished } };
  for (let [cancelled, looked] = [0, 0]; ;) {
    const batch = await events
      .find(filter, { projection: { _id: 1 } })
      .limit(CANCEL_BATCH)
      .toArray();
    const ids = batch.map(({ _id }) => _id);
    await expiry.beforeCancel(ids);
    cancelled += await cancelIn(events, filter, { ids, endpointId });
    looked += batch.length;
    if (batch.length < CANCEL_BATCH) return { cancelled, complete: true };
    if (looked >= most) return { cancelled, complete: false };
  }
}

/** Cancels the unfinished deliveries of these events to an endpoint, durably. @returns how many */
async function cancelIn(
  events: Collection<StoredEvent>,
  filter: Filter<StoredEvent>,
  { ids, endpointId }: { readonly ids: readonly number[]; readonly endpointId: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  const write = (some: readonly number[]) => ({
    filter: { ...filter, _id: anyOf(some) },
    update: cancelAnyRunUpdate(endpointId),
  });
  const writes = writesAlike(events, ids, (id) => id, write);
  // An endpoint is an event's destination only once, so each changed event is one cancelled delivery.
  return (await events.bulkWrite(writes, { ordered: false, writeConcern: DURABLE })).modifiedCount;
}
