import type { ClientSession, Db, Filter } from 'mongodb';
import { ensureExpiry } from '../platform/mongo-expiry';
import { inTransaction, isDuplicateKey } from '../platform/mongo';
import { linkAfter, type ChainEnd, type ChainLink } from './audit-chain';
import { AUDIT_COLLECTION, type AuditEntry } from './audit-store';

/** What is left of an entry that was erased with its account. */
export type ErasedEntry = Pick<AuditEntry, '_id' | 'at' | 'account_id'> & Omit<ChainLink, 'salt'>;

/** A chained entry; one without a salt was erased. */
export type ChainedEntry = (AuditEntry & ChainLink) | ErasedEntry;

/** Where a log ends. Its id is that of the log: an account, or `none`. */
type Head = ChainEnd & { readonly _id: string };

/** What is to be verified of a log, all of it at one moment. */
export interface LogState {
  /** The last entry that was chained; null if none was, or if someone removed the head. */
  readonly head: ChainEnd | null;
  /** The numbers of the first and of the last entry that are there; null if there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** How many entries are not chained yet, and the time of the oldest. */
  readonly unchained: number;
  readonly unchainedSince: Date | null;
}

const HEADS_COLLECTION = 'audit_heads';
/** What is left of erased entries. */
export const ERASED_COLLECTION = 'audit_erased';
/** The log of what belongs to no account. */
const NO_ACCOUNT = 'none';

/** A partial index can't say `$exists: false`; null is also what a missing field equals. */
const UNCHAINED = { seq: null as never };

export type AuditChainStore = ReturnType<typeof createAuditChainStore>;

/**
 * Chains the entries of the audit log, after they were written: a chain that is written with each change would make changes
 * of one account wait for each other (ADR 67).
 *
 * @param retentionMs how long entries are kept; undefined keeps them forever
 */
export function createAuditChainStore(db: Db, retentionMs?: number) {
  const { entries, erased } = collectionsOf(db);
  const inOrder = { account_id: 1, at: 1, _id: 1 } as const;
  return {
    async ensureIndexes(): Promise<void> {
      await entries.createIndexes([
        { key: inOrder, name: 'unchained', partialFilterExpression: UNCHAINED },
        { key: { account_id: 1, seq: 1 }, unique: true, partialFilterExpression: { seq: { $exists: true } } },
      ]);
      await erased.createIndexes([{ key: { account_id: 1, seq: 1 }, unique: true }]);
      await ensureExpiry(erased, 'at', retentionMs);
    },
    /**
     * Chains the next entries, each log's in the order of their time: all of them, or none. Two processes at once can't
     * chain an entry twice.
     *
     * @returns how many were chained, and the logs whose head was behind its entries, which is mended before it goes on
     */
    async chainNext(limit: number): Promise<{ chained: number; mended: readonly string[] }> {
      const next = await entries
        .find(UNCHAINED, { projection: { account_id: 1 } })
        .sort(inOrder)
        .limit(limit)
        .toArray();
      if (next.length === 0) return { chained: 0, mended: [] };
      const ids = next.map(({ _id }) => _id);
      try {
        return { chained: await inTransaction(db, (session) => chainAll(db, ids, session)), mended: [] };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return { chained: 0, mended: await mendHeads(db, [...new Set(next.map(logOf))]) };
      }
    },
    /** The logs that have entries, or had some. */
    async *logs(): AsyncGenerator<string, void> {
      const ended = { $unionWith: { coll: HEADS_COLLECTION, pipeline: [{ $project: { _id: 1 } }] } };
      const named = [{ $group: { _id: '$account_id' } }, { $project: { _id: { $ifNull: ['$_id', NO_ACCOUNT] } } }];
      const all = entries.aggregate<{ _id: string }>([
        ...named,
        ended,
        { $group: { _id: '$_id' } },
        { $sort: { _id: 1 } },
      ]);
      for await (const { _id } of all) yield _id;
    },
    /** Where a log begins and ends. */
    state: (log: string): Promise<LogState> => atOneMoment(db, (session) => stateOf(db, log, session)),
    /** The chained entries with these numbers, from one to before another, in order; erased ones too. */
    chained: (log: string, from: number, before: number): Promise<ChainedEntry[]> =>
      atOneMoment(db, async (session) => {
        const filter = { account_id: accountOf(log), seq: { $gte: from, $lt: before } };
        const limit = before - from;
        const found = await Promise.all([
          entries.find(filter, { session, sort: { seq: 1 }, limit }).toArray(),
          erased.find(filter, { session, sort: { seq: 1 }, limit }).toArray(),
        ]);
        return (found.flat() as ChainedEntry[]).toSorted((a, b) => a.seq - b.seq);
      }),
  };
}

/**
 * Erases entries, and keeps the numbers and digests of the chained ones, so that the rest of their log can be verified.
 *
 * @returns how many were erased
 */
