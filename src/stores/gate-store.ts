import type { Collection, Db } from 'mongodb';
import { FAST, upsertOnceMore } from '../platform/mongo';
import { GIVE_BACK_MS } from './delivery-updates';
import { createWriteGroup, DATA_PATH_GROUP } from '../platform/write-groups';

/** An endpoint that may hold deliveries behind a gate that is open, or will be. */
interface DueGate {
  /** The endpoint's id. */
  readonly _id: string;
  /** When a sweeper looks at the gate, by the database's clock. */
  readonly look_at: Date;
}

/** Gates whose time has come, taken for one look by this process. */
export interface TakenGates {
  readonly endpointIds: readonly string[];
  /** Their new time. A look that finds nothing to release removes the gates that still have it. */
  readonly until: Date;
}

/**
 * After a look was taken, another process takes it this much later: the first one died, or the end of an attempt in
 * that process releases the next delivery.
 */
export const LOOK_LEASE_MS = 15_000;

export type GateStore = ReturnType<typeof createGateStore>;

/**
 * Knows when to look at which endpoint's gate. Closed gates are not in it: whoever opens one adds it.
 *
 * It makes looks early, not sure: a time that is lost in a crash is found again by the sweeper's search for all
 * endpoints that hold deliveries.
 */
export function createGateStore(db: Db) {
  const gates: Collection<DueGate> = db.collection('gates');
  const looks = createWriteGroup(async (items: readonly Look[]) => {
    const updates = soonestOf(items).map(({ endpointId, inMs }) => ({
      updateOne: {
        filter: { _id: endpointId },
        // Of the stored time and this one, the earlier. `$min` ignores a missing one.
        update: [{ $set: { look_at: { $min: ['$look_at', { $add: ['$$NOW', inMs] }] } } }],
        upsert: true,
      },
    }));
    await upsertOnceMore(() => gates.bulkWrite(updates, { ordered: false, writeConcern: FAST }));
    return items.map(() => undefined);
  }, DATA_PATH_GROUP);
  const lookIn = (endpointId: string, inMs: number): Promise<void> => looks.add({ endpointId, inMs });
  return {
    async ensureIndexes(): Promise<void> {
      await gates.createIndexes([{ key: { look_at: 1 } }]);
    },
    /** Has a sweeper look at the endpoint's gate in `inMs` milliseconds, or earlier. */
    lookIn,
    /** Has a sweeper look at the endpoint's gate when the execution that gave a delivery back has ended. */
    lookAfterHold: (endpointId: string): Promise<void> => lookIn(endpointId, GIVE_BACK_MS),
    /** Has a sweeper look at the endpoint's gate now, because it may be open. */
    open: (endpointId: string): Promise<void> => lookIn(endpointId, 0),
    /**
     * Takes up to `limit` gates whose time has come, those that wait longest first. If this process dies, they come
     * again after `LOOK_LEASE_MS`.
     *
     * @param now the database's clock
     */
    async takeDue(now: Date, limit: number): Promise<TakenGates> {
      const due = await gates
        .find({ look_at: { $lte: now } }, { projection: { _id: 1 }, sort: { look_at: 1 }, limit })
        .map(({ _id }) => _id)
        .toArray();
      const until = new Date(now.getTime() + LOOK_LEASE_MS);
      if (due.length > 0) {
        const taken = { _id: { $in: due }, look_at: { $lte: now } };
        await gates.updateMany(taken, { $set: { look_at: until } }, { writeConcern: FAST });
      }
      return { endpointIds: due, until };
    },
    /** Which of these endpoints may hold deliveries behind a gate that is open, or will be. */
    holding: (endpointIds: readonly string[]): Promise<string[]> =>
      gates
        .find({ _id: { $in: [...endpointIds] } }, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray(),
    /** Removes a gate after a look that found nothing to release, unless something asked for a look since. */
    async forget(endpointId: string, takenUntil: Date): Promise<void> {
      await gates.deleteOne({ _id: endpointId, look_at: takenUntil }, { writeConcern: FAST });
    },
  };
}

interface Look {
  readonly endpointId: string;
  readonly inMs: number;
}

/** The earliest look at each endpoint. */
function soonestOf(looks: readonly Look[]): Look[] {
  const soonest = new Map<string, Look>();
  for (const look of looks) {
    const known = soonest.get(look.endpointId);
    if (!known || look.inMs < known.inMs) soonest.set(look.endpointId, look);
  }
  return [...soonest.values()];
}
