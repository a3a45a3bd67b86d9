import { MaxKey, MinKey, type Collection, type Document, type Filter, type Timestamp } from 'mongodb';
import { timeIsOver } from '../domain/clock-set-back';
import type { DeliveryRef } from '../domain/delivery-contract';
import { changesOf, eventsOf, HELD_INDEX, type DeliveryOf, type Destination, type StoredEvent } from './event-store';
import { WITHOUT_DATA } from './sealed-event-store';
import { FAST } from '../platform/mongo';
import { GIVE_BACK_MS, releaseHeldUpdate } from './delivery-updates';

/** A delivery that waits. */
export type HeldDelivery = DeliveryRef & { readonly accountId: string };

/**
 * Deliveries that wait in MongoDB for the gate of their endpoint.
 *
 * @param leaseMs as long as an attempt's claim (`claimLeaseMs`)
 */
export function createHeldStore(events: Collection<StoredEvent>, leaseMs: number) {
  return {
    /**
     * Endpoints with held deliveries: up to `limit`, in the order of their ids, after `after`. One step in the index
     * for each.
     */
    async endpointsThatHold(after: string, limit: number): Promise<string[]> {
      const found: string[] = [];
      while (found.length < limit) {
        const last = found.at(-1) ?? after;
        const event = await events.findOne(heldWhere({ $gt: last }), {
          hint: HELD_INDEX,
          // The filter alone does not bound the scan: on an array with several destinations MongoDB may read the index
          // from its beginning, and the first event would not be that of the next endpoint.
          min: heldKey(`${last}\0`, new MinKey()),
          max: heldKey(new MaxKey(), new MaxKey()),
          projection: { destinations: 1 },
        });
        if (!event) break;
        const behind = event.destinations.filter((it) => isHeld(it) && it.endpoint_id > last);
        found.push(behind.map(({ endpoint_id: id }) => id).reduce((one, other) => (one < other ? one : other)));
      }
      return found;
    },
    /** Whether an endpoint holds any delivery, also one that may not be released yet. */
    async holdsAny(endpointId: string): Promise<boolean> {
      const held = await events.findOne(heldWhere(endpointId), { hint: HELD_INDEX, projection: { _id: 1 } });
      return held !== null;
    },
    /** The next deliveries of an endpoint that may be released: the earliest accepted first. */
    async nextHeld(endpointId: string, limit: number): Promise<HeldDelivery[]> {
      const found = await events
        .find(
          {
            ...heldWhere(endpointId),
            $expr: { $anyElementTrue: { $map: { input: '$destinations', as: 'it', in: mayGo(endpointId) } } },
          },
          { hint: HELD_INDEX, projection: { account_id: 1, destinations: 1 } },
        )
        .sort({ accepted_at: 1 })
        .limit(limit)
        .toArray();
      return found.flatMap(({ _id, account_id: accountId, destinations }) =>
        destinations
          .filter((it) => isHeld(it) && it.endpoint_id === endpointId)
          .map(({ run }) => ({ eventId: _id, endpointId, run, accountId })),
      );
    },
    /** How many deliveries of an endpoint wait that were accepted before a time; counts up to `limit`. */
    countHeldBefore: (endpointId: string, acceptedAt: Timestamp, limit: number): Promise<number> =>
      events.countDocuments(
        { ...heldWhere(endpointId), accepted_at: { $lt: acceptedAt } },
        { hint: HELD_INDEX, limit },
      ),
    /**
     * @param claims whether the owner makes their attempts itself
     * @returns the deliveries that belong to the owner now: of two processes that release one at once, one gets it
     */
    async releaseHeld(
      refs: readonly DeliveryRef[],
      owner: string,
      claims: boolean,
    ): Promise<DeliveryOf<Omit<StoredEvent, 'data'>>[]> {
      if (refs.length === 0) return [];
      const release = (some: readonly DeliveryRef[]) => releaseHeldUpdate(some, owner, claims ? leaseMs : 0);
      await events.bulkWrite(changesOf(events, refs, release), { ordered: false, writeConcern: FAST });
      const found = await events
        .find<Omit<StoredEvent, 'data'>>(eventsOf(refs), { projection: WITHOUT_DATA })
        .toArray();
      const byId = new Map(found.map((event) => [event._id, event]));
      return refs.flatMap(({ eventId, endpointId, run }) => {
        const event = byId.get(eventId);
        const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
        const isOurs = destination?.dispatch === 'due' && destination.claimed_by === owner;
        return event && isOurs ? [{ event, destination }] : [];
      });
    },
  };
}

function isHeld({ dispatch }: Destination): boolean {
  return dispatch === 'held';
}

/** A key of `HELD_INDEX`. */
function heldKey(endpointId: string | MaxKey, acceptedAt: MinKey | MaxKey): Document {
  return { 'destinations.dispatch': 'held', 'destinations.endpoint_id': endpointId, accepted_at: acceptedAt };
}

/** Repeated outside `$elemMatch`, so that MongoDB can use the partial index. */
function heldWhere(endpointId: string | { readonly $gt: string }): Filter<StoredEvent> {
  return {
    'destinations.dispatch': 'held',
    destinations: { $elemMatch: { dispatch: 'held', endpoint_id: endpointId } },
  };
}

/** By the database's clock. */
function mayGo(endpointId: string): Document {
  return {
    $and: [{ $eq: ['$$it.endpoint_id', { $literal: endpointId }] }, timeIsOver('$$it.look_at', GIVE_BACK_MS)],
  };
}
