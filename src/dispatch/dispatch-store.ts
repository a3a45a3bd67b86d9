import { Timestamp, type Collection, type Db, type Filter } from 'mongodb';
import { SET_BACK_MS } from '../domain/clock-set-back';
import { isFinished, UNFINISHED_STATES } from '../domain/delivery-state';
import { createLeases } from '../platform/mongo-lease';
import {
  BACKLOG_INDEX,
  EVENTS_COLLECTION,
  isClaimed,
  OVERDUE_INDEX,
  type DeliveryOf,
  type Destination,
  type StoredEvent,
} from '../record/event-store';

/** A destination that needs somebody's attention, with what a start needs of its event. */
export type DueDelivery = DeliveryOf<Pick<StoredEvent, '_id' | 'account_id' | 'type'>>;

/** How far the search for what is not started has come. */
export interface BacklogPlace {
  /** The next account is the one after this. */
  account: string;
  /** Within an account that has more than was read at a time: its next event is the one after this. */
  readonly events: Map<string, Timestamp>;
}

/** What the database says the time is. */
export interface DatabaseClocks {
  /** Its wall clock. */
  readonly now: Date;
  /** Cluster time, which is in `accepted_at`. Never behind the wall clock; ahead of it after that was set back. */
  readonly cluster: Timestamp;
}

/** Where that search begins. */
export function beginningOfBacklog(): BacklogPlace {
  return { account: '', events: new Map() };
}

/** Accounts whose backlogs are looked at together. */
const ACCOUNTS_AT_ONCE = 20;
const NEEDED = { account_id: 1, type: 1, destinations: 1, accepted_at: 1 } as const;

export type DispatchStore = ReturnType<typeof createDispatchStore>;

/** What background work asks MongoDB: whose turn it is, what the time is, and what there is to do. */
export function createDispatchStore(db: Db) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const clocks = async (): Promise<DatabaseClocks> => {
    const { localTime, $clusterTime: cluster } = await db.command({ hello: 1 });
    return { now: localTime as Date, cluster: cluster.clusterTime as Timestamp };
  };
  return {
    ...createLeases(db.collection('leases')),
    clocks,
    /** The database's wall clock. */
    now: async (): Promise<Date> => (await clocks()).now,
    /**
     * Due, accepted before `before`, and claimed by no process by now, of some `limit` events: those of up to 20 accounts,
     * the same number of each, each account's oldest. `place`, which it moves, has the next call go on from there: what
     * can't be started now hides nothing behind it.
     */
    findDue: (before: Date, at: DatabaseClocks, limit: number, place: BacklogPlace) =>
      findDue(events, { before, at, limit }, place),
    /**
     * Unfinished, with an execution, and next attempted after `after` and before `before`, of some `limit` events; the
     * longest overdue first.
     *
     * @returns `next`: where the next call goes on; null at the end
     */
    findOverdue: (after: Date, before: Date, limit: number) => findOverdue(events, { after, before, limit }),
  };
}

async function findDue(
  events: Collection<StoredEvent>,
  { before, at, limit }: { before: Date; at: DatabaseClocks; limit: number },
  place: BacklogPlace,
): Promise<DueDelivery[]> {
  const { now } = at;
  const accepted = acceptedBefore(before, at);
  const accounts = await accountsWithBacklog(events, accepted, now, place);
  const each = Math.ceil(limit / accounts.length);
  const batches = accounts.map(async (account) => {
    const batch = await events
      .find({ ...due(accepted, now, place.events.get(account)), account_id: account }, { ...READ, hint: BACKLOG_INDEX })
      .sort({ accepted_at: 1 })
      .limit(each)
      .toArray();
    if (batch.length < each) place.events.delete(account);
    else place.events.set(account, batch.at(-1)!.accepted_at);
    return batch;
  });
  return dueOf(
    (await Promise.all(batches)).flat(),
    (destination) => destination.dispatch === 'due' && !isClaimed(destination, now),
  );
}

