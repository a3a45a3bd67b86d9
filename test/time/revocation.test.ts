import { createDeletionStore } from '../../src/account-lifecycle/deletion-store';
import { followEvents } from '../../src/cli/event-stream';
import { noteRevoked } from '../../src/keys/revocation-store';
import { useApi } from '../support/build-api';
import { buildCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { PROMISED_MS, revocationsOf } from '../support/key-revocation';

const stack = useStack({ role: 'api' });
/** Another process. */
const other = useApi(stack);
const { statusOf, revoke, warm, takenForMs, longestTakenMs } = revocationsOf(stack);
const urls = (): string[] => [stack.url, other.url];

it('every instance refuses a revoked key in under a second, and other keys keep working', async () => {
  const another = await stack.account();
  await warm(stack.url, another.key);

  for (let count = 0; count < 15; count += 1) {
    expect(await longestTakenMs(urls(), await stack.account())).toBeLessThan(PROMISED_MS);
  }

  expect(await statusOf(stack.url, another.key)).toBe(200);
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

it('a key is looked up once in 10 seconds while MongoDB says which keys were revoked', async () => {
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

it('keys that are revoked at once are all refused in under a second, however many were, and others keep working', async () => {
  const { db } = stack.mongo;
  const [kept, ...gone] = await Promise.all(Array.from({ length: 7 }, () => stack.account()));
  for (const { key } of [kept!, ...gone]) await warm(stack.url, key);

  // With these it is more than the record of the last ones holds.
  const more = noteRevoked(
    db,
    Array.from({ length: 60 }, (_, index) => `key_${index}`),
  );
  await Promise.all([...gone.map(({ keyId }) => revoke(keyId)), more]);
  const revokedAt = performance.now();
  const taken = await Promise.all(gone.map(({ key }) => takenForMs(stack.url, key, revokedAt)));

  expect(Math.max(...taken)).toBeLessThan(PROMISED_MS);
  expect(await statusOf(stack.url, kept!.key)).toBe(200);
  const { recent } = (await db.collection('key_revocations').findOne<{ recent: unknown[] }>({}))!;
  expect(recent).toHaveLength(50);
});

it('a revocation after a restore of an older backup is noticed too', async () => {
  const revocations = stack.mongo.db.collection('key_revocations');
  await longestTakenMs(urls(), await stack.account());
  const backup = (await revocations.findOne())!;
  await longestTakenMs(urls(), await stack.account());
  await revocations.replaceOne({ _id: backup._id }, backup);

  expect(await longestTakenMs(urls(), await stack.account())).toBeLessThan(PROMISED_MS);
});

it('the keys of a deleted account are forgotten in under a second', async () => {
  const { key, accountId } = await stack.account();
  await Promise.all(urls().map((url) => warm(url, key)));

  await createDeletionStore(stack.mongo.db).removeSome(accountId, 500);
  const removedAt = performance.now();

  const taken = await Promise.all(urls().map((url) => takenForMs(url, key, removedAt)));
  expect(Math.max(...taken)).toBeLessThan(PROMISED_MS);
});

it('MongoDB follows no changes for an API that no client listens to', async () => {
  const { client, db } = stack.mongo;
  const { key } = await stack.account();
  await warm(stack.url, key);

  const running = await client
    .db('admin')
    .aggregate([{ $currentOp: { idleCursors: true } }, { $match: { ns: new RegExp(`^${db.databaseName}\\.`) } }])
    .toArray();

  // Each change stream makes it read its whole oplog once more.
  expect(running.filter((operation) => JSON.stringify(operation).includes('$changeStream'))).toEqual([]);
});
