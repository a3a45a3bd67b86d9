import { followEvents } from '../../src/cli/event-stream';
import { useApi } from '../support/build-api';
import { buildCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { PROMISED_MS, revocationsOf } from '../support/key-revocation';

const stack = useStack({ role: 'api' });
/** Another process. */
const other = useApi(stack);
const { statusOf, revoke, warm, longestTakenMs } = revocationsOf(stack);
const urls = (): string[] => [stack.url, other.url];

it('every instance refuses a revoked key in under a second, and other keys keep working', async () => {
  const another = await stack.account();
  await warm(stack.url, another.key);

  for (let count = 0; count < 15; count += 1) {
    expect(await longestTakenMs(urls(), await stack.account())).toBeLessThan(PROMISED_MS);
  }

  expect(await statusOf(stack.url, another.key)).toBe(200);
});

it('a revoked key stays revoked', async () => {
  const { key, keyId } = await stack.account();
  await longestTakenMs(urls(), { key, keyId });

  const [revoked, again] = [await revoke(keyId), await revoke(keyId)];

  expect(again!.revoked_at).toEqual(revoked!.revoked_at);
  expect(await statusOf(stack.url, key)).toBe(401);
});

it("a revoked key's stream of events ends, and brings no event sent a second later", async () => {
  const api = await buildCaller(stack);
  const { key, keyId } = await stack.account();
  await stack.mongo.db
    .collection<{ _id: string }>('api_keys')
    .updateOne({ _id: keyId }, { $set: { account_id: api.accountId } });
  const sentAt = new Map<number, number>();
  const seen: number[] = [];
  let revokedAt = Number.POSITIVE_INFINITY;
  let ended = false;
  const follow = async (): Promise<void> => {
    const signal = new AbortController().signal;
    const options = { url: stack.url, key, events: '*', signal, onNotice: () => undefined, onOpen: () => undefined };
    for await (const { id } of followEvents(options)) {
      seen.push(id);
      if (seen.length > 1) continue;
      await revoke(keyId);
      revokedAt = performance.now();
    }
  };
  const send = async (): Promise<void> => {
    while (!ended) {
      const at = performance.now();
      sentAt.set((await api.ingest()).id, at);
    }
  };

  const following = follow().finally(() => (ended = true));
  await Promise.all([expect(following).rejects.toThrow('The API key was revoked.'), send()]);

  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((id) => sentAt.get(id)! > revokedAt + PROMISED_MS)).toEqual([]);
});

it('a key is looked up once in 10 seconds while the change stream works', async () => {
  const { db } = stack.mongo;
  const { key } = await stack.account();
  await warm(stack.url, key);

  await db.command({ profile: 2 });
  for (let count = 0; count < 10; count += 1) expect(await statusOf(stack.url, key)).toBe(200);
  await db.command({ profile: 0 });

  const isLookUp = { ns: `${db.databaseName}.api_keys`, op: 'query' };
  // One more where its 10 seconds happen to end.
  expect(await db.collection('system.profile').countDocuments(isLookUp)).toBeLessThanOrEqual(1);
});
