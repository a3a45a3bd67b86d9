import type { Collection } from 'mongodb';
import { endsWithin, timeIsOver } from '../domain/clock-set-back';
import { FAST, upsertOnceMore } from './mongo';

/** Something that one owner has at a time, until the owner returns it or the lease ends. */
export interface Lease {
  readonly _id: string;
  readonly owner: string;
  /** By the database's clock. */
  readonly until: Date;
  /** How long it was taken for. */
  readonly lease_ms: number;
}

/** An expression: whether a lease is held. Also false if its end is further away than it can be. */
export const IS_HELD_LEASE = { $not: [timeIsOver('$until', '$lease_ms')] };

/** A lease is renewed when a third of it is over. */
const RENEWALS_PER_LEASE = 3;

export type Leases = ReturnType<typeof createLeases>;

/** The leases of background work, by name. */
export function createLeases(leases: Collection<Lease>) {
  /** When held leases were last renewed, by this process's clock. */
  const renewals = new Map<string, number>();
  return {
    /** Takes or renews a lease. @returns whether `owner` holds it for the next `leaseMs` */
    async holdLease(name: string, owner: string, leaseMs: number): Promise<boolean> {
      const renewedAt = renewals.get(`${name} ${owner}`) ?? Number.NEGATIVE_INFINITY;
      if (performance.now() - renewedAt < leaseMs / RENEWALS_PER_LEASE) return true;
      const askedAt = performance.now();
      const isHeld = await takeLease(leases, name, owner, leaseMs);
      if (isHeld) renewals.set(`${name} ${owner}`, askedAt);
      return isHeld;
    },
    /**
     * Takes a lease from its holder, who notices at the next `holdLease` that asks MongoDB, a third of the lease later.
     */
    seizeLease: (name: string, owner: string, leaseMs: number) => seizeLease(leases, name, owner, leaseMs),
  };
}

/** Takes a lease from its current holder. */
async function seizeLease(leases: Collection<Lease>, id: string, owner: string, leaseMs: number): Promise<void> {
  const taken = { until: { $add: ['$$NOW', leaseMs] }, owner: { $literal: owner }, lease_ms: leaseMs };
  await leases.updateOne({ _id: id }, [{ $set: taken }], { upsert: true, writeConcern: FAST });
}

/**
 * Takes or renews a lease. If its end is more than a whole lease away, it was written before the database's clock was
 * set back: from now on it has a whole lease left.
 *
 * @returns whether `owner` holds it for the next `leaseMs`
 */
export async function takeLease(
  leases: Collection<Lease>,
  id: string,
  owner: string,
  leaseMs: number,
): Promise<boolean> {
  // Also of a missing lease.
  const hasEnded = { $lte: ['$until', '$$NOW'] };
  const isMine = { $or: [hasEnded, { $eq: ['$owner', { $literal: owner }] }] };
  const taken = {
    until: { $cond: [isMine, { $add: ['$$NOW', leaseMs] }, endsWithin('$until', '$lease_ms')] },
    owner: { $cond: [isMine, { $literal: owner }, '$owner'] },
    lease_ms: { $cond: [isMine, leaseMs, '$lease_ms'] },
  };
  const options = { upsert: true, returnDocument: 'after', writeConcern: FAST } as const;
  const lease = await upsertOnceMore(() => leases.findOneAndUpdate({ _id: id }, [{ $set: taken }], options));
  return lease?.owner === owner;
}
