import { Timestamp, type Collection, type Db, type Filter } from 'mongodb';
import { DELIVERY_STATES, isFinished } from '../domain/delivery-state';
import { BACKLOG_INDEX, EVENTS_COLLECTION, setInRun, type Destination, type StoredEvent } from '../events/store';
import { FAST } from '../platform/mongo';

/** A destination that needs somebody's attention, with what a start needs of its event. */
export interface DueDelivery {
  readonly event: Pick<StoredEvent, '_id' | 'account_id' | 'type'>;
  readonly destination: Destination;
}

/** How far the search for what is not started has come. */
export interface BacklogPlace {
  /** The next account is the one after this. */
  account: string;
  /** Within an account that has more than was read at a time: its next event is the one after this. */
  readonly events: Map<string, Timestamp>;
}

/** Where that search begins. */
export function beginningOfBacklog(): BacklogPlace {
  return { account: '', events: new Map() };
}

/** What the sweeper asks MongoDB. */
export interface DispatchStore {
  ensureIndexes(): Promise<void>;
  /** The database's clock. */
  now(): Promise<Date>;
  /** Takes or keeps a lease. @returns whether `owner` holds it for the next `leaseMs` */
  holdLease(name: string, owner: string, leaseMs: number): Promise<boolean>;
  /**
   * Promised before `before`, not known to be started, and claimed by no process at `now`, of some `limit` events: those of up to 20 accounts, the same
   * number of each, each account's oldest. `place`, which it moves, has the next call go on from there: what can't be
   * started yet, a million that wait for an endpoint that hangs, hides nothing behind it.
   */
  findUnstarted(before: Date, now: Date, limit: number, place: BacklogPlace): Promise<DueDelivery[]>;
  /**
   * Unfinished, due before `before`, and not looked at for a while; the longest overdue first. A delivery is looked at
   * again after `recheckMs`, and ever more seldom: a hundred thousand may wait for a paused endpoint.
   */
  takeOverdue(before: Date, recheckMs: number, now: Date, limit: number): Promise<DueDelivery[]>;
  /** Remembers that an endpoint was slow, for `forMs`; with `hangs`, that it answered nothing at all. */
  markSlow(endpointId: string, forMs: number, how?: { hangs: boolean }): Promise<void>;
  /** Forgets that an endpoint hung: it answered. */
  markAnswering(endpointId: string): Promise<void>;
  /** Forgets that an endpoint was slow: it answers quickly. */
  markQuick(endpointId: string): Promise<void>;
  listSlow(): Promise<{ endpointId: string; hangs: boolean }[]>;
}

/** `check_after`: before this nobody looks whether the overdue delivery's workflow still runs. */
type CheckedDestination = Destination & { readonly check_after?: Date };
type CheckedEvent = Omit<StoredEvent, 'destinations'> & { readonly destinations: readonly CheckedDestination[] };

const UNFINISHED = DELIVERY_STATES.filter((state) => !isFinished(state));
/** Accounts whose backlogs are looked at together. */
const ACCOUNTS_AT_ONCE = 20;
/** A delivery that is overdue for hours is still looked at this often. */
const MOST_RECHECK_MS = 900_000;
/** A lease is renewed when a third of it is over. */
const RENEWALS_PER_LEASE = 3;
const NEEDED = { account_id: 1, type: 1, destinations: 1, accepted_at: 1 } as const;

export function createDispatchStore(db: Db): DispatchStore {
  const events: Collection<CheckedEvent> = db.collection(EVENTS_COLLECTION);
  const leases: Collection<{ _id: string; owner: string; until: Date }> = db.collection('leases');
  const slow: Collection<{ _id: string; until: Date; hangs_until?: Date }> = db.collection('slow_endpoints');
  /** When leases that are held were renewed last, by this process's clock. */
  const renewals = new Map<string, number>();
  return {
    async ensureIndexes() {
      await slow.createIndexes([{ key: { until: 1 }, expireAfterSeconds: 0 }]);
    },
    async now() {
      const { localTime } = await db.command({ hello: 1 });
      return localTime as Date;
    },
    async holdLease(name, owner, leaseMs) {
      const renewedAt = renewals.get(`${name} ${owner}`) ?? Number.NEGATIVE_INFINITY;
      if (performance.now() - renewedAt < leaseMs / RENEWALS_PER_LEASE) return true;
      const askedAt = performance.now();
      const isMine = {
        $or: [{ $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }, { $eq: ['$owner', { $literal: owner }] }],
      };
      const lease = await leases.findOneAndUpdate(
        { _id: name },
        [
          {
            $set: {
              until: { $cond: [isMine, { $add: ['$$NOW', leaseMs] }, '$until'] },
              owner: { $cond: [isMine, { $literal: owner }, '$owner'] },
            },
          },
        ],
        { upsert: true, returnDocument: 'after', writeConcern: FAST },
      );
      const isHeld = lease?.owner === owner;
      if (isHeld) renewals.set(`${name} ${owner}`, askedAt);
      return isHeld;
    },
    findUnstarted: (before, now, limit, place) => findUnstarted(events, { before, now, limit }, place),
    takeOverdue: (before, recheckMs, now, limit) => takeOverdue(events, { before, recheckMs, now, limit }),
    async markSlow(endpointId, forMs, how) {
      const until = { $add: ['$$NOW', forMs] };
      await slow.updateOne({ _id: endpointId }, [{ $set: { until, ...(how?.hangs && { hangs_until: until }) } }], {
        upsert: true,
        writeConcern: FAST,
      });
    },
    async markAnswering(endpointId) {
      await slow.updateOne({ _id: endpointId }, { $unset: { hangs_until: '' } }, { writeConcern: FAST });
    },
    async markQuick(endpointId) {
      await slow.deleteOne({ _id: endpointId }, { writeConcern: FAST });
    },
    listSlow: () =>
      slow
        .aggregate<{ endpointId: string; hangs: boolean }>([
          { $match: { $expr: { $gt: ['$until', '$$NOW'] } } },
          { $project: { _id: 0, endpointId: '$_id', hangs: { $gt: ['$hangs_until', '$$NOW'] } } },
        ])
        .toArray(),
  };
}

