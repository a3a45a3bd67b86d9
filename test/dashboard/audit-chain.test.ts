import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { createAuditChainStore, eraseEntries } from '../../src/accounts/audit-chain-store';
import { digestOf } from '../../src/accounts/audit-chain';
import { loadConfig } from '../../src/config';
import { createMongo } from '../../src/platform/mongo';
import { apiClient } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';
import { useTemporaryFolder } from '../support/temporary-folder';

// No entry of the audit log can be changed, removed or put in between unseen. Without a worker: the tests chain themselves.

const stack = useStack({ role: 'api' });
const folder = useTemporaryFolder();

type Entry = Document & { readonly _id: string };

interface Log {
  readonly log: string;
  readonly entries: number;
  readonly erased: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly digest: string | null;
  readonly not_chained: number;
  readonly problem: string | null;
  readonly warning: string | null;
}

const log = () => stack.mongo.db.collection<Entry>('audit_log');
const heads = () => stack.mongo.db.collection<Entry>('audit_heads');
const chain = (db = stack.mongo.db) => createAuditChainStore(db);

async function chainAll(limit = 500): Promise<void> {
  for (let hasMore = true; hasMore;) {
    const { chained, mended } = await chain().chainNext(limit);
    hasMore = chained > 0 || mended.length > 0;
  }
}

/** An account with a log of four entries or more, in order. */
async function buildLog({ isChained = true } = {}) {
  const { accountId, key } = await stack.account();
  const api = apiClient(stack.url, key);
  const change = (path: string) => api.post('/api/v1/webhooks/endpoints', { url: `https://example.com/${path}` });
  for (const path of ['a', 'b', 'c']) await change(path);
  if (isChained) await chainAll();
  const entries = await log().find({ account_id: accountId }).sort({ at: 1, _id: 1 }).toArray();
  return { accountId, change, entries };
}

/** @throws the refusal of the command */
const verified = async (accountId: string, ...options: string[]): Promise<Log> =>
  (await cliOf(stack).json<Log[]>('audit', 'verify', '--account', accountId, ...options))[0]!;

const expectRefused = (accountId: string, problem: RegExp, ...options: string[]) =>
  expect(verified(accountId, ...options)).rejects.toMatchObject({
    code: 'audit_log_changed',
    message: expect.stringMatching(new RegExp(`\n${accountId}: ${problem.source}$`)),
  });

