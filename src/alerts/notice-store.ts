import type { Collection, Db } from 'mongodb';
import { timeIsOver } from '../domain/clock-set-back';
import type { EndpointOutage } from '../domain/endpoint-health';
import type { ReachedQuota } from '../domain/quota-level';
import { DURABLE, insertAllNew } from '../platform/mongo';

/** Something to tell on one channel. Its id makes it unique: what happened is told once on each channel. */
export interface Notice {
  /** Begins with the channel. */
  readonly _id: string;
  readonly channel: string;
  readonly account_id: string;
}

/** An endpoint fails, or recovered. */
export interface OutageNotice extends Notice, EndpointOutage {
  /** `<channel>/<kind>/<endpoint id>/<start>` */
  readonly _id: string;
  readonly kind: 'failing' | 'recovered';
  /** Host and port of the endpoint's URL: its path and query may be secret. */
  readonly host: string;
}

/** An account reached a level of its monthly quota. Its id: `<channel>/<account id>/<end of the month>/<limit>/<level>`. */
export type QuotaNotice = Notice & ReachedQuota;

interface StoredNotice extends Notice {
  /** Present until it is told. */
  readonly waits?: true;
  /** The process that tells it now, and the time until which no other process does. */
  readonly claimed_by?: string;
  readonly claimed_until?: Date;
  readonly added_at: Date;
}

/** Longer than a channel takes; a notice that could not be told is told again after this time. */
const CLAIM_MS = 60_000;
/** A notice that can't be told is given up after this time. As long as the idempotency keys of operational events. */
const KEPT_SECONDS = 24 * 3_600;
/** The most notices of one mail or message. */
const MOST = 1_000;

export type NoticeStore = ReturnType<typeof createNoticeStore>;

/** Notices until they are told. */
export function createNoticeStore(db: Db) {
  const notices: Collection<StoredNotice> = db.collection('notices');
  return {
    async ensureIndexes(): Promise<void> {
      await notices.createIndexes([
        { key: { channel: 1, added_at: 1 }, partialFilterExpression: { waits: true } },
        { key: { account_id: 1 } },
        { key: { added_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ]);
    },
    /** Adds notices, durably. One that is there already, told or not, stays as it is. */
    async add(list: readonly Notice[]): Promise<void> {
      const stored = list.map((notice) => ({ ...notice, waits: true as const, added_at: new Date() }));
      if (stored.length > 0) await insertAllNew(notices, stored, DURABLE);
    },
    /**
     * Takes the waiting notices of a channel that no process tells now, the oldest first. All notices of a channel are
     * of one kind.
     *
     * @param claim unique for each call: of two processes, one gets a notice
     */
    async claim<N extends Notice>(channel: string, claim: string): Promise<N[]> {
      const isFree = { $expr: timeIsOver('$claimed_until', CLAIM_MS) };
      const waiting = await notices
        .find({ channel, waits: true, ...isFree }, { projection: { _id: 1 } })
        .sort({ added_at: 1 })
        .limit(MOST)
        .map(({ _id }) => _id)
        .toArray();
      if (waiting.length === 0) return [];
      await notices.updateMany({ _id: { $in: waiting }, waits: true, ...isFree }, [
        { $set: { claimed_by: { $literal: claim }, claimed_until: { $add: ['$$NOW', CLAIM_MS] } } },
      ]);
      return notices
        .find<N>({ _id: { $in: waiting }, claimed_by: claim })
        .sort({ added_at: 1 })
        .toArray();
    },
    /** Records that notices were told. */
    async markTold(ids: readonly string[]): Promise<void> {
      await notices.updateMany({ _id: { $in: [...ids] } }, { $unset: { waits: true } });
    },
  };
}
