import type { ApiKey } from '../../src/domain/api-key-record';
import { createKeyCache } from '../../src/keys/key-cache';
import type { KeyStore, KeyUse } from '../../src/keys/key-store';
import { createLogger } from '../../src/platform/logger';

// Calls of a key, and its last use.

const FLUSH_MS = 5_000;
const FIRST_AT = Date.parse('2026-11-21T12:00:00.000Z');

beforeEach(() => jest.useFakeTimers({ now: FIRST_AT }));
afterEach(() => jest.useRealTimers());

it('uses that could not be stored are stored later, in one sum', async () => {
  const stored: (readonly [string, KeyUse])[] = [];
  let isAway = true;
  const keys: Pick<KeyStore, 'findByHash' | 'touch' | 'followRevocations'> = {
    findByHash: () => Promise.resolve({ key: { _id: 'key_1', account_id: 'acc_1' } as ApiKey, expiresInMs: null }),
    touch(uses) {
      if (isAway) return Promise.reject(new Error('away'));
      stored.push(...uses);
      return Promise.resolve();
    },
    followRevocations: () => ({ close: () => Promise.resolve() }),
  };
  const cache = createKeyCache({ keys: keys as KeyStore, logger: createLogger('silent') });
  await cache.find('svc_live_weh_x', '203.0.113.1');
  await jest.advanceTimersByTimeAsync(FLUSH_MS);
  isAway = false;

  await cache.find('svc_live_weh_x', '203.0.113.2');
  await cache.close();

  const lastAt = new Date(FIRST_AT + FLUSH_MS);
  expect(stored).toEqual([['key_1', { lastAt, address: '203.0.113.2', calls: 2 }]]);
});
