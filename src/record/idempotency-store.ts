import type { Collection, Db, Document } from 'mongodb';
import { DURABLE, upsertOnceMore } from '../platform/mongo';
import { createWriteGroup } from '../platform/write-groups';

/** Which event an idempotency key of an account stands for, for 24 hours. */
interface IdempotencyRecord {
  /** `<account_id>:<key>` */
  readonly _id: string;
  readonly event_id: number;
  readonly expires_at: Date;
}

/** Reads and writes idempotency records. */
export interface IdempotencyStore {
  ensureIndexes(): Promise<void>;
  /**
   * Makes the key stand for `eventId`, unless it stands for another event inside its window.
   * The window is judged by the database's clock, never by the record's absence: TTL deletion lags.
   *
   * @returns the event that the key stands for now. A majority holds that record, whoever wrote it: no failover
   *   makes the key stand for another event.
   * @param signal gives the claim up where it is not sent yet
   */
  claim(accountId: string, key: string, eventId: number, signal?: AbortSignal): Promise<number>;
  /** The same for many keys, each of them once. @returns the event that each stands for now, in their order */
  claimAll(accountId: string, claims: readonly KeyClaim[]): Promise<number[]>;
}

/** A key, and the event that it is to stand for. */
export interface KeyClaim {
  readonly key: string;
  readonly eventId: number;
}

/** The same, under the record's id. */
interface Claim {
  readonly id: string;
  readonly eventId: number;
}

/** Length of the window (docs/spec.md, "Idempotency"). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

export function createIdempotencyStore(db: Db): IdempotencyStore {
  const records: Collection<IdempotencyRecord> = db.collection('idempotency_keys');
  const claimOne = async ({ id, eventId }: Claim): Promise<number[]> => {
    const record = await records.findOneAndUpdate({ _id: id }, claimUpdate(eventId), {
      upsert: true,
      returnDocument: 'after',
      // MongoDB waits for the majority also where the update changes nothing.
      writeConcern: DURABLE,
    });
    return [record!.event_id];
  };
  const claimMany = async (claims: readonly Claim[]): Promise<number[]> => {
    const updates = claims.map(({ id, eventId }) => ({
      updateOne: { filter: { _id: id }, update: claimUpdate(eventId), upsert: true },
    }));
    await records.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
    const found = await records.find({ _id: { $in: claims.map(({ id }) => id) } }).toArray();
    const eventIds = new Map(found.map(({ _id, event_id }) => [_id, event_id]));
    return claims.map(({ id }) => eventIds.get(id)!);
  };
  const claimAll = async (claims: readonly Claim[]): Promise<number[]> => {
    const [first, ...others] = claims;
    if (!first) return [];
    return upsertOnceMore(async () => (others.length === 0 ? claimOne(first) : claimMany(claims)));
  };
  const groupedClaims = createWriteGroup(
    async (claims: readonly Claim[]) => (await claimAll(claims)).map((value) => ({ value })),
    { maxItems: 200, maxInFlight: 2 },
  );
  return {
    async ensureIndexes() {
      await records.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    claim: (accountId, key, eventId, signal) => groupedClaims.add({ id: `${accountId}:${key}`, eventId }, signal),
    claimAll: (accountId, claims) =>
      claimAll(claims.map(({ key, eventId }) => ({ id: `${accountId}:${key}`, eventId }))),
  };
}

/** Makes a record stand for the event, unless it stands for another one inside its window. */
function claimUpdate(eventId: number): Document[] {
  const isOver = { $lte: [{ $ifNull: ['$expires_at', new Date(0)] }, '$$NOW'] };
  return [
    {
      $set: {
        event_id: { $cond: [isOver, { $literal: eventId }, '$event_id'] },
        expires_at: { $cond: [isOver, { $add: ['$$NOW', IDEMPOTENCY_WINDOW_MS] }, '$expires_at'] },
      },
    },
  ];
}
