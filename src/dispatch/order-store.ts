import type { Collection, Db } from 'mongodb';
import type { DeliveryRef } from '../domain/delivery-contract';
import { UNFINISHED_STATES } from '../domain/delivery-state';
import { EVENTS_COLLECTION, type StoredEvent } from '../events/store';
import { FAST } from '../platform/mongo';
import { takeLease, type Lease } from '../platform/mongo-lease';

/** An ordered endpoint. */
export interface OrderedEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Knows whose turn it is at an ordered endpoint: one delivery at a time, in the order the events were accepted. */
export interface OrderStore {
  ensureIndexes(): Promise<void>;
  /** The first in line: the earliest event whose first run is unfinished. Replays don't stand in line. */
  firstInLine(endpoint: OrderedEndpoint): Promise<DeliveryRef | null>;
  /**
   * Takes the endpoint for one attempt, for the store's lease at most. The state alone does not say that nothing is
   * under way: a delivery that was cancelled in the middle of its request is finished already.
   *
   * @returns false while another attempt has it
   */
  take(endpointId: string, attempt: string): Promise<boolean>;
  /** Whether no attempt has it. */
  isFree(endpointId: string): Promise<boolean>;
  /** Gives it back. */
  giveBack(endpointId: string, attempt: string): Promise<void>;
}

/** @param leaseMs as long as an attempt's claim (`claimLeaseMs`) */
export function createOrderStore(db: Db, leaseMs: number): OrderStore {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const holders: Collection<Lease> = db.collection('ordered_endpoints');
  return {
    async ensureIndexes() {
      await holders.createIndexes([{ key: { until: 1 }, expireAfterSeconds: 0 }]);
    },
    async firstInLine({ accountId, endpointId }) {
      const first = await events.findOne(
        {
          account_id: accountId,
          destinations: { $elemMatch: { endpoint_id: endpointId, run: 1, state: { $in: UNFINISHED_STATES } } },
        },
        { sort: { accepted_at: 1, _id: 1 }, projection: { _id: 1 } },
      );
      return first && { eventId: first._id, endpointId, run: 1 };
    },
    take: (endpointId, attempt) => takeLease(holders, endpointId, attempt, leaseMs),
    async isFree(endpointId) {
      const isHeld = { _id: endpointId, $expr: { $gt: ['$until', '$$NOW'] } };
      return (await holders.countDocuments(isHeld, { limit: 1 })) === 0;
    },
    async giveBack(endpointId, attempt) {
      await holders.deleteOne({ _id: endpointId, owner: attempt }, { writeConcern: FAST });
    },
  };
}