describe('the chain', () => {
  it('has each entry of a log once, in the order of time, with the digest of the one before', async () => {
    const { accountId, entries } = await buildLog();

    expect(entries.map(({ seq }) => seq as number)).toEqual(entries.map((_, index) => index + 1));
    expect(entries.map(({ previous }) => previous as unknown)).toEqual([
      null,
      ...entries.slice(0, -1).map(({ digest }) => digest as unknown),
    ]);
    expect(entries.map(digestOf)).toEqual(entries.map(({ digest }) => digest as unknown));
    const { digest } = entries.at(-1)!;
    const whole = { first: 1, last: entries.length, entries: entries.length, digest, erased: 0, not_chained: 0 };
    expect(await verified(accountId)).toMatchObject({ ...whole, problem: null, warning: null });
  });

  it('is one chain whatever the size of a step, also for what was written before there was a chain', async () => {
    const { accountId, entries } = await buildLog({ isChained: false });
    await log().insertOne({ _id: 'aud_from_before', at: new Date(0), account_id: accountId, actor: {}, action: 'x' });
    await chainAll(1);

    const { last, problem } = await verified(accountId);
    expect([last, problem]).toEqual([entries.length + 1, null]);
    expect(await log().findOne({ _id: 'aud_from_before' })).toMatchObject({ seq: 1, previous: null });
  });

  it('chains an entry that becomes visible late behind those that were chained before it', async () => {
    const { accountId, entries } = await buildLog();
    const session = stack.mongo.client.startSession();
    session.startTransaction();
    const late = { account_id: accountId, actor: { type: 'cli' }, action: 'account.viewed' };
    await log().insertOne({ _id: `aud_late_${accountId}`, at: new Date(), ...late }, { session });
    await log().insertOne({ _id: `aud_next_${accountId}`, at: new Date(Date.now() + 1_000), ...late });
    await chainAll();
    await session.commitTransaction();
    await session.endSession();
    await chainAll();

    expect(await log().findOne({ _id: `aud_next_${accountId}` })).toMatchObject({ seq: entries.length + 1 });
    expect(await log().findOne({ _id: `aud_late_${accountId}` })).toMatchObject({ seq: entries.length + 2 });
    expect((await verified(accountId)).problem).toBeNull();
  });

  it('stays one chain when several processes chain at once, while entries are written', async () => {
    const { accountId, change } = await buildLog({ isChained: false });
    const processes = Array.from({ length: 3 }, () => createMongo(stack.config.mongodb.uri!));
    let isWriting = true;
    const chaining = processes.map(async ({ db }) => {
      while (isWriting)
        await chain(db)
          .chainNext(3)
          .catch(() => undefined);
    });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => change(String(n))));
    isWriting = false;
    await Promise.all(chaining);
    await Promise.all(processes.map((it) => it.close()));
    await chainAll();

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const written = await log().countDocuments({ account_id: accountId });
    expect(await verified(accountId)).toMatchObject({ entries: written, last: written, not_chained: 0, problem: null });
  });

  it('is not written in part when MongoDB refuses the last write of a step', async () => {
    const { accountId, entries } = await buildLog({ isChained: false });
    const { db } = stack.mongo;
    const refused = { $nor: [{ _id: entries.at(-1)!._id, seq: { $exists: true } }] };
    await db.command({ collMod: 'audit_log', validator: refused });
    await expect(chain().chainNext(500)).rejects.toThrow(/validation/);
    await db.command({ collMod: 'audit_log', validator: {} });

    expect(await log().countDocuments({ account_id: accountId, seq: { $exists: true } })).toBe(0);
    expect(await heads().countDocuments({ _id: accountId })).toBe(0);
    await chainAll();
    expect((await verified(accountId)).problem).toBeNull();
  });

  it('continues after the entries that are there when the head of a log was removed', async () => {
    const { accountId, entries, change } = await buildLog();
    await heads().deleteOne({ _id: accountId });
    await expectRefused(accountId, /the head of the log is missing/);
    await change('d');
    const { mended } = await chain().chainNext(500);
    await chainAll();

    expect(mended).toEqual([accountId]);
    expect(await verified(accountId)).toMatchObject({ last: entries.length + 1, problem: null });
  });
});

