import type { Collection, Db, Document } from 'mongodb';
import { DURABLE, insertAllNew, upsertOnceMore } from '../platform/mongo';
import { anyOf, writesAlike } from '../platform/mongo-router';
import { createWriteGroup, DATA_PATH_GROUP } from '../platform/write-groups';

/** The event that an idempotency key of an account stands for, for 24 hours. */
interface IdempotencyRecord {
  /** `<account_id>:<key>`, or `<operationalScope>:<key>` */
  readonly _id: string;
  readonly event_id: number;
  readonly expires_at: Date;
}

/** A key of an account, and the event that it should stand for. */
export interface KeyReservation {
  readonly accountId: string;
  readonly key: string;
  readonly eventId: number;
  /** When the event arrived, by the database's clock: the window of a new key begins. */
  readonly now: Date;
}

/** Length of the window (docs/spec.md, "Idempotency"). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

export const IDEMPOTENCY_KEYS_COLLECTION = 'idempotency_keys';

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

/** Reads and writes idempotency records. */
export function createIdempotencyStore(db: Db) {
  const records: Collection<IdempotencyRecord> = db.collection(IDEMPOTENCY_KEYS_COLLECTION);
  const reserveTogether = async (reservations: readonly KeyReservation[]): Promise<number[]> => {
    // A key is nearly always new, and an insert costs MongoDB a third of the update.
    const areNew = await insertAllNew(records, reservations.map(recordOf), DURABLE);
    const known = reservations.filter((_, index) => !areNew[index]);
    const eventIds = known.length === 0 ? [] : await upsertOnceMore(() => reserveKnown(records, known));
    return reservations.map(({ eventId }, index) => (areNew[index] ? eventId : eventIds.shift()!));
  };
  const reservations = createWriteGroup(reserveTogether, DATA_PATH_GROUP);
  return {
    async ensureIndexes(): Promise<void> {
      await records.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    /**
     * Makes each key stand for its event, unless it stands for another event inside its window. The list must not
     * contain a key twice. The database's clock decides whether the window has ended, never a missing record: TTL
     * deletion lags.
     *
     * @param signal aborts the reservations unless they were already sent
     * @returns the events that the keys now stand for, in order. A majority has these records, whoever wrote them: no
     *   failover makes a key stand for another event.
     */
    async reserve(list: readonly KeyReservation[], signal?: AbortSignal): Promise<number[]> {
      const [first, ...others] = list;
      if (!first) return [];
      if (others.length === 0) return [await reservations.add(first, signal)];
      signal?.throwIfAborted();
      return reserveTogether(list);
    },
    /** Begins the windows of reserved keys anew: their events are accepted only now. */
    async renew(list: readonly KeyReservation[]): Promise<void> {
      if (list.length === 0) return;
      const writes = writesAlike(records, list.map(idOf), String, (ids) => ({
        filter: { _id: anyOf(ids) },
        update: [{ $set: { expires_at: WINDOW_END } }],
      }));
      await records.bulkWrite(writes, { ordered: false, writeConcern: DURABLE });
    },
  };
}

/** Whose keys those of an account's operational events are: callers' keys belong to account ids, and this is not one. */
export function operationalScope(accountId: string): string {
  return `operational/${accountId}`;
}

function idOf({ accountId, key }: KeyReservation): string {
  return `${accountId}:${key}`;
}

function recordOf(reservation: KeyReservation): IdempotencyRecord {
  const { eventId, now } = reservation;
  return { _id: idOf(reservation), event_id: eventId, expires_at: new Date(now.getTime() + IDEMPOTENCY_WINDOW_MS) };
}

/** Reserves keys that have a record. */
async function reserveKnown(
  records: Collection<IdempotencyRecord>,
  reservations: readonly KeyReservation[],
): Promise<number[]> {
  const updates = reservations.map((reservation) => ({
    updateOne: { filter: { _id: idOf(reservation) }, update: reserveUpdate(reservation.eventId), upsert: true },
  }));
  // MongoDB waits for the majority even if an update changes nothing.
  await records.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
  const found = await records.find({ _id: { $in: reservations.map(idOf) } }).toArray();
  const eventIds = new Map(found.map(({ _id, event_id }) => [_id, event_id]));
  return reservations.map((reservation) => eventIds.get(idOf(reservation)) ?? reservation.eventId);
}

/** The end of a window that begins now. */
const WINDOW_END = { $add: ['$$NOW', IDEMPOTENCY_WINDOW_MS] };

/** Makes a record stand for the event, unless it stands for another one inside its window. */
function reserveUpdate(eventId: number): Document[] {
  const isOver = { $lte: [{ $ifNull: ['$expires_at', new Date(0)] }, '$$NOW'] };
  return [
    {
      $set: {
        event_id: { $cond: [isOver, { $literal: eventId }, '$event_id'] },
        expires_at: { $cond: [isOver, WINDOW_END, '$expires_at'] },
      },
    },
  ];
}
