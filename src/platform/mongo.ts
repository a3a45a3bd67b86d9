import { readFileSync } from 'node:fs';
import {
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoServerError,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type OptionalUnlessRequiredId,
  type TopologyDescription,
  type WithId,
  type WriteConcernSettings,
} from 'mongodb';
import type { ListPosition } from './cursor';
import type { Logger } from './logger';
import { watchPool } from './mongo-pool';
import { noticeRouter } from './mongo-router';
import { mendDeadSockets } from './mongo-sockets';
import { sleep, tryUntilDone } from './sleep';
import { createWriteGroup, type WriteGroup } from './write-groups';

/** A connection to MongoDB and the product's database. */
export type Mongo = ReturnType<typeof createMongo>;

/** Acknowledged by a majority and journaled: required for everything that is promised. */
export const DURABLE = { w: 'majority', journal: true, wtimeoutMS: 10_000 } as const;

/** Acknowledged by the primary's memory: for counters and claims whose loss breaks no promise. */
export const FAST = { w: 1, journal: false } as const;

const DUPLICATE_KEY = 11_000;
const BAD_VALUE = 2;
const DEFAULT_DATABASE = 'everpost';

/** Between two tries of the first connection. */
const RECONNECT_DELAY_MS = 500;

/** A connection string may override these. */
const CLIENT_OPTIONS = {
  appName: 'everpost',
  // An API caller gets a 503 after this time, not a hanging request.
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  socketTimeoutMS: 20_000,
  maxPoolSize: 50,
  // For an operation that finds no free connection: as long as a write may wait for its majority.
  waitQueueTimeoutMS: 10_000,
};

/**
 * Connects in the background, for as long as it takes: a process can start before its database. Operations fail until
 * then, so that an API answers 503.
 *
 * @param uri the standard connection string; its path names the database (default `everpost`)
 * @param logger hears once when the first connection fails, and when the primary goes away and comes back
 */
export function createMongo(uri: string, logger?: Logger) {
  mendDeadSockets(logger);
  const client = new MongoClient(uri, {
    ...ownOptions(uri),
    writeConcern: DURABLE,
    readPreference: 'primary',
  });
  noticeRouter(client);
  const pool = watchPool(client);
  const closed = new AbortController();
  // After the first success the driver reconnects by itself. Works around mongodb 7.9: if the server is away at the
  // first operation, every later one fails with "Topology is closed" forever, unless something connects. Operations
  // meanwhile fail with the reason.
  const at = client.options.srvHost ?? client.options.hosts.join(',');
  const retry = {
    everyMs: RECONNECT_DELAY_MS,
    signal: closed.signal,
    onFirstFailure: (error: unknown) => logger?.warn({ err: error }, `MongoDB at ${at} does not answer; retrying`),
  };
  if (logger) logOutages(client, at, logger, closed.signal);
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
    /** The connections that are in use, and the operations that wait for one. */
    pool,
    /** Resolves when the primary answers. */
    ping: async () => void (await db.command({ ping: 1 })),
    /** Whether the primary answers now. */
    isUp: (): Promise<boolean> =>
      db.command({ ping: 1 }).then(
        () => true,
        () => false,
      ),
    /** The server's version, such as `8.0.17`. */
    version: async () => String((await db.command({ buildInfo: 1 }))['version']),
    close: async (): Promise<void> => {
      closed.abort();
      await client.close();
    },
  };
}

/** Logs when the primary goes away, after it was there, and when it is there again. */
function logOutages(client: MongoClient, at: string, logger: Logger, closed: AbortSignal): void {
  let isAway = false;
  client.on('topologyDescriptionChanged', ({ previousDescription: before, newDescription: now }) => {
    if (closed.aborted) return;
    if (!isAway && hasPrimary(before) && !hasPrimary(now)) {
      isAway = true;
      const reason = [...now.servers.values()].find(({ error }) => error)?.error;
      logger.warn({ ...(reason && { err: reason }) }, `MongoDB at ${at} does not answer, or has no primary; retrying`);
    } else if (isAway && hasPrimary(now)) {
      isAway = false;
      logger.info(`MongoDB at ${at} answers again`);
    }
  });
}

function hasPrimary({ servers }: TopologyDescription): boolean {
  return [...servers.values()].some(({ isWritable }) => isWritable);
}

/**
 * Checks a connection string, without a connection. The driver's errors don't repeat its password.
 *
 * @returns the same string
 * @throws Error that says what is wrong with it
 */
export function parseMongoUri(uri: string): string {
  const { options } = new MongoClient(uri);
  for (const name of ['tlsCAFile', 'tlsCRLFile', 'tlsCertificateKeyFile'] as const) {
    const file = options[name];
    if (file !== undefined) requireFile(name, file);
  }
  return uri;
}

