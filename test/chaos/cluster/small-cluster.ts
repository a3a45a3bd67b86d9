import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { makeThrowawayFolder } from '../../../dev/servers';
import { startSmallProfile, type SmallProfile } from '../../../bench/topology/small-profile';
import { createMongo } from '../../../src/platform/mongo';
import type { Certificate } from '../../sender/certificates';
import { mountLoopDisk, type LoopDisk } from './loop-disk';
import { rowSettings } from './row-settings';
import type { Stack } from './stack';

/** The small profile: a process each of MongoDB, Temporal and Everpost, on one disk. */
export interface SmallCluster extends Stack {
  readonly disk: LoopDisk;
}

export interface SmallClusterOptions {
  /** Of the repository, with a built `dist/`. */
  readonly root: string;
  readonly authority: Certificate;
  readonly receiverTimeoutMs: number;
  readonly say: (line: string) => void;
}

/** Starts it as its units do, with the sweeper's timing of production. */
export async function startSmallCluster(options: SmallClusterOptions): Promise<SmallCluster> {
  const { root, authority, receiverTimeoutMs, say } = options;
  const folder = await makeThrowawayFolder();
  const disk = await mountLoopDisk(join(folder, 'var'), join(folder, 'disk.img'));
  say('starting the small profile: MongoDB, Temporal and Everpost, a process each');
  const settings = {
    ...(await rowSettings({ folder, authority, receiverTimeoutMs })),
    EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: '1',
  };
  const profile = await startSmallProfile({ root, folder, settings, say });
  const { config, url, mongodb, temporal, everpost, data } = profile;
  const mongo = createMongo(config.mongodb.uri!);
  const heal = async (): Promise<void> => {
    await Promise.all([mongodb.start(), temporal.start()]);
    await everpost.start();
  };
  return {
    folder,
    config,
    urls: [url],
    roles: [everpost],
    replicaSet: {
      killAll: () => mongodb.kill(),
      startAll: () => mongodb.start(),
      running: () => mongodb.running(),
      checkpoint: () => checkpoint(profile),
    },
    temporal: {
      address: profile.temporalAddress,
      pid: () => temporal.pid(),
      kill: () => temporal.kill(),
      start: () => temporal.start(),
      async wipe() {
        const files = join(data, 'everpost-temporal');
        for (const name of await readdir(files)) await rm(join(files, name), { recursive: true });
      },
    },
    disk,
    mongo,
    heal,
    async close() {
      await mongo.close();
      await profile.killAll();
      await disk.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Has MongoDB write down now what it would within a minute. If it can't, it may end. */
async function checkpoint({ adminUri }: SmallProfile): Promise<void> {
  const client = new MongoClient(adminUri, { serverSelectionTimeoutMS: 2_000, socketTimeoutMS: 10_000 });
  try {
    await client.db('admin').command({ fsync: 1 });
  } catch {
    // The row judges by what callers see.
  } finally {
    await client.close();
  }
}
