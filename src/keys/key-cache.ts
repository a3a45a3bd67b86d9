import { LRUCache } from 'lru-cache';
import { isManagementKey, type AnyKey } from '../domain/api-key-record';
import { UnauthorizedError } from '../domain/errors';
import type { Logger } from '../platform/logger';
import { createTally } from '../platform/tally';
import { hashApiKey } from './manage-keys';
import type { KeyStore, KeyUse } from './key-store';

const MAX_KEYS = 50_000;
const MAX_AGE_MS = 10_000;
const TOUCH_INTERVAL_MS = 5_000;
/** Every process must refuse a revoked key within a second, so a silence that lasts longer counts as a break. */
const MAX_SILENCE_MS = 900;

const BROKEN = 'MongoDB does not say which keys were revoked; keys are looked up one by one until it does';

/** The error for an unknown key, and with the same text for a revoked one. */
export function unknownKey(): UnauthorizedError {
  return new UnauthorizedError('This API key does not exist or was revoked.', 'invalid_api_key');
}

interface Remembered {
  readonly record: AnyKey;
  /** When it expires, on this process's monotonic clock. */
  readonly endsAt: number;
}

/** A key that may be used, or why it is refused. */
type KeyLookup = { readonly record: AnyKey } | { readonly error: UnauthorizedError };

export type KeyCache = ReturnType<typeof createKeyCache>;

/**
 * Looks keys up for authentication, and counts their uses.
 *
 * Caches keys for up to 10 seconds. It asks MongoDB four times a second which keys were revoked. While it gets no answer
 * nothing is cached, so a revocation can't be missed. An expiry is known in advance: each look-up returns how long the key is valid by the database's clock, and from then on it is
 * refused, cached or not.
 *
 * @param deps `now` is a monotonic clock, in milliseconds
 */
export function createKeyCache(deps: { keys: KeyStore; logger: Logger; now?: () => number }) {
  const now = deps.now ?? (() => performance.now());
  const hashById = new Map<string, string>();
  const remembered = new LRUCache<string, Remembered>({
    max: MAX_KEYS,
    ttl: MAX_AGE_MS,
    dispose: ({ record }) => hashById.delete(record._id),
  });
  const accountByHash = new LRUCache<string, string>({ max: MAX_KEYS });
  const uses = createUseLog(deps);
  /** When the last answered question was asked. */
  let caughtUpAt = Number.NEGATIVE_INFINITY;
  /** Increases with each change, so that a look-up under way at that moment is not cached. */
  let changes = 0;

  const isWatched = (): boolean => now() - caughtUpAt < MAX_SILENCE_MS;
  const forgetAll = (): void => {
    changes += 1;
    remembered.clear();
  };
  const following = deps.keys.followRevocations(
    {
      onCaughtUp: (askedAt) => {
        // After a silence it is unknown what a look-up during that time saw.
        if (!isWatched()) forgetAll();
        caughtUpAt = askedAt;
      },
      onRevoked: (keyIds) => {
        if (!keyIds) return forgetAll();
        changes += 1;
        for (const keyId of keyIds) remembered.delete(hashById.get(keyId) ?? '');
      },
      onBroken: (error) => {
        caughtUpAt = Number.NEGATIVE_INFINITY;
        forgetAll();
        deps.logger.warn({ err: error }, BROKEN);
      },
    },
    now,
  );

  const lookUp = async (hash: string): Promise<Remembered | null> => {
    const known = isWatched() && remembered.get(hash);
    if (known) return known;
    const seen = changes;
    const askedAt = now();
    const found = await deps.keys.findByHash(hash);
    if (!found) return null;
    // From the start of the query, not from the answer: rather a moment too early than too late.
    const looked = { record: found.key, endsAt: askedAt + (found.expiresInMs ?? Number.POSITIVE_INFINITY) };
    if (isWatched() && seen === changes) {
      remembered.set(hash, looked);
      hashById.set(found.key._id, hash);
    }
    return looked;
  };

  return {
    /**
     * The active key, or why it is refused: unknown, revoked or expired. A caller with the whole key may know which.
     * Rejects while MongoDB is away. @param address the client's, noted with the use
     */
    async find(key: string, address: string): Promise<KeyLookup> {
      const hash = hashApiKey(key);
      const found = await lookUp(hash);
      if (!found || found.record.revoked_at) return { error: unknownKey() };
      const { record, endsAt } = found;
      if (now() >= endsAt) return { error: expiredKey(record) };
      if (!isManagementKey(record)) accountByHash.set(hash, record.account_id);
      uses.note(record._id, address);
      return { record };
    },
    /** The last known account of a key: for the limit headers of a 503, never for access. */
    lastKnownAccount: (key: string): string | undefined => accountByHash.get(hashApiKey(key)),
    async close(): Promise<void> {
      await following.close();
      await uses.close();
    },
  };
}

/** Counts uses of keys, and stores many at once every few seconds, and at the end. */
function createUseLog({ keys, logger }: { keys: KeyStore; logger: Logger }) {
  const uses = createTally<KeyUse>({
    flushMs: TOUCH_INTERVAL_MS,
    merge: (earlier, { calls, ...later }) => ({ ...later, calls: earlier.calls + calls }),
    write: (noted) => keys.touch(noted),
    logger,
    failure: 'last use not noted yet',
  });
  return {
    note: (keyId: string, address: string): void => uses.add(keyId, { lastAt: new Date(), address, calls: 1 }),
    close: uses.close,
  };
}

function expiredKey({ expires_at: at }: AnyKey): UnauthorizedError {
  return new UnauthorizedError(`This API key expired at ${at?.toISOString()}. Create another one.`, 'expired_api_key');
}
