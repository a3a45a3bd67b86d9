import { useCutOffApi } from '../support/build-api';
import { useStack } from '../support/build-stack';
import { PROMISED_MS, revocationsOf } from '../support/key-revocation';

const stack = useStack({ role: 'api' });
/** Another process, on its own way to the database. */
const other = useCutOffApi(stack);
const { revoke, statusOf, warm, takenForMs, longestTakenMs } = revocationsOf(stack);

it.each([
  ['for a moment', false, 10],
  ['until calls are answered 503', true, 2],
])('a key revoked while the instance is disconnected %s is refused in under a second', async (_what, long, rounds) => {
  for (let round = 0; round < rounds; round += 1) {
    const { key, keyId } = await stack.account();
    await warm(other.url, key);
    other.cut();
    await revoke(keyId);
    const revokedAt = performance.now();
    if (long) expect(await statusOf(other.url, key)).toBe(503);
    other.mend();

    expect(await takenForMs(other.url, key, revokedAt)).toBeLessThan(PROMISED_MS);
  }
  // It is back after the cut.
  expect(await longestTakenMs([other.url], await stack.account())).toBeLessThan(PROMISED_MS);
});

it('a revocation is noticed after the record of revocations was dropped', async () => {
  await longestTakenMs([stack.url, other.url], await stack.account());
  await stack.mongo.db.collection('key_revocations').drop();

  for (let count = 0; count < 5; count += 1) {
    const taken = await longestTakenMs([stack.url, other.url], await stack.account());
    expect(taken).toBeLessThan(PROMISED_MS);
  }
});
