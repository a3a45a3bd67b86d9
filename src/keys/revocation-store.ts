import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { DURABLE, upsertOnceMore } from '../platform/mongo';

/** What a process did not know of. */
export interface RevocationNews {
  /** The keys that ended; undefined if it is unknown which. */
  readonly keyIds: readonly string[] | undefined;
  /** The last entry, for the next question. */
  readonly latest: string;
}

/** One revocation. */
interface Entry {
  readonly id: string;
  readonly key_id: string;
}

/** The last revocations of the installation: one document. */
interface Revocations {
  readonly _id: 'api_keys';
  /** `id` of the last entry. */
  readonly latest: string;
  /** Oldest first. */
  readonly recent: readonly Entry[];
}

/** A process that missed more of them forgets all keys that it remembers. */
const MAX_RECENT = 50;
/**
 * Tells every process that keys ended. Call it after they did: a process that looks one up again before would remember
 * it again. Not part of a transaction: many at once would conflict in the one document.
 */
export async function noteRevoked(db: Db, keyIds: readonly string[]): Promise<void> {
  const entries = keyIds.map((keyId): Entry => ({ id: randomUUID(), key_id: keyId }));
  const { id: latest } = entries.at(-1)!;
  const note = { $set: { latest }, $push: { recent: { $each: entries, $slice: -MAX_RECENT } } };
  await upsertOnceMore(() =>
    revocationsOf(db).updateOne({ _id: 'api_keys' }, note, { upsert: true, writeConcern: DURABLE }),
  );
}

/**
 * What is new after an entry: the keys that ended since, and the last entry. Null if nothing is new. MongoDB reads one
 * document by its id.
 *
 * @param seen the last entry that is known; undefined at the beginning
 */
export async function newsAfter(db: Db, seen: string | undefined): Promise<RevocationNews | null> {
  const news = await revocationsOf(db).findOne({ _id: 'api_keys', latest: { $ne: seen ?? '' } });
  if (!news) return null;
  // A restored backup goes back to an earlier entry. Then, as after too many, the last one seen is not there.
  const at = news.recent.findIndex(({ id }) => id === seen);
  const keyIds = at < 0 ? undefined : news.recent.slice(at + 1).map(({ key_id: keyId }) => keyId);
  return { keyIds, latest: news.latest };
}

function revocationsOf(db: Db): Collection<Revocations> {
  return db.collection('key_revocations');
}
