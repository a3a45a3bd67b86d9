import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoClient,
  MongoDriverError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type OptionalUnlessRequiredId,
  type WithId,
  type WriteConcernSettings,
} from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection';
import type { ListPosition } from './cursor';
import { tryUntilDone } from './sleep';
import { createWriteGroup, type WriteGroup } from './write-groups';

/** A connection to MongoDB and the product's database on it. */
export interface Mongo {
  readonly client: MongoClient;
  readonly db: Db;
  /** Resolves when the primary answers. */
  ping(): Promise<void>;
  /** The server's version, such as `8.0.17`. */
  version(): Promise<string>;
  close(): Promise<void>;
}

/** Acknowledged by a majority and journaled: what a promise needs. */
export const DURABLE = { w: 'majority', journal: true, wtimeoutMS: 10_000 } as const;

/** Acknowledged by the primary's memory: for counters and claims whose loss costs nothing that was promised. */
export const FAST = { w: 1, journal: false } as const;

const DUPLICATE_KEY = 11_000;
const BAD_VALUE = 2;
const DEFAULT_DATABASE = 'everpost';

/** Between two tries of the first connection. */
const RECONNECT_DELAY_MS = 500;

/** A connection string may set others. */
const CLIENT_OPTIONS = {
  // An API caller gets a 503 after this, not a hanging request.
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  socketTimeoutMS: 20_000,
  maxPoolSize: 50,
  // Of an operation that finds no connection free: as long as a write may wait for its majority.
  waitQueueTimeoutMS: 10_000,
};

/**
 * Connects in the background, for as long as it takes: a process can start before its database. Operations fail until
 * then, so that an API answers 503.
 *
 * @param uri the standard connection string; its path names the database (default `everpost`)
 */
export function createMongo(uri: string): Mongo {
  const client = new MongoClient(uri, {
    appName: 'everpost',
    ...ownOptions(uri),
    writeConcern: DURABLE,
    readPreference: 'primary',
  });
  const closed = new AbortController();
  // After it has succeeded once the driver reconnects by itself. Mends mongodb 7.9: when the server is not there at the first
  // operation, every later one fails with "Topology is closed", for ever, unless somebody connects. Whoever asks for
  // something meanwhile is told why.
  const retry = { everyMs: RECONNECT_DELAY_MS, signal: closed.signal };
  const connect = async (): Promise<void> => {
    closed.signal.throwIfAborted();
    await client.connect();
  };
  tryUntilDone(connect, retry).catch(() => undefined);
  const named = client.options.dbName;
  const db = client.db(named && named !== 'test' ? named : DEFAULT_DATABASE);
  return {
    client,
    db,
    ping: async () => void (await db.command({ ping: 1 })),
    version: async () => String((await db.command({ buildInfo: 1 }))['version']),
    close: async () => {
      closed.abort();
      await client.close();
    },
  };
}

/** Our options without those that the connection string sets: the driver prefers ours to the string's. */
function ownOptions(uri: string): Partial<typeof CLIENT_OPTIONS> {
  const query = uri.slice(uri.indexOf('?') + 1).toLowerCase();
  const set = new Set(new URLSearchParams(query).keys());
  return Object.fromEntries(Object.entries(CLIENT_OPTIONS).filter(([name]) => !set.has(name.toLowerCase())));
}

const writeCommand = Connection.prototype.writeCommand;

/**
 * Mends mongodb 7.9. When MongoDB goes away, there is a moment in which a pooled connection's socket has ended and has
 * not said `close` yet. The driver writes to such a socket and waits for a `drain` that never comes: the operation, and
 * every call that waits for it, hangs for ever (or it fails with Node's own EPIPE, which the driver does not try again).
 * Told that the connection is broken, it takes another one.
 */
Connection.prototype.writeCommand = async function writeToLiveSocket(this: Connection, command, options) {
  const { destroyed, readableEnded, writableEnded } = this.socket;
  if (destroyed || readableEnded || writableEnded) {
    const error = new MongoNetworkError('the connection has ended');
    this.onError(error);
    throw error;
  }
  return writeCommand.call(this, command, options);
};

const UNAVAILABLE_CODES = new Set([
  6, 7, 64, 89, 91, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031, 133, 134,
]);

