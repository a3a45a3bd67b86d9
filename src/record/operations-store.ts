import type { Collection } from 'mongodb';
import type { DeliveryRef } from '../domain/delivery-contract';
import { DELIVERY_STATES, isFinished, UNFINISHED_STATES } from '../domain/delivery-state';
import type { EndpointRef } from './endpoint-store';
import type { StoredEvent } from './event-store';
import { DURABLE } from '../platform/mongo';
import type { ListedDelivery } from './list-deliveries-store';
import { cancelAnyRunUpdate, cancelUpdate, replayUpdate } from './delivery-updates';

const FINISHED_STATES = DELIVERY_STATES.filter(isFinished);

const CANCEL_BATCH = 1_000;

/** What an operator does to deliveries. Each decides by compare-and-set: of two at once, one comes too late. */
export function createDeliveryOperations(events: Collection<StoredEvent>) {
  return {
    /** Ends an unfinished delivery as cancelled. @returns false when it was finished, or there is none */
    async cancel(ref: DeliveryRef): Promise<boolean> {
      const { modifiedCount } = await events.updateOne(runIn(ref, UNFINISHED_STATES), cancelUpdate(ref), {
        writeConcern: DURABLE,
      });
      return modifiedCount === 1;
    },
    /**
     * Ends every unfinished delivery to an endpoint as cancelled, those of a million events too: in batches, each durable.
     * A second call finds what a first one that died left over.
     *
     * @returns how many deliveries it ended
     */
    async cancelAllOf({ accountId, endpointId }: EndpointRef): Promise<number> {
      const unfinished = { endpoint_id: endpointId, state: { $in: UNFINISHED_STATES } };
      const filter = { account_id: accountId, destinations: { $elemMatch: unfinished } };
      for (let cancelled = 0; ;) {
        const batch = await events
          .find(filter, { projection: { _id: 1 } })
          .limit(CANCEL_BATCH)
          .toArray();
        const ids = batch.map(({ _id }) => _id);
        // An endpoint is an event's destination once, so an event that changed is a delivery that ended.
        const update = events.updateMany({ ...filter, _id: { $in: ids } }, cancelAnyRunUpdate(endpointId), {
          writeConcern: DURABLE,
        });
        cancelled += (await update).modifiedCount;
        if (batch.length < CANCEL_BATCH) return cancelled;
      }
    },
    /**
     * Begins run + 1 of a finished run. The caller starts its workflow; the sweeper does if the caller dies.
     *
     * @returns the new run; null when that run is not finished, is not the last one, or does not exist
     */
    async replay(ref: DeliveryRef): Promise<DeliveryRef | null> {
      const { modifiedCount } = await events.updateOne(runIn(ref, FINISHED_STATES), replayUpdate(ref, null), {
        writeConcern: DURABLE,
      });
      return modifiedCount === 1 ? { ...ref, run: ref.run + 1 } : null;
    },
    /** `replay` of many, for a bulk replay. Once more it changes nothing. */
    async replayAll(refs: readonly DeliveryRef[], jobId: string): Promise<void> {
      const updates = refs.map((ref) => ({
        updateOne: { filter: runIn(ref, FINISHED_STATES), update: replayUpdate(ref, jobId) },
      }));
      await events.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
    },
    /** Of these finished runs, the ones that the bulk replay replayed, as the new runs that they are. */
    async findReplayed(refs: readonly DeliveryRef[], jobId: string): Promise<ListedDelivery[]> {
      const ids = [...new Set(refs.map(({ eventId }) => eventId))];
      const found = await events.find({ _id: { $in: ids } }, { projection: { data: 0 } }).toArray();
      return refs.flatMap(({ eventId, endpointId, run }) => {
        const event = found.find(({ _id }) => _id === eventId);
        const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === endpointId);
        return event && destination?.run === run + 1 && destination.replay_job === jobId
          ? [{ event, destination }]
          : [];
      });
    },
  };
}

/** Selects the event of a run that is in one of the states. */
function runIn({ eventId, endpointId, run }: DeliveryRef, states: typeof UNFINISHED_STATES) {
  return { _id: eventId, destinations: { $elemMatch: { endpoint_id: endpointId, run, state: { $in: states } } } };
}
