import type { Collection, Db } from 'mongodb';
import type { DeliveryRef } from '../domain/delivery-contract';
import { UNFINISHED_STATES } from '../domain/delivery-state';
import { EVENTS_COLLECTION, type StoredEvent } from './event-store';
import { FAST } from '../platform/mongo';
import { IS_HELD_LEASE, takeLease, type Lease } from '../platform/mongo-lease';
import type { EndpointRef } from './endpoint-store';

/** The delivery whose turn it is at an ordered endpoint. */
interface FirstInLine extends DeliveryRef {
  /** Until its next attempt, in milliseconds, by the database's clock; 0 if it is due or held. */
  readonly waitMs: number;
}

export type OrderStore = ReturnType<typeof createOrderStore>;

/**
 * Knows whose turn it is at an ordered endpoint: one delivery at a time, in the order in which the events were
 * accepted.
 *
 * @param leaseMs as long as an attempt's claim (`claimLeaseMs`)
 */
export function createOrderStore(db: Db, leaseMs: number) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const holders: Collection<Lease> = db.collection('ordered_endpoints');
  return {
    async ensureIndexes(): Promise<void> {
      await holders.createIndexes([{ key: { until: 1 }, expireAfterSeconds: 0 }]);
    },
    /** The first in line: the earliest event whose first run is unfinished. Replays skip the line. */
    async firstInLine({ accountId, endpointId }: EndpointRef): Promise<FirstInLine | null> {
      const first = await events.findOne<Pick<StoredEvent, '_id' | 'destinations'> & { readonly now: Date }>(
        {
          account_id: accountId,
          destinations: { $elemMatch: { endpoint_id: endpointId, run: 1, state: { $in: UNFINISHED_STATES } } },
        },
        { sort: { accepted_at: 1, _id: 1 }, projection: { destinations: 1, now: '$$NOW' } },
      );
      if (!first) return null;
      const nextAt = first.destinations.find(({ endpoint_id: id }) => id === endpointId)?.next_attempt_at;
      const waitMs = Math.max(0, (nextAt?.getTime() ?? 0) - first.now.getTime());
      return { eventId: first._id, endpointId, run: 1, waitMs };
    },
    /**
     * Leases the endpoint for one attempt, for at most the store's lease. The state alone does not show that nothing is
     * under way: a delivery cancelled during its request is already finished.
     *
     * @returns false while another attempt has the lease
     */
    take: (endpointId: string, attempt: string) => takeLease(holders, endpointId, attempt, leaseMs),
    /** Whether no attempt has the lease. */
    async isFree(endpointId: string): Promise<boolean> {
      const isHeld = { _id: endpointId, $expr: IS_HELD_LEASE };
      return (await holders.countDocuments(isHeld, { limit: 1 })) === 0;
    },
    /** Ends the lease. */
    async release(endpointId: string, attempt: string): Promise<void> {
      await holders.deleteOne({ _id: endpointId, owner: attempt }, { writeConcern: FAST });
    },
  };
}
