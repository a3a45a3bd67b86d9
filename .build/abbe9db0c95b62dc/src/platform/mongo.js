"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.FAST = exports.DURABLE = void 0;
exports.createMongo = createMongo;
exports.isMongoUnavailable = isMongoUnavailable;
exports.isDuplicateKey = isDuplicateKey;
exports.inTransaction = inTransaction;
exports.upsertOnceMore = upsertOnceMore;
exports.isMissingIndex = isMissingIndex;
exports.insertAllNew = insertAllNew;
exports.createReadGroup = createReadGroup;
exports.createLookUpGroup = createLookUpGroup;
const promises_1 = require("node:timers/promises");
const mongodb_1 = require("mongodb");
const connection_1 = require("mongodb/lib/cmap/connection");
const write_groups_1 = require("./write-groups");
/** Acknowledged by a majority and journaled: what a promise needs. */
exports.DURABLE = { w: 'majority', journal: true, wtimeoutMS: 10_000 };
/** Acknowledged by the primary's memory: for counters and claims whose loss costs nothing that was promised. */
exports.FAST = { w: 1, journal: false };
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
function createMongo(uri) {
    const client = new mongodb_1.MongoClient(uri, {
        appName: 'everpost',
        ...ownOptions(uri),
        writeConcern: exports.DURABLE,
        readPreference: 'primary',
    });
    const closed = new AbortController();
    void connectOnce(client, closed.signal);
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
function ownOptions(uri) {
    const query = uri.slice(uri.indexOf('?') + 1).toLowerCase();
    const set = new Set(new URLSearchParams(query).keys());
    return Object.fromEntries(Object.entries(CLIENT_OPTIONS).filter(([name]) => !set.has(name.toLowerCase())));
}
/**
 * Connects until it has succeeded once; after that the driver sees to itself. Mends mongodb 7.9: when the server is not
 * there at the first operation, every later one fails with "Topology is closed", for ever, unless somebody connects.
 */
async function connectOnce(client, closed) {
    while (!closed.aborted) {
        try {
            await client.connect();
            return;
        }
        catch {
            // Whoever asks for something meanwhile is told why.
            await (0, promises_1.setTimeout)(RECONNECT_DELAY_MS, undefined, { signal: closed, ref: false }).catch(() => undefined);
        }
    }
}
const writeCommand = connection_1.Connection.prototype.writeCommand;
/**
 * Mends mongodb 7.9. When MongoDB goes away, there is a moment in which a pooled connection's socket has ended and has
 * not said `close` yet. The driver writes to such a socket and waits for a `drain` that never comes: the operation, and
 * every call that waits for it, hangs for ever (or it fails with Node's own EPIPE, which the driver does not try again).
 * Told that the connection is broken, it takes another one.
 */
connection_1.Connection.prototype.writeCommand = async function writeToLiveSocket(command, options) {
    const { destroyed, readableEnded, writableEnded } = this.socket;
    if (destroyed || readableEnded || writableEnded) {
        const error = new mongodb_1.MongoNetworkError('the connection has ended');
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
function isMongoUnavailable(error) {
    if (!(error instanceof mongodb_1.MongoError))
        return SOCKET_CODES.has(String(error?.code));
    if (error instanceof mongodb_1.MongoNetworkError ||
        error instanceof mongodb_1.MongoServerSelectionError ||
        error instanceof mongodb_1.MongoNotConnectedError ||
        error instanceof mongodb_1.MongoServerClosedError ||
        error instanceof mongodb_1.MongoTopologyClosedError ||
        error instanceof mongodb_1.MongoExpiredSessionError ||
        error instanceof mongodb_1.MongoWriteConcernError ||
        // What the driver ran into by itself: a pool that was closed, a wait that took too long, half an answer.
        (error instanceof mongodb_1.MongoDriverError && !(error instanceof mongodb_1.MongoAPIError))) {
        return true;
    }
    if (error instanceof mongodb_1.MongoBulkWriteError) {
        // Around what broke the connection the driver wraps this class as well.
        if (error.result.getWriteConcernError() || isMongoUnavailable(error.errorResponse))
            return true;
    }
    return error instanceof mongodb_1.MongoServerError && UNAVAILABLE_CODES.has(Number(error.code));
}
/** Whether the error is a unique index refusing a second document. */
function isDuplicateKey(error) {
    return error instanceof mongodb_1.MongoServerError && error.code === DUPLICATE_KEY;
}
/**
 * Runs writes that are all there or none, durably. Every one of them takes the session.
 *
 * @param work may be run again: another writer came in between
 */
function inTransaction(db, work) {
    return db.client.withSession((session) => session.withTransaction(work, { writeConcern: exports.DURABLE }));
}
/** Runs an upsert, and once more where two first ones came at once: the other one made the document, so now it is there. */
async function upsertOnceMore(upsert) {
    try {
        return await upsert();
    }
    catch (error) {
        if (!isDuplicateKey(error))
            throw error;
        return upsert();
    }
}
/** Whether the error is about an index that a query named and that is not there (yet). */
function isMissingIndex(error) {
    return error instanceof mongodb_1.MongoServerError && error.code === BAD_VALUE && error.message.includes('hint');
}
/**
 * Inserts documents in one go.
 *
 * @returns for each, whether it was inserted: false where its id is taken
 * @throws whatever else went wrong; nothing is known about any of them then
 */
async function insertAllNew(collection, documents, writeConcern) {
    try {
        await collection.insertMany([...documents], { ordered: false, writeConcern });
        return documents.map(() => ({ value: true }));
    }
    catch (error) {
        if (!(error instanceof mongodb_1.MongoBulkWriteError) || error.result.getWriteConcernError())
            throw error;
        const failures = [error.writeErrors].flat();
        // Without a failed write it is a broken connection in the same class, and nobody knows what was written.
        if (failures.length === 0 || !failures.every(({ code }) => code === DUPLICATE_KEY))
            throw error;
        const taken = new Set(failures.map(({ index }) => index));
        return documents.map((_, index) => ({ value: !taken.has(index) }));
    }
}
/**
 * Reads by id; concurrent reads become one query, and the same id is asked for once.
 *
 * @param by the field with a unique index that is asked for
 */
function createReadGroup(collection, projection, by = '_id') {
    return createLookUpGroup((ids) => collection.find({ [by]: { $in: ids } }, projection ? { projection } : {}).toArray(), (document) => document[by]);
}
/**
 * Looks up by id; concurrent look-ups become one, and the same id is asked for once.
 *
 * @param findAll what there is of these ids, in any order
 */
function createLookUpGroup(findAll, idOf) {
    return (0, write_groups_1.createWriteGroup)(async (ids) => {
        const byId = new Map((await findAll([...new Set(ids)])).map((found) => [idOf(found), found]));
        return ids.map((id) => ({ value: byId.get(id) ?? null }));
    }, { maxItems: 200, maxInFlight: 4 });
}
//# sourceMappingURL=mongo.js.map