describe('everpost audit verify', () => {
  const digestWith = (entry: Entry, change: object) => ({ ...change, digest: digestOf({ ...entry, ...change }) });

  it.each<[string, (entries: readonly Entry[]) => Promise<unknown>, RegExp]>([
    [
      'an entry that says something else',
      ([, second]) => log().updateOne({ _id: second!._id }, { $set: { 'actor.name': 'another person' } }),
      /entry 2 \(aud_\w+\) was changed/,
    ],
    [
      'an entry with a field more',
      ([, second]) => log().updateOne({ _id: second!._id }, { $set: { detail: 'x' } }),
      /entry 2 \(aud_\w+\) was changed/,
    ],
    [
      'an entry that says something else, with a digest that fits',
      ([, second]) => log().updateOne({ _id: second!._id }, { $set: digestWith(second!, { address: '10.0.0.1' }) }),
      /entry 3 \(aud_\w+\) does not follow the one before/,
    ],
    [
      'the last entry that says something else, with a digest that fits',
      (entries) =>
        log().updateOne({ _id: entries.at(-1)!._id }, { $set: digestWith(entries.at(-1)!, { object: 'x' }) }),
      /entry \d+ does not match the head/,
    ],
    [
      'an entry in the middle that is gone',
      ([, second]) => log().deleteOne({ _id: second!._id }),
      /entry 2 is missing/,
    ],
    ['the first entry that is gone', ([first]) => log().deleteOne({ _id: first!._id }), /entry 1 is missing/],
    [
      'the last two entries that are gone',
      (entries) => log().deleteMany({ _id: { $in: entries.slice(-2).map(({ _id }) => _id) } }),
      /entries \d+ to \d+ are missing/,
    ],
    [
      'a whole log that is gone',
      ([first]) => log().deleteMany({ account_id: first!['account_id'] }),
      /entries 1 to \d+ are missing/,
    ],
    [
      'an entry in the place of another',
      async ([, second]) => {
        await log().deleteOne({ _id: second!._id });
        await log().insertOne({ ...second!, _id: `${second!._id}x` });
      },
      /entry 2 \(aud_\w+x\) was changed/,
    ],
    [
      'an entry behind the end',
      async (entries) => {
        const last = entries.at(-1)!;
        await log().insertOne({ ...last, _id: `${last._id}x`, seq: (last['seq'] as number) + 1 });
      },
      /entry \d+ is behind the head, which is \d+/,
    ],
    [
      'entries that were erased as if the account was deleted',
      ([, second]) => eraseEntries(stack.mongo.db, { _id: second!._id }, 1),
      /entry 2 \(aud_\w+\) was erased, but its account was not deleted/,
    ],
  ])('finds %s', async (_, tamper, problem) => {
    const { accountId, entries } = await buildLog();
    await tamper(entries);

    await expectRefused(accountId, problem);
    await expect(cliOf(stack).printed('audit', 'verify')).rejects.toMatchObject({ code: 'audit_log_changed' });

    for (const name of ['audit_log', 'audit_erased']) await stack.mongo.db.collection(name).deleteMany({});
    await heads().deleteMany({});
  });

  it('finds a log that was written anew as a whole, or cut off with its head, by what was kept elsewhere', async () => {
    const { accountId, entries } = await buildLog();
    const kept = join(folder(), 'heads.json');
    writeFileSync(kept, await cliOf(stack).printed('audit', 'verify', '--json'));
    expect((await verified(accountId, '--kept', kept)).problem).toBeNull();

    // As whoever can write to all of the database.
    const anew = async (change: (own: Entry[]) => Promise<unknown>): Promise<void> => {
      await change(await log().find({ account_id: accountId }).sort({ seq: 1 }).toArray());
      await log().updateMany({ account_id: accountId }, { $unset: { seq: 1, previous: 1, salt: 1, digest: 1 } });
      await heads().deleteOne({ _id: accountId });
      await chainAll();
      expect((await verified(accountId)).problem).toBeNull();
    };
    await anew(([first]) => log().updateOne({ _id: first!._id }, { $set: { address: '10.0.0.1' } }));
    await expectRefused(accountId, /entry \d+ \(aud_\w+\) is not the one that was kept/, '--kept', kept);
    await anew((own) => log().deleteOne({ _id: own.at(-1)!._id }));
    await expectRefused(accountId, /entry \d+ is missing/, '--kept', kept);
    await log().deleteMany({ account_id: accountId });
    await heads().deleteMany({});
    await expect(cliOf(stack).printed('audit', 'verify', '--kept', kept)).rejects.toMatchObject({
      message: expect.stringContaining(`${accountId}: entries 1 to ${entries.length} are missing`),
    });
  });

  it('says how many entries are not chained yet, and warns if they wait for more than a minute', async () => {
    const { accountId, entries } = await buildLog({ isChained: false });
    const waiting = { entries: 0, last: null, not_chained: entries.length, problem: null };
    expect(await verified(accountId)).toMatchObject({ ...waiting, warning: null });

    await log().updateOne({ _id: entries[0]!._id }, { $set: { at: new Date(Date.now() - 61_000) } });

    expect(await verified(accountId)).toMatchObject({
      ...waiting,
      warning: expect.stringContaining('is a worker running?'),
    });
  });

  it('begins with the first entry that is kept when AUDIT_RETENTION removed those before, and only then', async () => {
    const { accountId, entries } = await buildLog({ isChained: false });
    const aged = Array.from({ length: 4 }, (_, n) => ({ at: new Date(Date.now() - 172_800_000 + n) }));
    for (const [n, { at }] of aged.entries())
      await log().insertOne({ _id: `aud_${n}_${accountId}`, at, account_id: accountId, actor: {}, action: 'x' });
    await chainAll();
    const keeping = cliOf({ ...stack, config: { ...stack.config, ...loadRetention('1d') } });
    const removed = [0, 1, 3].map((n) => `aud_${n}_${accountId}`);
    await log().deleteMany({ _id: { $in: removed } });

    await expectRefused(accountId, /entries 1 to 2 are missing/);
    expect(await keeping.json('audit', 'verify', '--account', accountId)).toMatchObject([
      { first: 3, last: entries.length + 4, problem: null },
    ]);
    await log().deleteOne({ _id: entries[1]!._id });
    await expect(keeping.json('audit', 'verify', '--account', accountId)).rejects.toMatchObject({
      message: expect.stringMatching(/entry 6 is missing/),
    });
  });

  const loadRetention = (retention: string) => ({
    auditRetentionMs: loadConfig({ AUDIT_RETENTION: retention }).auditRetentionMs,
  });
});

