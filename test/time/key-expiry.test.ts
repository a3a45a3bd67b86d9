import { createKeyCache } from '../../src/keys/key-cache';
import type { ApiKey } from '../../src/domain/api-key-record';
import type { KeyStore } from '../../src/keys/key-store';
import { createLogger } from '../../src/platform/logger';
import { followEvents } from '../../src/cli/event-stream';
import { apiClient } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const SELF = '/api/v1/keys/self';

const stack = useStack({ role: 'api' });

const KEY: ApiKey = {
  _id: 'key_1',
  hash: 'unused',
  display: 'svc_live_weh_…0000',
  product: 'weh',
  label: 'test',
  account_id: 'acc_1',
  created_at: new Date(0),
  last_used_at: null,
  revoked_at: null,
  expires_at: new Date(60_000),
};

/** A cache that hears of revocations and its own clock, over a store with one key. */
function buildCache(expiresInMs: number | null) {
  const clock = { now: 0 };
  let lookUps = 0;
  let caughtUp = (): void => undefined;
  const store: Pick<KeyStore, 'findByHash' | 'touch' | 'followRevocations'> = {
    findByHash: async () => {
      lookUps += 1;
      return { key: KEY, expiresInMs: expiresInMs === null ? null : expiresInMs - clock.now };
    },
    touch: async () => undefined,
    followRevocations: (follower, now) => {
      caughtUp = () => follower.onCaughtUp(now());
      return { close: async () => undefined };
    },
  };
  const cache = createKeyCache({ keys: store as KeyStore, logger: createLogger('silent'), now: () => clock.now });
  return {
    lookUps: () => lookUps,
    silence: () => (caughtUp = () => undefined),
    close: () => cache.close(),
    /** Uses the key at a given time; until then it hears normally. */
    async at(now: number) {
      for (; clock.now < now; clock.now = Math.min(now, clock.now + 500)) caughtUp();
      caughtUp();
      return cache.find('svc_live_weh_x', '127.0.0.1');
    },
  };
}

const EXPIRED = { error: expect.objectContaining({ code: 'expired_api_key' }) };

it('a cached key is refused from the moment it expires, without another look-up', async () => {
  const cache = buildCache(5_000);

  expect(await cache.at(1_000)).toEqual({ record: KEY });
  expect(await cache.at(4_999)).toEqual({ record: KEY });
  expect(await cache.at(5_000)).toEqual(EXPIRED);
  expect(await cache.at(5_100)).toEqual(EXPIRED);

  expect(cache.lookUps()).toBe(1);
  await cache.close();
});

it('while MongoDB does not say which keys were revoked, a key is looked up at each call, and still expires', async () => {
  const cache = buildCache(60_000);
  cache.silence();
  expect(await cache.at(1_000)).toEqual({ record: KEY });
  expect(await cache.at(59_999)).toEqual({ record: KEY });
  expect(await cache.at(60_000)).toEqual(EXPIRED);
  expect(cache.lookUps()).toBe(3);
  await cache.close();
});

it('a key without an expiry stays valid', async () => {
  const cache = buildCache(null);
  for (const now of [0, 5_000, 1_000_000]) expect(await cache.at(now)).toEqual({ record: KEY });
  await cache.close();
});

it("no call sent after a key's expiry is accepted, by the database's clock (a real wait of 2 s)", async () => {
  const { key, keyId } = await stack.account({ expiresIn: '2s' });
  const taken: number[] = [];
  await eventually(
    async () => {
      const sentAt = Date.now();
      const { status, body } = await apiClient(stack.url, key).get(SELF);
      if (status === 200) taken.push(sentAt);
      return body.code;
    },
    (code) => code === 'expired_api_key',
  );

  const stored = await stack.mongo.db.collection<{ _id: string; expires_at: Date }>('api_keys').findOne({ _id: keyId });
  // The database is on this machine: one clock.
  expect(taken.filter((sentAt) => sentAt > stored!.expires_at.getTime())).toEqual([]);
});

it("an expired key's stream ends and says why; another key's stream continues", async () => {
  const { key, keyId } = await stack.account({ expiresIn: '1h' });
  const other = await stack.account();
  const stop = new AbortController();
  const follow = async (token: string, onOpen: () => void): Promise<void> => {
    const options = { url: stack.url, key: token, events: '*', signal: stop.signal, onNotice: () => undefined, onOpen };
    for await (const _event of followEvents(options));
  };
  let otherEnded = false;
  let otherStream = Promise.resolve();
  await new Promise<void>((resolve) => {
    otherStream = follow(other.key, resolve).finally(() => (otherEnded = true));
  });
  const expire = (): void => {
    void stack.mongo.db
      .collection<{ _id: string }>('api_keys')
      .updateOne({ _id: keyId }, [{ $set: { expires_at: '$$NOW' } }]);
  };

  await expect(follow(key, expire)).rejects.toThrow('The API key expired.');

  expect(otherEnded).toBe(false);
  stop.abort();
  await otherStream;
});