async function findUnstarted(
  events: Collection<CheckedEvent>,
  { before, now, limit }: { before: Date; now: Date; limit: number },
  place: BacklogPlace,
): Promise<DueDelivery[]> {
  const accounts = await accountsWithBacklog(events, before, now, place);
  const each = Math.ceil(limit / accounts.length);
  const batches = accounts.map(async (account) => {
    const batch = await events
      .find(
        { ...unstarted(before, now, place.events.get(account)), account_id: account },
        { ...READ, hint: BACKLOG_INDEX },
      )
      .sort({ accepted_at: 1 })
      .limit(each)
      .toArray();
    if (batch.length < each) place.events.delete(account);
    else place.events.set(account, batch.at(-1)!.accepted_at);
    return batch;
  });
  return dueOf(
    (await Promise.all(batches)).flat(),
    ({ started, claimed_until: until }) => !started && !(until && until > now),
  );
}

/** One step in the index for each: however much an account has, the next one is found at once. */
async function accountsWithBacklog(
  events: Collection<CheckedEvent>,
  before: Date,
  now: Date,
  place: BacklogPlace,
): Promise<string[]> {
  const accounts: string[] = [];
  while (accounts.length < ACCOUNTS_AT_ONCE) {
    const next = await events.findOne(
      { ...unstarted(before, now), account_id: { $gt: place.account } },
      { ...READ, hint: BACKLOG_INDEX, sort: { account_id: 1, accepted_at: 1 } },
    );
    place.account = next?.account_id ?? '';
    if (!next) break;
    accounts.push(next.account_id);
  }
  return accounts;
}

function unstarted(before: Date, now: Date, after = new Timestamp(0n)): Filter<CheckedEvent> {
  return {
    // Named once more outside, so that the partial index is used.
    'destinations.started': false,
    destinations: { $elemMatch: { started: false, claimed_until: { $not: { $gt: now } } } },
    accepted_at: { $gt: after, $lt: timestampOf(before) },
  };
}

/** Finds and marks in two steps: two sweepers at once would check a delivery twice, which changes nothing. */
async function takeOverdue(
  events: Collection<CheckedEvent>,
  { before, recheckMs, now, limit }: { before: Date; recheckMs: number; now: Date; limit: number },
): Promise<DueDelivery[]> {
  const wanted = {
    started: true,
    state: { $in: UNFINISHED },
    next_attempt_at: { $lt: before },
    // Also matches a destination that was never checked.
    check_after: { $not: { $gt: now } },
  };
  const found = await events
    .find(
      { 'destinations.next_attempt_at': { $gt: new Date(0), $lt: before }, destinations: { $elemMatch: wanted } },
      READ,
    )
    .sort({ 'destinations.next_attempt_at': 1 })
    .limit(limit)
    .toArray();
  const due = dueOf(
    found,
    ({ started, state, next_attempt_at, check_after }) =>
      started &&
      !isFinished(state) &&
      !!next_attempt_at &&
      next_attempt_at < before &&
      !(check_after && check_after > now),
  );
  await markChecked(events, due, recheckMs, now);
  return due;
}

/** Majority reads: what a rollback would take away was never promised. */
const READ = { projection: NEEDED, readConcern: { level: 'majority' } } as const;

function timestampOf(date: Date): Timestamp {
  return new Timestamp({ t: Math.floor(date.getTime() / 1_000), i: 0 });
}

function dueOf(found: readonly CheckedEvent[], isDue: (it: CheckedDestination) => boolean): DueDelivery[] {
  return found.flatMap((event) => event.destinations.filter(isDue).map((destination) => ({ event, destination })));
}

async function markChecked(
  events: Collection<CheckedEvent>,
  due: readonly DueDelivery[],
  recheckMs: number,
  now: Date,
): Promise<void> {
  if (due.length === 0) return;
  const updates = due.map(({ event, destination }) => {
    const overdueMs = Math.min(now.getTime() - destination.next_attempt_at!.getTime(), MOST_RECHECK_MS);
    const checkAfter = new Date(now.getTime() + Math.max(recheckMs, overdueMs));
    const ref = { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run };
    return setInRun(ref, { check_after: checkAfter });
  });
  await events.bulkWrite(updates, { ordered: false, writeConcern: FAST });
}
