import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findServer } from '../../dev/find-server';
import { makeThrowawayFolder } from '../../dev/servers';
import { createAccountStore } from '../../src/accounts/account-store';
import { createAccount } from '../../src/accounts/manage-accounts';
import { loadConfig } from '../../src/config';
import { createChangeStore } from '../../src/dashboard-api/change-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { countStates } from '../../src/endpoints/count-states';
import { newsAfter } from '../../src/keys/revocation-store';
import { createLimitStore } from '../../src/limits/limit-store';
import { createStorageStore } from '../../src/limits/storage-store';
import { systemClock } from '../../src/platform/clock';
import { createMongo } from '../../src/platform/mongo';
import { newBacklogCursor } from '../../src/stores/dispatch-store';
import { createStores } from '../../src/wiring/create-stores';
import { pause } from '../child';
import { writePlaces, type PlaceName } from '../sizing/places';
import { cpuSeconds, rounded } from '../statistics';
import { startReplicaSet } from '../topology/replica-set';
import { probe, type Probed } from './probe';

/** Processes of a large installation: their one account's update, each one at a time. */
const MANY = 200;
/** Connections of one client are 50 at most. */
const CLIENTS = 4;
const SECONDS = 4;
const IDS_PER_BLOCK = 1_000;
const STREAMS = 20;
const INSERTED = 3_000;
const DATA = 'x'.repeat(1_024);

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Measures the operations of each place that all events, or all processes, pass through, on a replica set of three members
 * of this machine. `--write` stores them for `npm run sizing -- --page`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { write: { type: 'boolean' }, seconds: { type: 'string' } } });
  const seconds = Number(values.seconds ?? SECONDS);
  const config = loadConfig();
  const folder = await makeThrowawayFolder();
  const { cacheDir, mongodb } = config;
  const binary = await findServer('mongod', { configuredPath: mongodb.binary, cacheDir, onProgress: say });
  const replicaSet = await startReplicaSet(binary, join(folder, 'mongodb'));
  const clients = Array.from({ length: CLIENTS }, () => createMongo(replicaSet.uri));
  try {
    const [mongo] = clients as [ReturnType<typeof createMongo>];
    const stores = createStores(mongo.db, config);
    const indexed = Object.values(stores).filter((store) => 'ensureIndexes' in store);
    await Promise.all(indexed.map((store) => store.ensureIndexes()));
    const accounts = createAccountStore(mongo.db);
    const tiers = config.limits.tiers;
    const account = await createAccount(
      { accounts, tiers, clock: systemClock },
      { email: 'giant@example.com', tier: 'enterprise' },
      BY_COMMAND_LINE,
    );
    const limits = clients.map(({ db }) => createLimitStore(db, tiers));
    const stored = clients.map(({ db }) => createStorageStore(db));
    const ask = (callers: number, operation: (caller: number) => Promise<unknown>): Promise<Probed> =>
      probe({ callers, seconds, mongodPids: replicaSet.pids() }, operation);
    const of = <T>(list: readonly T[], caller: number): T => list[caller % list.length]!;
    const day = new Date().toISOString().slice(0, 10);
    const now = await stores.dispatch.now();
    const operations: readonly (readonly [PlaceName, number, (caller: number) => Promise<unknown>])[] = [
      ['account, one process', 1, () => limits[0]!.admit(account._id, 1)],
      ['account', MANY, (caller) => of(limits, caller).admit(account._id, 1)],
      ['account, read only', MANY, (caller) => of(limits, caller).read(account._id)],
      ['event ids', 1, () => stores.events.reserveIds(IDS_PER_BLOCK)],
      ['counter of a day', MANY, (caller) => of(stored, caller).add(account._id, day, 1)],
      ['revoked keys', 1, () => newsAfter(mongo.db, '')],
      ['lease', MANY, (caller) => stores.dispatch.holdLease('sweeper', `owner-${caller}`, 1)],
      ['sweep', 1, () => sweep(stores, now)],
      ['scrape', 1, () => Promise.all([countStates(stores), stores.backlog.lateness(now)])],
      ['capacity', 1, () => stores.capacity.read()],
    ];
    const places: Partial<Record<PlaceName, Probed>> = {};
    for (const [name, callers, operation] of operations) {
      say(`${name}, ${callers} at once`);
      places[name] = await ask(callers, operation);
      process.stdout.write(`${JSON.stringify({ name, callers, ...places[name] })}\n`);
    }
    const changeStream = await measureStreams(mongo, replicaSet.pids());
    process.stdout.write(`${JSON.stringify({ name: 'change stream', cpu_ms_for_an_event: changeStream })}\n`);
    const source = `\`npm run bench:single-places\`, ${day}, Node ${process.versions.node}`;
    if (values.write)
      writePlaces({ source, places: places as Record<PlaceName, Probed>, changeStreamCpuMs: changeStream });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await replicaSet.killAll();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the sweeper asks in a second without anything to do. */
async function sweep({ dispatch, gates }: ReturnType<typeof createStores>, now: Date): Promise<void> {
  await dispatch.now();
  await dispatch.findDue(now, now, 500, newBacklogCursor());
  await gates.takeDue(now, 500);
}

/** @returns CPU milliseconds of the primary for one event and one stream more */
async function measureStreams(mongo: ReturnType<typeof createMongo>, pids: readonly number[]): Promise<number> {
  const changes = createChangeStore(mongo.db);
  const events = mongo.db.collection<{ _id: number; data: string; account_id: string }>('events');
  const insert = async (first: number): Promise<number> => {
    const before = pids.map(cpuSeconds);
    for (let id = first; id < first + INSERTED; id += 10) {
      await events.insertMany(
        Array.from({ length: 10 }, (_, at) => ({ _id: id + at, data: DATA, account_id: `acc_${id % 7}` })),
      );
    }
    await pause(1_000);
    return Math.max(...pids.map((pid, index) => cpuSeconds(pid) - before[index]!));
  };
  await insert(1);
  say(`${INSERTED} events without a change stream`);
  const without = await insert(1_000_001);
  const streams: { close(): Promise<void> }[] = [];
  const opening = Array.from(
    { length: STREAMS },
    () =>
      new Promise<void>((resolve) => {
        const heard = { onCaughtUp: () => resolve(), onChange: () => undefined, onBroken: () => undefined };
        streams.push(changes.watch(heard));
      }),
  );
  await Promise.all(opening);
  say(`${INSERTED} events with ${STREAMS} change streams`);
  const withThem = await insert(2_000_001);
  await Promise.all(streams.map((stream) => stream.close()));
  return rounded(Math.max(0, ((withThem - without) / INSERTED / STREAMS) * 1_000), 4);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
