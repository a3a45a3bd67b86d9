import { MinKey, Timestamp, type Collection, type Db, type Filter } from 'mongodb';
import { latestFrom } from '../domain/clock-set-back';
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
} from './event-store';

/** A destination that must be started or checked, with the fields of its event that a start needs. */
export type DueDelivery = DeliveryOf<Pick<StoredEvent, '_id' | 'account_id' | 'type' | 'traceparent'>>;

/** The cursor of the search for deliveries that are not started, at the start. */
export function newBacklogCursor() {
  return {
    /** The search continues with the account after this one. */
    account: '',
    /** For accounts with more deliveries than one read returns: the search continues after this event. */
    events: new Map<string, Timestamp>(),
  };
}
type BacklogCursor = ReturnType<typeof newBacklogCursor>;

/** How far the search for overdue deliveries has advanced: behind this event at this time. */
export interface OverduePlace {
  readonly at: Date;
  readonly eventId: number;
}
export const BEGINNING_OF_OVERDUE: OverduePlace = { at: new Date(1), eventId: 0 };

/** Accounts whose backlogs are read together. */
const ACCOUNTS_AT_ONCE = 20;
const BEGINNING = new Timestamp(0n);
/** Majority reads: a write that a rollback would remove was never acknowledged. */
const READ = {
  projection: { account_id: 1, type: 1, traceparent: 1, destinations: 1, accepted_at: 1 },
  readConcern: { level: 'majority' },
} as const;

export type DispatchStore = ReturnType<typeof createDispatchStore>;

/** The queries of background work: whose turn it is, what the time is, and what there is to do. */
export function createDispatchStore(db: Db) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    ...createLeases(db.collection('leases')),
    /** The database's wall clock. */
    now: async (): Promise<Date> => (await db.command({ hello: 1 }))['localTime'] as Date,
    /**
     * Finds deliveries that are due, were accepted before `before`, and are not claimed by a process now, from up to
     * `limit` events. It reads up to 20 accounts, the same number of events from each, oldest first. It moves `place`,
     * where the next call continues, so deliveries that can't be started now never hide others.
     */
    async findDue(before: Date, now: Date, limit: number, place: BacklogCursor): Promise<DueDelivery[]> {
      const due = dueWhere(before, now);
      const accounts = await accountsWithBacklog(events, due, place);
      const each = Math.ceil(limit / accounts.length);
      const batches = accounts.map(async (account) => {
        const wanted = { ...due, account_id: account, accepted_at: { $gt: place.events.get(account) ?? BEGINNING } };
        const batch = await events
          .find(wanted, { ...READ, hint: BACKLOG_INDEX, sort: { accepted_at: 1 }, limit: each })
          .toArray();
        if (batch.length < each) place.events.delete(account);
        else place.events.set(account, batch.at(-1)!.accepted_at);
        return batch;
      });
      const found = (await Promise.all(batches)).flat();
      return dueOf(found, (destination) => destination.dispatch === 'due' && !isClaimed(destination, now));
    },
    /**
     * Finds unfinished deliveries with an execution whose next attempt was due before `before`, from up to `limit`
     * events behind `place`: the longest overdue first.
     *
     * @returns `next`: where the next call continues; null at the end
     */
    async findOverdue(
      place: OverduePlace,
      before: Date,
      limit: number,
    ): Promise<{ found: DueDelivery[]; next: OverduePlace | null }> {
      const { at: from, eventId } = place;
      if (from >= before) return { found: [], next: null };
      const range = { $gte: from, $lt: before };
      const wanted = { dispatch: 'done', state: { $in: UNFINISHED_STATES }, next_attempt_at: range } as const;
      const batch = await events
        .find(
          { 'destinations.next_attempt_at': range, destinations: { $elemMatch: wanted } },
          {
            ...READ,
            hint: OVERDUE_INDEX,
            // The filter alone does not bound the scan: on an array with several destinations MongoDB reads from the
            // beginning of the index, and sorts each event by its earliest time. So these bounds are the order, too.
            min: { 'destinations.next_attempt_at': from, _id: eventId + 1 },
            max: { 'destinations.next_attempt_at': before, _id: new MinKey() },
            limit,
          },
        )
        .toArray();
      const isOverdue = ({ dispatch, state, next_attempt_at: at }: Destination): boolean =>
        dispatch === 'done' && !isFinished(state) && at !== null && at >= from && at < before;
      const last = batch.at(-1);
      return {
        found: dueOf(batch, isOverdue),
        next: last && batch.length === limit ? { at: firstTimeFrom(place, last), eventId: last._id } : null,
      };
    },
  };
}

/**
 * One search in the index for each account. It ends at the first event that is wanted, however many the account has,
 * and reads over those that are claimed or too new.
 */
async function accountsWithBacklog(
  events: Collection<StoredEvent>,
  due: Filter<StoredEvent>,
  place: BacklogCursor,
): Promise<string[]> {
  const accounts: string[] = [];
  while (accounts.length < ACCOUNTS_AT_ONCE) {
    const next = await events.findOne(
      { ...due, account_id: { $gt: place.account } },
      { ...READ, hint: BACKLOG_INDEX, sort: { account_id: 1, accepted_at: 1 } },
    );
    place.account = next?.account_id ?? '';
    if (!next) break;
    accounts.push(next.account_id);
  }
  return accounts;
}

function dueWhere(before: Date, now: Date): Filter<StoredEvent> {
  const latest = latestFrom(now);
  return {
    // Repeated outside `$elemMatch`, so that the partial index is used.
    'destinations.dispatch': 'due',
    // The negation of `isClaimed`.
    destinations: {
      $elemMatch: {
        dispatch: 'due',
        $or: [{ claimed_until: { $not: { $gt: now } } }, { next_attempt_at: { $gt: latest } }],
      },
    },
    // A timestamp far in the future was written before the clock was set back.
    $or: [{ timestamp: { $lt: secondOf(before) } }, { timestamp: { $gt: secondOf(latest) } }],
  };
}

function secondOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

/** The key of the index behind `place` that names this event. */
function firstTimeFrom({ at: from, eventId }: OverduePlace, event: StoredEvent): Date {
  const times = event.destinations.flatMap(({ next_attempt_at: at }) => (at ? [at.getTime()] : []));
  const least = from.getTime() + (event._id > eventId ? 0 : 1);
  return new Date(Math.min(...times.filter((time) => time >= least)));
}

function dueOf(found: readonly StoredEvent[], isDue: (it: Destination) => boolean): DueDelivery[] {
  return found.flatMap((event) => event.destinations.filter(isDue).map((destination) => ({ event, destination })));
}
