import type { Collection, Db } from 'mongodb';
import { FAST } from '../platform/mongo';

/** How many events of an account's type had schema errors on one day. */
interface StoredCount {
  /** `<account id>/<day>/<type>` */
  readonly _id: string;
  readonly account_id: string;
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  readonly type: string;
  readonly count: number;
  /** By hour of the day, from 0 to 23. */
  readonly hours: Readonly<Record<string, number>>;
  /** One of the last ones. */
  readonly event_id: number;
  readonly last_at: Date;
  readonly expires_at: Date;
}

/** What to add: events of one type on one day. */
export interface SchemaErrorAddition {
  readonly accountId: string;
  readonly type: string;
  /** When the last one was accepted; all were on that day. */
  readonly at: Date;
  readonly eventId: number;
  /** By hour of the day. */
  readonly hours: Readonly<Record<number, number>>;
}

/** The events of a type that had schema errors since a time. */
export interface SchemaErrorCount {
  readonly type: string;
  readonly count: number;
  /** One of the last ones. */
  readonly eventId: number;
  readonly at: Date;
}

const DAY_MS = 86_400_000;
const KEPT_FOR_DAYS = 30;
/** The most types that one answer reads. Each process counts a hundred on a day, and one more hundred after each start. */
const MAX_READ = 1_000;

export type SchemaErrorStore = ReturnType<typeof createSchemaErrorStore>;

/** Counts of events that did not match the catalog of event types, by account, type and day. */
export function createSchemaErrorStore(db: Db) {
  const counts: Collection<StoredCount> = db.collection('schema_error_counts');
  return {
    async ensureIndexes(): Promise<void> {
      await counts.createIndexes([
        { key: { account_id: 1, day: 1, type: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Adds counts, in one command. */
    async add(additions: readonly SchemaErrorAddition[]): Promise<void> {
      if (additions.length > 0) await counts.bulkWrite(additions.map(updateOf), { ordered: false, writeConcern: FAST });
    },
    /** The types of an account that had errors from the hour of a time on, in any order. */
    async since(accountId: string, from: Date, now: Date): Promise<SchemaErrorCount[]> {
      const found = await counts
        .find({ account_id: accountId, day: { $gte: dayOf(from), $lte: dayOf(now) } })
        .sort({ account_id: 1, day: 1, type: 1 })
        .limit(MAX_READ)
        .toArray();
      const byType = new Map<string, SchemaErrorCount>();
      for (const { type, day, hours, event_id: eventId, last_at: at } of found) {
        const inTime = Object.entries(hours).filter(([hour]) => hourAt(day, hour) >= hourAt(dayOf(from), hourOf(from)));
        if (inTime.length === 0) continue;
        const other = byType.get(type);
        const count = inTime.reduce((sum, [, ofHour]) => sum + ofHour, other?.count ?? 0);
        byType.set(type, other && other.at > at ? { ...other, count } : { type, count, eventId, at });
      }
      return [...byType.values()];
    },
  };
}

function updateOf({ accountId, type, at, eventId, hours }: SchemaErrorAddition) {
  const day = dayOf(at);
  const entries = Object.entries(hours);
  return {
    updateOne: {
      filter: { _id: [accountId, day, type].join('/') },
      update: {
        $inc: {
          count: entries.reduce((sum, [, count]) => sum + count, 0),
          ...Object.fromEntries(entries.map(([hour, count]) => [`hours.${hour}`, count])),
        },
        $set: { event_id: eventId, last_at: at },
        $setOnInsert: {
          account_id: accountId,
          day,
          type,
          expires_at: new Date(Date.parse(day) + (KEPT_FOR_DAYS + 1) * DAY_MS),
        },
      },
      upsert: true,
    },
  };
}

/** The day in UTC: `2026-11-21`. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function hourOf(at: Date): string {
  return String(at.getUTCHours());
}

function hourAt(day: string, hour: string): number {
  return Date.parse(`${day}T${hour.padStart(2, '0')}:00:00Z`);
}