/** The driver would read it when it connects, and say that MongoDB does not answer. */
function requireFile(name: string, file: string): void {
  try {
    readFileSync(file);
  } catch (error) {
    throw new Error(`the file ${file} of ${name} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Our options without those that the connection string sets: the driver prefers options to the string. */
function ownOptions(uri: string): Partial<typeof CLIENT_OPTIONS> {
  const query = uri.slice(uri.indexOf('?') + 1).toLowerCase();
  const set = new Set(new URLSearchParams(query).keys());
  return Object.fromEntries(Object.entries(CLIENT_OPTIONS).filter(([name]) => !set.has(name.toLowerCase())));
}

/** The label of an error after which a transaction can be repeated, such as a conflict with another writer. */
const TRANSIENT = 'TransientTransactionError';

/** Whether the error is a unique index refusing a second document. @param field one of that index; any by default */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) return false;
  return field === undefined || Object.hasOwn((error.keyPattern ?? {}) as object, field);
}

/**
 * Runs writes as a whole or not at all, durably. Every one of them must use the session.
 *
 * Tries again for as long as a write may wait for its majority. The driver's `withTransaction` tries for two minutes,
 * whatever its options say, and a request would wait as long.
 *
 * @param work may run again if another writer came in between
 */
export function inTransaction<T>(db: Db, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const mayRepeat = (error: unknown, label: string): boolean =>
    error instanceof MongoError && error.hasErrorLabel(label) && performance.now() - startedAt < DURABLE.wtimeoutMS;
  const commit = async (session: ClientSession): Promise<void> => {
    try {
      await session.commitTransaction();
    } catch (error) {
      if (!mayRepeat(error, 'UnknownTransactionCommitResult')) throw error;
      await commit(session);
    }
  };
  return db.client.withSession(async (session) => {
    for (let tries = 1; ; tries += 1) {
      session.startTransaction({ writeConcern: DURABLE });
      try {
        const result = await work(session);
        await commit(session);
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction();
        if (!mayRepeat(error, TRANSIENT)) throw error;
        await sleep(Math.random() * Math.min(500, 5 * 1.5 ** tries));
      }
    }
  });
}

/**
 * Runs an upsert, and repeats it once if two inserts came at once: the other one made the document, so now it exists.
 */
export async function upsertOnceMore<T>(upsert: () => Promise<T>): Promise<T> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return upsert();
  }
}

/** Whether the error is about a missing index that a query named. */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === BAD_VALUE && error.message.includes('hint');
}

/**
 * Inserts documents in one go.
 *
 * @returns for each, whether it was inserted: false if its id is taken
 * @throws any other error; then it is unknown which were inserted
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
    // Without a failed write it is a broken connection in the same class, and it is unknown what was written.
    if (failures.length === 0 || !failures.every(({ code }) => code === DUPLICATE_KEY)) throw error;
    const taken = new Set(failures.map(({ index }) => index));
    return documents.map((_, index) => !taken.has(index));
  }
}

/**
 * A page of a list, newest first, after the given position.
 *
 * @param time the field by which it is ordered
 */
export function findNewestFirst<T extends { readonly _id: string }>(
  collection: Collection<T>,
  filter: Filter<T>,
  limit: number,
  after: ListPosition | undefined,
  time: keyof T & string = 'created_at' as keyof T & string,
): Promise<WithId<T>[]> {
  const behind = after && {
    $or: [{ [time]: { $lt: after.createdAt } }, { [time]: after.createdAt, _id: { $lt: after.id } }],
  };
  return collection
    .find({ $and: [filter, behind ?? {}] } as Filter<T>)
    .sort({ [time]: -1, _id: -1 })
    .limit(limit)
    .toArray();
}

/**
 * Reads by id. Concurrent reads become one query, with each id once.
 *
 * @param by the field with a unique index that is looked up
 */
export function createReadGroup<S extends Document, T extends Document = S, By extends keyof S & string = '_id'>(
  collection: Collection<S>,
  projection?: Document,
  by = '_id' as By,
): WriteGroup<S[By], T | null> {
  return createLookupGroup(
    (ids) => collection.find<T>({ [by]: { $in: ids } } as Filter<S>, projection ? { projection } : {}).toArray(),
    (document) => document[by] as unknown as S[By],
  );
}

/**
 * Looks up by id. Concurrent look-ups become one, with each id once.
 *
 * @param findAll returns the existing ones of these ids, in any order
 */
export function createLookupGroup<Id, T>(
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
