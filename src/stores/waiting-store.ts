import type { Collection, Db } from 'mongodb';
import type { HeldReason } from '../domain/delivery-contract';
import { UNFINISHED_STATES } from '../domain/delivery-state';
import type { EndpointRef } from './endpoint-store';
import { EVENTS_COLLECTION, type StoredEvent } from './event-store';
import { rethrowNotReady } from '../platform/mongo-indexes';
import { ENDPOINT_INDEX } from './list-events-store';

/** Unfinished deliveries to an endpoint that wait for the same. */
export interface WaitingGroup {
  /** `held`: for the endpoint's gate. `scheduled`: for the time of their next attempt. `due`: it is made now. */
  readonly kind: 'held' | 'scheduled' | 'due';
  /** Why they were held; null unless they are. */
  readonly heldFor: HeldReason | null;
  readonly deliveries: number;
  /** Since when the first of them is held; null unless they are. */
  readonly since: Date | null;
  /** When the next of their attempts is due; null if they are held. */
  readonly nextAt: Date | null;
}

/** More unfinished deliveries of an endpoint are not counted. */
const MAX_WAITING = 10_000;

export type WaitingStore = ReturnType<typeof createWaitingStore>;

/**
 * Counts what waits for an endpoint, through the index of its deliveries by state.
 *
 * @param most only tests change it
 */
export function createWaitingStore(db: Db, most = MAX_WAITING) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    /**
     * The unfinished deliveries to an endpoint, by what they wait for.
     *
     * @returns the groups, and whether they are all: false once `most` deliveries are counted, as there may be more
     */
    async waitingFor(ref: EndpointRef): Promise<{ readonly groups: WaitingGroup[]; readonly complete: boolean }> {
      const found = await events
        .aggregate<WaitingGroup>(stagesOf(ref, most), { hint: ENDPOINT_INDEX })
        .toArray()
        .catch(rethrowNotReady);
      const looked = found.reduce((sum, { deliveries }) => sum + deliveries, 0);
      return { groups: found, complete: looked < most };
    },
  };
}

function stagesOf({ accountId, endpointId }: EndpointRef, limit: number) {
  return [
    {
      $match: {
        account_id: accountId,
        destinations: { $elemMatch: { endpoint_id: endpointId, state: { $in: [...UNFINISHED_STATES] } } },
      },
    },
    { $limit: limit },
    { $project: { destinations: 1 } },
    { $unwind: '$destinations' },
    { $replaceRoot: { newRoot: '$destinations' } },
    { $match: { endpoint_id: endpointId } },
    {
      $group: {
        _id: { kind: KIND, heldFor: { $ifNull: ['$held_for', null] } },
        deliveries: { $sum: 1 },
        since: { $min: '$held_at' },
        nextAt: { $min: '$next_attempt_at' },
      },
    },
    { $replaceWith: { $mergeObjects: ['$$ROOT', '$_id'] } },
    { $project: { _id: 0 } },
  ];
}

/** By the database's clock. */
const KIND = {
  $switch: {
    branches: [
      { case: { $eq: ['$dispatch', 'held'] }, then: 'held' },
      { case: { $gt: ['$next_attempt_at', '$$NOW'] }, then: 'scheduled' },
    ],
    default: 'due',
  },
};