/** Node's own errors about a connection that is gone: the driver passes them on when it writes to one. */
const SOCKET_CODES = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Whether the error means that MongoDB is away or can't keep a promise now, so that the caller should try again. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return SOCKET_CODES.has(String((error as { code?: unknown } | null)?.code));
  if (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoExpiredSessionError ||
    error instanceof MongoWriteConcernError ||
    // What the driver ran into by itself: a pool that was closed, a wait that took too long, half an answer.
    (error instanceof MongoDriverError && !(error instanceof MongoAPIError))
  ) {
    return true;
  }
  if (error instanceof MongoBulkWriteError) {
    // Around what broke the connection the driver wraps this class as well.
    if (error.result.getWriteConcernError() || isMongoUnavailable(error.errorResponse)) return true;
  }
  return error instanceof MongoServerError && UNAVAILABLE_CODES.has(Number(error.code));
}

/** Whether the error is a unique index refusing a second document. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Runs writes that are all there or none, durably. Every one of them takes the session.
 *
 * @param work may be run again: another writer came in between
 */
export function inTransaction<T>(db: Db, work: (session: ClientSession) => Promise<T>): Promise<T> {
  return db.client.withSession((session) => session.withTransaction(work, { writeConcern: DURABLE }));
}

/** Runs an upsert, and once more where two first ones came at once: the other one made the document, so now it is there. */
export async function upsertOnceMore<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return upsert();
  }
}

/** Whether the error is about an index that a query named and that is not there (yet). */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === BAD_VALUE && error.message.includes('hint');
}

/**
 * Inserts documents in one go.
 *
 * @returns for each, whether it was inserted: false where its id is taken
 * @throws whatever else went wrong; nothing is known about any of them then
 */
export async function insertAllNew<T extends Document>(
  collection: Collection<T>,
  documents: readonly OptionalUnlessRequiredId<T>[],
  writeConcern: WriteConcernSettings,
): Promise<boolean[]> {
  try {
    await collection.insertMany([...documents], { ordered: false, writeConcern });
    return documents.map(() => true);
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
    const failures = [error.writeErrors].flat();
    // Without a failed write it is a broken connection in the same class, and nobody knows what was written.
    if (failures.length === 0 || !failures.every(({ code }) => code === DUPLICATE_KEY)) throw error;
    const taken = new Set(failures.map(({ index }) => index));
    return documents.map((_, index) => !taken.has(index));
  }
}

/** A page of a list, newest first, behind the given position. */
export function findNewestFirst<T extends { readonly _id: string; readonly created_at: Date }>(
  collection: Collection<T>,
  filter: Filter<T>,
  limit: number,
  after: ListPosition | undefined,
): Promise<WithId<T>[]> {
  const behind = after && {
    $or: [{ created_at: { $lt: after.createdAt } }, { created_at: after.createdAt, _id: { $lt: after.id } }],
  };
  return collection
    .find({ ...filter, ...(behind as Filter<T>) })
    .sort({ created_at: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

/**
 * Reads by id; concurrent reads become one query, and the same id is asked for once.
 *
 * @param by the field with a unique index that is asked for
 */
export function createReadGroup<S extends Document, T extends Document = S, By extends keyof S & string = '_id'>(
  collection: Collection<S>,
  projection?: Document,
  by = '_id' as By,
): WriteGroup<S[By], T | null> {
  return createLookUpGroup(
    (ids) => collection.find<T>({ [by]: { $in: ids } } as Filter<S>, projection ? { projection } : {}).toArray(),
    (document) => document[by] as unknown as S[By],
  );
}

/**
 * Looks up by id; concurrent look-ups become one, and the same id is asked for once.
 *
 * @param findAll what there is of these ids, in any order
 */
export function createLookUpGroup<Id, T>(
  findAll: (ids: readonly Id[]) => Promise<readonly T[]>,
  idOf: (found: T) => Id,
): WriteGroup<Id, T | null> {
  return createWriteGroup(
    async (ids) => {
      const byId = new Map((await findAll([...new Set(ids)])).map((found) => [idOf(found), found]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    { maxItems: 200, maxInFlight: 4 },
  );
}
