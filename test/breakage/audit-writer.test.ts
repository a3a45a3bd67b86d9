import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createAccountStore } from '../../src/accounts/account-store';
import { createAuditChainStore, eraseEntries } from '../../src/accounts/audit-chain-store';
import type { AuditEntry } from '../../src/accounts/audit-store';
import { verifyAudit, type VerifiedLog } from '../../src/accounts/verify-audit';
import { useStack } from '../support/build-stack';
import { uriWith } from '../support/mongo-uri';

// What chains the audit log can be killed at any moment, and what erases entries can come at any moment.

const ROOT = join(__dirname, '..', '..');
const LOADER = join(ROOT, 'test', 'harness', 'load-typescript');
const STEP = 20;
/** Accounts that are gone: their entries may be erased. */
const LOGS = ['acc_one', 'acc_two', null];
const ENTRIES = 900;
/** After how many steps, and how many milliseconds into the next one. */
const KILLS = [
  [1, 0],
  [2, 2],
  [4, 4],
  [2, 6],
  [1, 8],
  [3, 10],
] as const;
/** The name of the processes that are killed. */
const KILLED = 'killed-writer';

const stack = useStack({ role: 'api' });
const chain = () => createAuditChainStore(stack.mongo.db);
const log = () => stack.mongo.db.collection<AuditEntry>('audit_log');

beforeEach(async () => {
  await Promise.all(
    ['audit_log', 'audit_erased', 'audit_heads'].map((name) => stack.mongo.db.collection(name).deleteMany({})),
  );
  await log().insertMany(
    Array.from({ length: ENTRIES }, (_, n) => ({
      ...{ _id: `aud_${n}`, at: new Date(n * 1_000), account_id: LOGS[n % LOGS.length]!, action: 'account.viewed' },
      ...{ actor: { type: n % 2 === 0 ? 'cli' : 'key', id: null, name: 'x' }, object: null, address: null },
    })),
  );
});

async function verified(): Promise<VerifiedLog[]> {
  const parts = { auditChain: chain(), accounts: createAccountStore(stack.mongo.db) };
  const logs: VerifiedLog[] = [];
  for await (const it of verifyAudit(parts, { retentionMs: undefined, now: new Date() })) logs.push(it);
  return logs;
}

/** Chains in a process of its own, and kills it some milliseconds into the step after this many. */
async function chainAndKill(steps: number, ms: number): Promise<void> {
  const script = `
    const { createMongo } = require('./src/platform/mongo.ts');
    const { createAuditChainStore } = require('./src/accounts/audit-chain-store.ts');
    const chain = createAuditChainStore(createMongo(process.argv[1]).db);
    (async () => {
      for (;;) {
        await chain.chainNext(${STEP});
        console.log('chained');
      }
    })();
  `;
  const uri = uriWith(stack.config.mongodb.uri!, { appName: KILLED });
  const writer = spawn(process.execPath, ['--require', LOADER, '-e', script, uri], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let seen = 0;
  writer.stdout.on('data', (lines: Buffer) => {
    seen += lines.toString().split('\n').length - 1;
    if (seen >= steps) setTimeout(() => writer.kill('SIGKILL'), ms);
  });
  await once(writer, 'exit');
  expect(writer.signalCode).toBe('SIGKILL');
  await endTransactions();
}

/** MongoDB keeps the transaction of a process that was killed for a minute, and drops no database meanwhile. */
async function endTransactions(): Promise<void> {
  const admin = stack.mongo.client.db('admin');
  const sessions = { $currentOp: { allUsers: true, idleSessions: true } };
  const open = await admin
    .aggregate<{ lsid: object }>([sessions, { $match: { appName: KILLED, transaction: { $exists: true } } }])
    .toArray();
  if (open.length > 0) await admin.command({ killAllSessionsByPattern: open.map(({ lsid }) => ({ lsid })) });
}

it('a writer that is killed leaves whole steps, and the next one continues', async () => {
  for (const [steps, ms] of KILLS) {
    await chainAndKill(steps, ms);
    const logs = await verified();
    expect(logs.map(({ problem }) => problem)).toEqual(LOGS.map(() => null));
    const chained = logs.reduce((sum, { entries }) => sum + entries, 0);
    expect(chained % STEP).toBe(0);
    expect(await log().countDocuments({ seq: { $exists: true } })).toBe(chained);
  }
  while ((await chain().chainNext(STEP)).chained > 0);
  const whole = { entries: ENTRIES / LOGS.length, last: ENTRIES / LOGS.length, unchained: 0, problem: null };
  expect(await verified()).toMatchObject(LOGS.map(() => whole));
});

it('an entry is chained before it is erased, or never', async () => {
  const { db } = stack.mongo;
  const chaining = async (): Promise<void> => {
    while ((await chain().chainNext(STEP)).chained > 0);
  };
  const erasing = async (): Promise<void> => {
    while ((await eraseEntries(db, { account_id: 'acc_one', 'actor.type': 'key' }, 10)) > 0);
  };
  await Promise.all([chaining(), erasing(), chaining()]);
  await chaining();

  const logs = await verified();
  expect(logs.map(({ problem, unchained }) => [problem, unchained])).toEqual(LOGS.map(() => [null, 0]));
  const [one] = logs;
  expect(one!.entries - one!.erased).toBe(ENTRIES / LOGS.length / 2);
  expect(await log().countDocuments({ account_id: 'acc_one', 'actor.type': 'key' })).toBe(0);
});
