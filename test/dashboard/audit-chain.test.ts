import type { Document } from 'mongodb';
import { digestOf, hashOf } from '../../src/accounts/audit-chain';
import { apiClient } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { cliOf } from '../support/run-cli';

// No entry of the audit log can be changed, removed or added unseen.

const stack = useStack();

interface Log {
  readonly log: string;
  readonly entries: number;
  readonly erased: number;
  readonly last: number;
  readonly problem: string | null;
}

const log = () => stack.mongo.db.collection<Document & { _id: string }>('audit_log');

/** An account with a log of some entries. */
async function buildLog() {
  const { accountId, key } = await stack.account();
  const api = apiClient(stack.url, key);
  for (const path of ['a', 'b', 'c'])
    await api.post('/api/v1/webhooks/endpoints', { url: `https://example.com/${path}` });
  const entries = await log().find({ account_id: accountId }).sort({ seq: 1 }).toArray();
  return { accountId, api, entries };
}

const verified = async (accountId: string): Promise<Log> => {
  const logs = await cliOf(stack).json<Log[]>('audit', 'verify');
  return logs.find((each) => each.log === accountId)!;
};

const refused = () => cliOf(stack).printed('audit', 'verify');

it('each entry holds the hash of the one before it', async () => {
  const { accountId, entries } = await buildLog();

  expect(entries.map(({ seq }) => seq as number)).toEqual(entries.map((_, index) => index + 1));
  expect(entries[0]!['previous']).toBe('');
  for (const [index, entry] of entries.slice(1).entries())
    expect(entry['previous']).toBe(hashOf(entries[index] as never));
  for (const entry of entries) expect(entry['digest']).toBe(digestOf(entry['salt'] as string, entry as never));
  expect(await verified(accountId)).toMatchObject({ entries: entries.length, last: entries.length, problem: null });
});

it('calls at the same time write one chain', async () => {
  const { accountId, api } = await buildLog();

  await Promise.all(
    Array.from({ length: 8 }, (_, n) => api.post('/api/v1/webhooks/endpoints', { url: `https://example.com/${n}` })),
  );

  const { entries, last, problem } = await verified(accountId);
  expect([last, problem]).toEqual([entries, null]);
  expect(await log().countDocuments({ account_id: accountId })).toBe(entries);
});

describe('a log is found to be changed when', () => {
  it.each<[string, (entries: readonly (Document & { _id: string })[]) => Promise<unknown>, RegExp]>([
    [
      'an entry says something else',
      ([, second]) => log().updateOne({ _id: second!._id }, { $set: { 'actor.name': 'someone else' } }),
      /entry 2 \(aud_\w+\) was changed/,
    ],
    [
      'an entry says something else, with a digest that fits',
      ([, second]) => {
        const changed = { ...second!, address: '10.0.0.1' };
        const digest = digestOf(second!['salt'] as string, changed as never);
        return log().updateOne({ _id: second!._id }, { $set: { address: '10.0.0.1', digest } });
      },
      /entry 2 was changed, or entry 3/,
    ],
    [
      'an entry in the middle is removed',
      ([, second]) => log().deleteOne({ _id: second!._id }),
      /entries 2 to 2 are missing/,
    ],
    [
      'the last entry is removed',
      (entries) => log().deleteOne({ _id: entries.at(-1)!._id }),
      /entries \d+ to \d+ are missing/,
    ],
    [
      'the last entry says something else, with a digest that fits',
      (entries) => {
        const last = entries.at(-1)!;
        const digest = digestOf(last['salt'] as string, { ...last, object: 'ep_x' } as never);
        return log().updateOne({ _id: last._id }, { $set: { object: 'ep_x', digest } });
      },
      /entry \d+ was changed/,
    ],
    [
      'an entry is added',
      ([first, second]) => log().insertOne({ ...second!, _id: `${first!._id}x`, object: 'ep_x' }),
      /entry 2 is there twice|entry 2 \(aud_\w+\) was changed/,
    ],
  ])('%s', async (_, tamper, problem) => {
    const { accountId, entries } = await buildLog();
    await tamper(entries);

    await expect(refused()).rejects.toMatchObject({
      code: 'audit_log_changed',
      message: expect.stringMatching(new RegExp(`${accountId}: ${problem.source}`)),
    });

    // The logs of the other tests stay right.
    await stack.mongo.db.collection('audit_log').deleteMany({ account_id: accountId });
    await stack.mongo.db.collection<{ _id: string }>('audit_heads').deleteOne({ _id: accountId });
  });
});

it('a deleted account leaves hashes in the place of its entries, and the rest can be verified', async () => {
  const { accountId, entries } = await buildLog();
  await cliOf(stack).json('account', 'suspend', '--id', accountId);
  // A deletion waits for calls that the suspension found under way.
  await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: accountId }, { $set: { suspended_at: new Date(0) } });
  await cliOf(stack).json('account', 'delete', '--id', accountId);

  const { erased, problem } = await verified(accountId);

  expect([erased, problem]).toEqual([entries.filter(({ actor }) => actor.type === 'key').length, null]);
  const left = await stack.mongo.db.collection('audit_erased').findOne({ account_id: accountId });
  expect(Object.keys(left!).toSorted()).toEqual(['_id', 'account_id', 'at', 'digest', 'previous', 'seq']);
});

it('the export as JSON lines has the entries with their hashes, so that they can be verified elsewhere', async () => {
  const { accountId, entries } = await buildLog();

  const lines = (await cliOf(stack).printed('audit', 'export', '--account', accountId, '--format', 'jsonl')).split(
    '\n',
  );

  // The export itself is the newest entry.
  const exported = lines.map((line) => JSON.parse(line)).toReversed();
  expect(exported).toHaveLength(entries.length + 1);
  for (const { id, at, ...entry } of exported)
    expect(digestOf(entry.salt, { ...entry, _id: id, at: new Date(at) })).toBe(entry.digest);
});