it('a deleted account leaves numbers and digests in the place of its entries, and the rest can be verified', async () => {
  const { accountId, entries } = await buildLog();
  await cliOf(stack).json('account', 'suspend', '--id', accountId);
  // A deletion waits for calls that the suspension found under way.
  await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: accountId }, { $set: { suspended_at: new Date(0) } });
  await cliOf(stack).json('account', 'delete', '--id', accountId);
  await chainAll();

  const { erased, problem } = await verified(accountId);

  expect([erased, problem]).toEqual([entries.filter(({ actor }) => actor.type === 'key').length, null]);
  const left = await stack.mongo.db.collection('audit_erased').findOne({ account_id: accountId });
  expect(Object.keys(left!).toSorted()).toEqual(['_id', 'account_id', 'at', 'digest', 'previous', 'seq']);
});

it('the export as JSON lines can be verified alone, by the program in the documentation', async () => {
  const { accountId, entries } = await buildLog();
  await log().updateOne({ _id: entries[0]!._id }, { $unset: { seq: 1, previous: 1, salt: 1, digest: 1 } });
  await heads().deleteOne({ _id: accountId });
  await log().updateMany({ account_id: accountId }, { $unset: { seq: 1, previous: 1, salt: 1, digest: 1 } });
  await log().updateOne({ _id: entries[0]!._id }, { $set: { detail: 'Grüße \u202e "x"\n\u2028 日本 \u0001' } });
  await chainAll();
  const page = readFileSync(join('docs', 'dashboard.md'), 'utf8');
  const program = join(folder(), 'verify.py');
  writeFileSync(program, /```python\n([\s\S]*?)```/.exec(page)![1]!);
  const exported = await cliOf(stack).printed('audit', 'export', '--account', accountId, '--format', 'jsonl');
  const verify = (lines: string): string => {
    const file = join(folder(), 'export.jsonl');
    writeFileSync(file, `${lines}\n`);
    return execFileSync('python3', [program, file], { encoding: 'utf8' }).trim();
  };

  const end = await verified(accountId);
  // The export itself is the newest entry, and not chained yet.
  expect(verify(exported)).toBe(`${entries.length} entries, not chained yet: 1, last: ${end.last} ${end.digest}`);
  expect(() => verify(exported.replace('"endpoint.created"', '"endpoint.deleted"'))).toThrow(/entry \d+ was changed/);
  const without = exported.split('\n').toSpliced(2, 1).join('\n');
  expect(() => verify(without)).toThrow(/entry \d+ does not follow/);
});

describe('with a worker', () => {
  const running = useStack();

  it('entries are chained by themselves, in seconds', async () => {
    const { accountId, key } = await running.account();
    await apiClient(running.url, key).post('/api/v1/webhooks/endpoints', { url: 'https://example.com/' });
    const read = () => cliOf(running).json<Log[]>('audit', 'verify', '--account', accountId);

    const [found] = await eventually(read, ([it]) => it!.not_chained === 0);

    expect(found).toMatchObject({ problem: null, first: 1 });
    expect(found!.entries).toBeGreaterThan(0);
  });
});
