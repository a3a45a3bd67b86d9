import { Timestamp, type Collection, type Db } from 'mongodb';
import { DELIVERY_STATES, isFinished } from '../domain/delivery-state';
import { EVENTS_COLLECTION, type Destination, type StoredEvent } from '../events/store';
import { FAST } from '../platform/mongo';

/** A destination that needs somebody's attention, with what a start needs of its event. */
export interface DueDelivery {
  readonly event: Pick<StoredEvent, '_id' | 'account_id' | 'type'>;
  readonly destination: Destination;
}

/** What the sweeper asks MongoDB. */
export interface DispatchStore {
  ensureIndexes(): Promise<void>;
  /** The database's clock. */
  now(): Promise<Date>;
  /** Takes or keeps a lease. @returns whether `owner` holds it for the next `leaseMs` */
  holdLease(name: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Promised before `before` and not known to be started, oldest first. */
  findUnstarted(before: Date, limit: number): Promise<DueDelivery[]>;
  /** Unfinished, due before `before`, and not looked at since `notCheckedSince`; the longest overdue first. */
  takeOverdue(before: Date, notCheckedSince: Date, now: Date, limit: number): Promise<DueDelivery[]>;
  /** Remembers that an endpoint was slow or failing, for `forMs`. */
  markSlow(endpointId: string, forMs: number): Promise<void>;
  listSlow(): Promise<string[]>;
}

/** `checked_at`: when the reconciler last found the delivery's workflow running. */
type CheckedDestination = Destination & { readonly checked_at?: Date };
type CheckedEvent = Omit<StoredEvent, 'destinations'> & { readonly destinations: readonly CheckedDestination[] };

const UNFINISHED = DELIVERY_STATES.filter((state) => !isFinished(state));
const NEEDED = { account_id: 1, type: 1, destinations: 1 } as const;

export function createDispatchStore(db: Db): DispatchStore {
  const events: Collection<CheckedEvent> = db.collection(EVENTS_COLLECTION);
  const leases: Collection<{ _id: string; owner: string; until: Date }> = db.collection('leases');
  const slow: Collection<{ _id: string; until: Date }> = db.collection('slow_endpoints');
  return {
    async ensureIndexes() {
      await slow.createIndexes([{ key: { until: 1 }, expireAfterSeconds: 0 }]);
    },
    async now() {
      const { localTime } = await db.command({ hello: 1 });
      return localTime as Date;
    },
    async holdLease(name, owner, leaseMs) {
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
      return lease?.owner === owner;
    },
    async findUnstarted(before, limit) {
      const wanted = { started: false, state: { $in: UNFINISHED } };
      const found = await events
        .find(
          // Named once more outside, so that the partial index is used.
          {
            'destinations.started': false,
            destinations: { $elemMatch: wanted },
            accepted_at: { $lt: timestampOf(before) },
          },
          READ,
        )
        .sort({ accepted_at: 1 })
        .limit(limit)
        .toArray();
      return dueOf(found, ({ started, state }) => !started && !isFinished(state));
    },
    takeOverdue: (before, notCheckedSince, now, limit) => takeOverdue(events, { before, notCheckedSince, now, limit }),
    async markSlow(endpointId, forMs) {
      await slow.updateOne({ _id: endpointId }, [{ $set: { until: { $add: ['$$NOW', forMs] } } }], {
        upsert: true,
        writeConcern: FAST,
      });
    },
    listSlow: () =>
      slow
        .find({ $expr: { $gt: ['$until', '$$NOW'] } })
        .map(({ _id }) => _id)
        .toArray(),
  };
}

/** Finds and marks in two steps: two sweepers at once would check a delivery twice, which changes nothing. */
async function takeOverdue(
  events: Collection<CheckedEvent>,
  { before, notCheckedSince, now, limit }: { before: Date; notCheckedSince: Date; now: Date; limit: number },
): Promise<DueDelivery[]> {
  const wanted = {
    started: true,
    state: { $in: UNFINISHED },
    next_attempt_at: { $lt: before },
    // Also matches a destination that was never checked.
    checked_at: { $not: { $gte: notCheckedSince } },
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
    ({ started, state, next_attempt_at, checked_at }) =>
      started &&
      !isFinished(state) &&
      !!next_attempt_at &&
      next_attempt_at < before &&
      !(checked_at && checked_at >= notCheckedSince),
  );
  await markChecked(events, due, now);
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

async function markChecked(events: Collection<CheckedEvent>, due: readonly DueDelivery[], now: Date): Promise<void> {
  if (due.length === 0) return;
  const updates = due.map(({ event, destination }) => ({
    updateOne: {
      filter: { _id: event._id },
      update: { $set: { 'destinations.$[it].checked_at': now } },
      arrayFilters: [{ 'it.endpoint_id': destination.endpoint_id, 'it.run': destination.run }],
    },
  }));
  await events.bulkWrite(updates, { ordered: false, writeConcern: FAST });
}
