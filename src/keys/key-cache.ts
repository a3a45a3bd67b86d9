import { LRUCache } from 'lru-cache';
import type { Logger } from '../platform/logger';
import { hashApiKey } from './create-key';
import type { ApiKey, KeyStore, KeyUse } from './store';

/** Looks keys up for authentication, and notes when they were used. */
export interface KeyCache {
  /** The active key, or null when it is unknown or revoked. Rejects when MongoDB can't be asked. */
  findActive(key: string): Promise<ApiKey | null>;
  /** Whose key it was when it was last seen: for limit headers of a 503, never for access. */
  lastKnownAccount(key: string): string | undefined;
  close(): Promise<void>;
}

const MAX_KEYS = 50_000;
const MAX_AGE_MS = 10_000;
const TOUCH_INTERVAL_MS = 5_000;
/** A revocation is promised to hold everywhere in under a second, so a watch that was silent for longer is none. */
const MAX_SILENCE_MS = 900;

/**
 * Remembers keys for up to 10 seconds. A change stream takes a revoked key out of every process's memory in
 * milliseconds; while the stream is broken or silent nothing is remembered, so a revocation can't be missed.
 */
export function createKeyCache(deps: { keys: KeyStore; logger: Logger }): KeyCache {
  const hashById = new Map<string, string>();
  const remembered = new LRUCache<string, ApiKey>({
    max: MAX_KEYS,
    ttl: MAX_AGE_MS,
    dispose: (key) => hashById.delete(key._id),
  });
  const accountByHash = new LRUCache<string, string>({ max: MAX_KEYS });
  const uses = new Map<string, KeyUse>();
  let caughtUpAt = Number.NEGATIVE_INFINITY;
  /** Grows with each change, so that a look-up that was under way meanwhile is not remembered. */
  let changes = 0;

  const isWatched = (): boolean => performance.now() - caughtUpAt < MAX_SILENCE_MS;
  const forgetAll = (): void => {
    changes += 1;
    remembered.clear();
  };
  const stream = deps.keys.watch({
    onCaughtUp: () => {
      // After a silence nobody knows what a look-up of that time saw.
      if (!isWatched()) forgetAll();
      caughtUpAt = performance.now();
    },
    onChange: (keyId) => {
      changes += 1;
      const hash = hashById.get(keyId);
      if (hash !== undefined) remembered.delete(hash);
    },
    onBroken: (error) => {
      caughtUpAt = Number.NEGATIVE_INFINITY;
      forgetAll();
      deps.logger.warn(
        { err: error },
        'the watch on revoked keys broke; keys are looked up one by one until it is back',
      );
    },
  });

  const flush = async (): Promise<void> => {
    const noted = new Map(uses);
    uses.clear();
    await deps.keys.touch(noted).catch((error: unknown) => deps.logger.debug({ err: error }, 'last use not noted'));
  };
  const timer = setInterval(() => void flush(), TOUCH_INTERVAL_MS).unref();

  return {
    async findActive(key) {
      const hash = hashApiKey(key);
      let record = (isWatched() && remembered.get(hash)) || null;
      if (!record) {
        const seen = changes;
        record = await deps.keys.findByHash(hash);
        if (record && isWatched() && seen === changes) {
          remembered.set(hash, record);
          hashById.set(record._id, hash);
        }
      }
      if (!record || record.revoked_at) return null;
      accountByHash.set(hash, record.account_id);
      uses.set(record._id, { lastAt: new Date(), calls: (uses.get(record._id)?.calls ?? 0) + 1 });
      return record;
    },
    lastKnownAccount: (key) => accountByHash.get(hashApiKey(key)),
    async close() {
      clearInterval(timer);
      await stream.close();
      await flush();
    },
  };
}