export function eraseEntries(db: Db, filter: Filter<AuditEntry>, limit: number): Promise<number> {
  const { entries, erased } = collectionsOf(db);
  return inTransaction(db, async (session) => {
    const found = await entries.find(filter, { session, sort: { _id: 1 }, limit }).toArray();
    const kept = found.flatMap(({ _id, at, account_id, seq, previous, digest }) =>
      seq === undefined ? [] : [{ _id, at, account_id, seq, previous: previous!, digest: digest! }],
    );
    if (kept.length > 0) await erased.insertMany(kept, { session });
    const ids = found.map(({ _id }) => _id);
    return ids.length === 0 ? 0 : (await entries.deleteMany({ _id: { $in: ids } }, { session })).deletedCount;
  });
}

function collectionsOf(db: Db) {
  return {
    entries: db.collection<AuditEntry>(AUDIT_COLLECTION),
    erased: db.collection<ErasedEntry>(ERASED_COLLECTION),
    heads: db.collection<Head>(HEADS_COLLECTION),
  };
}

/** @returns how many entries were chained */
async function chainAll(db: Db, ids: readonly string[], session: ClientSession): Promise<number> {
  const { entries, heads } = collectionsOf(db);
  // Another process may have chained or erased some of them meanwhile.
  const found = await entries
    .find({ ...UNCHAINED, _id: { $in: [...ids] } }, { session, sort: { at: 1, _id: 1 } })
    .toArray();
  if (found.length === 0) return 0;
  const logs = [...new Set(found.map(logOf))];
  const before = new Map((await heads.find({ _id: { $in: logs } }, { session }).toArray()).map((it) => [it._id, it]));
  const ends = new Map<string, ChainEnd>(before);
  const links = found.map((entry) => {
    const link = linkAfter(ends.get(logOf(entry)) ?? null, { ...entry });
    ends.set(logOf(entry), link);
    return { updateOne: { filter: { ...UNCHAINED, _id: entry._id }, update: { $set: link } } };
  });
  const moves = logs.map((log) => moveHead(log, before.get(log) ?? null, ends.get(log)!));
  const { insertedCount, modifiedCount } = await heads.bulkWrite(moves, { session });
  const chained = (await entries.bulkWrite(links, { session })).modifiedCount;
  if (insertedCount + modifiedCount !== logs.length || chained !== found.length)
    throw new Error('another process chains the audit log too');
  return chained;
}

/** Moves a head only from where it was. */
function moveHead(log: string, before: ChainEnd | null, { seq, digest }: ChainEnd) {
  return before
    ? { updateOne: { filter: { _id: log, seq: before.seq }, update: { $set: { seq, digest } } } }
    : { insertOne: { document: { _id: log, seq, digest } } };
}

/**
 * Moves heads that are behind the entries of their logs: someone removed them, or restored them from another moment. The
 * chain continues after the entries that are there.
 *
 * @returns the logs whose head was moved
 */
async function mendHeads(db: Db, logs: readonly string[]): Promise<string[]> {
  const { entries, heads } = collectionsOf(db);
  const mended: string[] = [];
  for (const log of logs) {
    const head = await heads.findOne({ _id: log });
    const behind = { account_id: accountOf(log), seq: { $gt: head?.seq ?? 0 } };
    const last = await entries.findOne(behind, { sort: { seq: -1 } });
    if (!last) continue;
    await heads.bulkWrite([moveHead(log, head, { seq: last.seq!, digest: last.digest! })]);
    mended.push(log);
  }
  return mended;
}

async function stateOf(db: Db, log: string, session: ClientSession): Promise<LogState> {
  const { entries, erased, heads } = collectionsOf(db);
  const filter = { account_id: accountOf(log) };
  const chained = { ...filter, seq: { $gt: 0 } };
  const open = { ...filter, ...UNCHAINED };
  const end = async (seq: 1 | -1): Promise<number[]> => {
    const found = [
      await entries.findOne(chained, { session, sort: { seq } }),
      await erased.findOne(chained, { session, sort: { seq } }),
    ];
    return found.flatMap((it) => it?.seq ?? []);
  };
  const firsts = await end(1);
  const oldest = await entries.findOne(open, { session, sort: { at: 1 } });
  return {
    head: await heads.findOne({ _id: log }, { session }),
    first: firsts.length === 0 ? null : Math.min(...firsts),
    last: firsts.length === 0 ? null : Math.max(...(await end(-1))),
    unchained: oldest ? await entries.countDocuments(open, { session }) : 0,
    unchainedSince: oldest?.at ?? null,
  };
}

/** Reads as of one moment: an entry that is chained or erased meanwhile is read once. */
function atOneMoment<T>(db: Db, read: (session: ClientSession) => Promise<T>): Promise<T> {
  return db.client.withSession({ snapshot: true }, read);
}

function logOf({ account_id: accountId }: Pick<AuditEntry, 'account_id'>): string {
  return accountId ?? NO_ACCOUNT;
}

function accountOf(log: string): string | null {
  return log === NO_ACCOUNT ? null : log;
}
