import type { Collection } from 'mongodb';
import { FAST, upsertOnceMore } from './mongo';

/** What one owner has at a time, until it gives it back, or until the lease is over. */
export interface Lease {
  readonly _id: string;
  readonly owner: string;
  /** By the database's clock. */
  readonly until: Date;
}

/** Takes a lease from whoever holds it. */
export async function seizeLease(leases: Collection<Lease>, id: string, owner: string, leaseMs: number): Promise<void> {
  const taken = { until: { $add: ['$$NOW', leaseMs] }, owner: { $literal: owner } };
  await leases.updateOne({ _id: id }, [{ $set: taken }], { upsert: true, writeConcern: FAST });
}

/** Takes or keeps a lease. @returns whether `owner` holds it for the next `leaseMs` */
export async function takeLease(
  leases: Collection<Lease>,
  id: string,
  owner: string,
  leaseMs: number,
): Promise<boolean> {
  const isOver = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
  const isMine = { $or: [isOver, { $eq: ['$owner', { $literal: owner }] }] };
  const taken = {
    until: { $cond: [isMine, { $add: ['$$NOW', leaseMs] }, '$until'] },
    owner: { $cond: [isMine, { $literal: owner }, '$owner'] },
  };
  const options = { upsert: true, returnDocument: 'after', writeConcern: FAST } as const;
  const lease = await upsertOnceMore(() => leases.findOneAndUpdate({ _id: id }, [{ $set: taken }], options));
  return lease?.owner === owner;
}
