"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.unknownKey = unknownKey;
exports.createKeyCache = createKeyCache;
const lru_cache_1 = require("lru-cache");
const errors_1 = require("../domain/errors");
const manage_keys_1 = require("./manage-keys");
const MAX_KEYS = 50_000;
const MAX_AGE_MS = 10_000;
const TOUCH_INTERVAL_MS = 5_000;
/** Every process must refuse a revoked key within a second, so a watch that was silent for longer counts as broken. */
const MAX_SILENCE_MS = 900;
/** The error for an unknown key, and in the same words for a revoked one. */
function unknownKey() {
    return new errors_1.UnauthorizedError('This API key does not exist or was revoked.', 'invalid_api_key');
}
/**
 * Looks keys up for authentication, and notes when they were used.
 *
 * Remembers keys for up to 10 seconds. A change stream takes a revoked key out of every process's memory in
 * milliseconds; while the stream is broken or silent nothing is remembered, so a revocation can't be missed. An expiry
 * is known beforehand: each look-up says how long the key is valid by the database's clock, and from then on it is
 * refused, remembered or not.
 *
 * @param deps `now` is a monotonic clock, in milliseconds
 */
function createKeyCache(deps) {
    const now = deps.now ?? (() => performance.now());
    const hashById = new Map();
    const remembered = new lru_cache_1.LRUCache({
        max: MAX_KEYS,
        ttl: MAX_AGE_MS,
        dispose: ({ record }) => hashById.delete(record._id),
    });
    const accountByHash = new lru_cache_1.LRUCache({ max: MAX_KEYS });
    const uses = createUseLog(deps);
    let caughtUpAt = Number.NEGATIVE_INFINITY;
    /** Grows with each change, so that a look-up that was under way then is not remembered. */
    let changes = 0;
    const isWatched = () => now() - caughtUpAt < MAX_SILENCE_MS;
    const forgetAll = () => {
        changes += 1;
        remembered.clear();
    };
    const stream = deps.keys.watch({
        onCaughtUp: () => {
            // After a silence nobody knows what a look-up of that time saw.
            if (!isWatched())
                forgetAll();
            caughtUpAt = now();
        },
        onChange: (keyId) => {
            changes += 1;
            const hash = hashById.get(keyId);
            if (hash !== undefined)
                remembered.delete(hash);
        },
        onBroken: (error) => {
            caughtUpAt = Number.NEGATIVE_INFINITY;
            forgetAll();
            deps.logger.warn({ err: error }, 'the watch on revoked keys broke; keys are looked up one by one until it is back');
        },
    });
    const lookUp = async (hash) => {
        const known = isWatched() && remembered.get(hash);
        if (known)
            return known;
        const seen = changes;
        const askedAt = now();
        const found = await deps.keys.findByHash(hash);
        if (!found)
            return null;
        // From the question on, not from the answer: rather a moment too early than one too late.
        const looked = { record: found.key, endsAt: askedAt + (found.expiresInMs ?? Number.POSITIVE_INFINITY) };
        if (isWatched() && seen === changes) {
            remembered.set(hash, looked);
            hashById.set(found.key._id, hash);
        }
        return looked;
    };
    return {
        /**
         * The active key, or why it is refused: unknown, revoked or expired. A caller who has the whole key may know which.
         * Rejects while MongoDB is away.
         */
        async find(key) {
            const hash = (0, manage_keys_1.hashApiKey)(key);
            const found = await lookUp(hash);
            if (!found || found.record.revoked_at)
                return { error: unknownKey() };
            const { record, endsAt } = found;
            if (now() >= endsAt)
                return { error: expiredKey(record) };
            accountByHash.set(hash, record.account_id);
            uses.note(record._id);
            return { record };
        },
        /** Whose key it was when it was last seen: for limit headers of a 503, never for access. */
        lastKnownAccount: (key) => accountByHash.get((0, manage_keys_1.hashApiKey)(key)),
        async close() {
            await stream.close();
            await uses.close();
        },
    };
}
/** Notes uses of keys, many at once every few seconds, and at the end. */
function createUseLog({ keys, logger }) {
    const uses = new Map();
    const write = async () => {
        const noted = new Map(uses);
        uses.clear();
        await keys.touch(noted).catch((error) => logger.debug({ err: error }, 'last use not noted'));
    };
    // One after the other, so that the end waits for what is being written.
    let written = Promise.resolve();
    const flush = () => (written = written.then(write));
    const timer = setInterval(() => void flush(), TOUCH_INTERVAL_MS).unref();
    return {
        note(keyId) {
            uses.set(keyId, { lastAt: new Date(), calls: (uses.get(keyId)?.calls ?? 0) + 1 });
        },
        async close() {
            clearInterval(timer);
            await flush();
        },
    };
}
function expiredKey({ expires_at: at }) {
    return new errors_1.UnauthorizedError(`This API key expired at ${at?.toISOString()}. Create another one.`, 'expired_api_key');
}
//# sourceMappingURL=key-cache.js.map