/** One step in the index for each: however much an account has, the next one is found at once. */
async function accountsWithBacklog(
  events: Collection<StoredEvent>,
  accepted: AcceptedBefore,
  now: Date,
  place: BacklogPlace,
): Promise<string[]> {
  const accounts: string[] = [];
  while (accounts.length < ACCOUNTS_AT_ONCE) {
    const next = await events.findOne(
      { ...due(accepted, now), account_id: { $gt: place.account } },
      { ...READ, hint: BACKLOG_INDEX, sort: { account_id: 1, accepted_at: 1 } },
    );
    place.account = next?.account_id ?? '';
    if (!next) break;
    accounts.push(next.account_id);
  }
  return accounts;
}

const NO_BOUND = new Timestamp({ t: 0xffff_ffff, i: 0xffff_ffff });

/** What "accepted before" is: by the wall clock, and in cluster time, which is in the index. */
interface AcceptedBefore {
  readonly timestamp: number;
  readonly acceptedAt: Timestamp;
}

/**
 * Cluster time is never behind the wall clock, so it says "before" too, and the index leaves the newest events out. But
 * after a clock that was ahead was set right it stands still until the wall clock has caught up: then only the wall
 * clock, in `timestamp`, tells. A lead below the grace that `before` leaves delays by less than that again.
 */
function acceptedBefore(before: Date, { now, cluster }: DatabaseClocks): AcceptedBefore {
  const clusterMs = cluster.t * 1_000;
  const isAhead = clusterMs - now.getTime() > now.getTime() - before.getTime();
  return {
    timestamp: Math.floor(before.getTime() / 1_000),
    acceptedAt: isAhead ? NO_BOUND : timestampOf(before),
  };
}

function due({ timestamp, acceptedAt }: AcceptedBefore, now: Date, after = new Timestamp(0n)): Filter<StoredEvent> {
  const setBack = new Date(now.getTime() + SET_BACK_MS);
  return {
    // Named once more outside, so that the partial index is used.
    'destinations.dispatch': 'due',
    // What `isClaimed` denies.
    destinations: {
      $elemMatch: {
        dispatch: 'due',
        $or: [{ claimed_until: { $not: { $gt: now } } }, { next_attempt_at: { $gt: setBack } }],
      },
    },
    accepted_at: { $gt: after, $lt: acceptedAt },
    // One that is far to come was accepted before the clock was set back.
    $or: [{ timestamp: { $lt: timestamp } }, { timestamp: { $gt: setBack.getTime() / 1_000 } }],
  };
}

async function findOverdue(
  events: Collection<StoredEvent>,
  { after, before, limit }: { after: Date; before: Date; limit: number },
): Promise<{ found: DueDelivery[]; next: Date | null }> {
  const range = { $gt: after, $lt: before };
  const wanted = { dispatch: 'done', state: { $in: UNFINISHED_STATES }, next_attempt_at: range } as const;
  // In the order of the index: to sort by a field of an array would read all of them first.
  const batch = await events
    .find(
      { 'destinations.next_attempt_at': range, destinations: { $elemMatch: wanted } },
      { ...READ, hint: OVERDUE_INDEX },
    )
    .limit(limit)
    .toArray();
  const isOverdue = ({ dispatch, state, next_attempt_at: at }: Destination): boolean =>
    dispatch === 'done' && !isFinished(state) && at !== null && at > after && at < before;
  const last = batch
    .at(-1)
    ?.destinations.flatMap(({ next_attempt_at: at }) => (at && at > after ? [at.getTime()] : []));
  return {
    found: dueOf(batch, isOverdue),
    next: last && batch.length === limit ? new Date(Math.min(...last)) : null,
  };
}

/** Majority reads: what a rollback would take away was never promised. */
const READ = { projection: NEEDED, readConcern: { level: 'majority' } } as const;

function timestampOf(date: Date): Timestamp {
  return new Timestamp({ t: Math.floor(date.getTime() / 1_000), i: 0 });
}

function dueOf(found: readonly StoredEvent[], isDue: (it: Destination) => boolean): DueDelivery[] {
  return found.flatMap((event) => event.destinations.filter(isDue).map((destination) => ({ event, destination })));
}
