import { rm } from 'node:fs/promises';
import type { Collection } from 'mongodb';
import { makeThrowawayFolder, startOwnMongod } from '../dev/servers';
import { loadConfig } from '../src/config';
import { createChangeStore } from '../src/dashboard-api/change-store';
import { createKeyCache } from '../src/keys/key-cache';
import { createKeyStore } from '../src/keys/key-store';
import { createListenStore } from '../src/listen/listen-store';
import { createLogger } from '../src/platform/logger';
import { createMongo, DURABLE, type Mongo } from '../src/platform/mongo';
import { pause } from './child';
import { cpuSeconds, rounded } from './statistics';

const WRITES_PER_SECOND = 300;
const SECONDS = 10;
const GROUPS = 20;
const WARM_UP_MS = 3_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What an API process always has, and what it has while somebody listens or looks. */
const WATCHES: Readonly<Record<string, (mongo: Mongo) => { close(): Promise<void> }>> = {
  keys: ({ db }) => createKeyCache({ keys: createKeyStore(db), logger: createLogger('silent') }),
  listen: ({ db }) => createListenStore(db).watch(NOBODY),
  dashboard: ({ db }) => createChangeStore(db).watch(NOBODY),
};
const NOBODY = { onCaughtUp: () => undefined, onChange: () => undefined, onBroken: () => undefined };

/**
 * Measures what the watches of many API processes cost MongoDB (Linux only): mongod's CPU, idle and while events are
 * written, in cores. `--processes 200` sets how many; 50 by default.
 */
async function main(): Promise<void> {
  const at = process.argv.indexOf('--processes');
  const processes = at < 0 ? 50 : Number(process.argv[at + 1]);
  const folder = await makeThrowawayFolder();
  const mongod = await startOwnMongod({ config: loadConfig(), folder, onProgress: say }, 0);
  const writer = createMongo(mongod.uri);
  try {
    const measure = async () => {
      await pause(WARM_UP_MS);
      const coresOf = async (work: () => Promise<void>): Promise<number> => {
        const [before, startedAt] = [cpuSeconds(mongod.pid), performance.now()];
        await work();
        return rounded((cpuSeconds(mongod.pid) - before) / ((performance.now() - startedAt) / 1_000), 3);
      };
      return { idle: await coresOf(() => pause(SECONDS * 1_000)), writing: await coresOf(() => write(writer)) };
    };
    await write(writer);
    const results: Record<string, object> = { none: await measure() };
    for (const [name, watch] of Object.entries(WATCHES)) {
      say(`${processes} × ${name}`);
      const mongos = Array.from({ length: processes }, () => createMongo(mongod.uri));
      const watches = mongos.map(watch);
      results[name] = await measure();
      await Promise.all(watches.map((each) => each.close()));
      await Promise.all(mongos.map((each) => each.close()));
    }
    process.stdout.write(`${JSON.stringify({ processes, cores_of_mongod: results }, null, 2)}\n`);
  } finally {
    await writer.close();
    await mongod.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes events at a steady pace: each is inserted, and later updated, in groups, as an API and a worker do. */
async function write({ db }: Mongo): Promise<void> {
  const events: Collection = db.collection('events');
  const perGroup = WRITES_PER_SECOND / GROUPS;
  const startedAt = performance.now();
  for (let group = 0; group < GROUPS * SECONDS; group += 1) {
    const documents = Array.from({ length: perGroup }, () => ({
      type: 'a',
      account_id: 'acc_1',
      data: 'x'.repeat(700),
    }));
    const { insertedIds } = await events.insertMany(documents, { writeConcern: DURABLE });
    await events.updateMany({ _id: { $in: Object.values(insertedIds) } }, { $set: { state: 'delivered' } });
    await pause(startedAt + ((group + 1) * 1_000) / GROUPS - performance.now());
  }
}

void main();
