import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/manage-accounts';
import { createAccountStore } from '../src/accounts/account-store';
import { loadConfig, type Config } from '../src/config';
import { createKey } from '../src/keys/manage-keys';
import { createKeyStore } from '../src/keys/key-store';
import type { FirstAttemptMode } from '../src/domain/delivery-contract';
import { makeCertificate, type KeyPair } from '../dev/certificate';
import { freePort } from '../dev/ports';
import { endWithUs } from '../dev/reaper';
import { startThrowawayServers, type ThrowawayServers } from '../dev/servers';
import { systemClock } from '../src/platform/clock';
import { createMongo, type Mongo } from '../src/platform/mongo';
import { BY_COMMAND_LINE } from '../src/domain/audit-actions';
import { CANNON } from './cannon';
import { ask, pause } from './child';
import { startLoad, type Load } from './load';

/** The whole system on this machine: servers, Everpost, receiver and load, each in a separate process. */
export interface System {
  readonly servers: ThrowawayServers;
  readonly everpost: ChildProcess;
  readonly receiver: ChildProcess;
  readonly load: Load;
  readonly mongo: Mongo;
  /** The receivers' certificate. */
  readonly certificate: KeyPair;
  /** Makes a tenant whose every event goes to all the receivers that never answer. */
  addNoisyTenant(): Promise<Load>;
  /** Makes a tenant with one endpoint at the receiver that answers. */
  addTenant(): Promise<Tenant>;
  /** Makes accounts of the tier `free`. @returns a key of each */
  addFreeAccounts(count: number): Promise<string[]>;
  /** Makes an account of the tier with an endpoint that has these options. @returns its key */
  addAccount(tier: string, options: object): Promise<string>;
  /** Makes a free account with that many endpoints at one host, which answers 500; retried each second. */
  addCannon(endpoints: number): Promise<{ key: string; endpointIds: string[] }>;
  /** The API's URL. */
  readonly url: string;
  /** Of Everpost. */
  readonly config: Config;
  close(): Promise<void>;
}

/** A tenant and its only endpoint. */
export interface Tenant {
  /** The API's URL. */
  readonly url: string;
  readonly key: string;
  readonly endpointId: string;
}

export interface SystemOptions {
  readonly say: (line: string) => void;
  /** Who makes first attempts. */
  readonly mode?: FirstAttemptMode;
  /** Receivers that never answer, for a tenant that `addNoisyTenant` makes. */
  readonly hanging?: number;
  /** Endpoints at the receiver that answers, each with a path of its own. */
  readonly fanOut?: number;
  /** Share of the events whose first attempt is answered 500. */
  readonly failing?: number;
  /** The size of an event's data. */
  readonly dataBytes?: number;
  /** How much room the servers' data need besides the usual. */
  readonly extraBytes?: number;
  /** A MongoDB that runs already, in place of its own of one member. */
  readonly mongodbUri?: string;
  /** More settings of Everpost. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A tier without limits, for `TIERS`. */
export const TIERS = JSON.stringify([{ id: 'bench', name: 'Bench', monthlyQuota: null, perMinute: 1_000_000 }]);

/** Starts mongod, Temporal, Everpost and a receiver, and registers the receiver's endpoints. */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { say, mode = 'auto', hanging = 0, fanOut = 1, failing = 0, dataBytes = 1_024, extraBytes = 0 } = options;
  const settings = loadConfig();
  say('starting mongod, Temporal, Everpost and a receiver');
  const servers = await startThrowawayServers({ config: settings, durableTemporal: true, extraBytes, onProgress: say });
  const certificate = await makeCertificate();
  const { receiver, ports } = await startReceiver(certificate, { hanging, failing });
  const caFile = join(servers.folder, 'ca.pem');
  await writeFile(caFile, certificate.cert);
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    MONGODB_URI: options.mongodbUri ?? servers.mongod.uri,
    TEMPORAL_ADDRESS: servers.temporal.address,
    FIRST_ATTEMPT: mode,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_ALLOW_PORTS: ports.join(','),
    DELIVERY_CA_FILE: caFile,
    TIERS,
    MANAGEMENT_PER_MINUTE: '1000000',
    // So that a benchmark can call from many addresses.
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    ...options.env,
  };
  const config = loadConfig(env);
  const everpost = fork(join(__dirname, '..', 'src', 'main.js'), ['all'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  for (const child of [everpost, receiver]) endWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  await healthy(`${url}/readyz`);
  const [answering, ...silent] = ports.map((receiverPort) => `https://127.0.0.1:${receiverPort}/hook`);
  const endpoints = Array.from({ length: fanOut }, (_, index) => `${answering}/${index}`);
  const mongo = createMongo(config.mongodb.uri!);
  const loads: Load[] = [];
  const addLoad = async (name: string, urls: readonly string[]): Promise<Load> => {
    const { key } = await register(config, mongo, url, { name }, urls);
    const load = startLoad({ url, key, dataBytes });
    loads.push(load);
    return load;
  };
  const load = await addLoad('bench', endpoints);
  return {
    servers,
    everpost,
    mongo,
    certificate,
    receiver,
    load,
    addNoisyTenant: () => addLoad('noisy', silent),
    addTenant: async () => {
      const { key, endpointIds } = await register(
        config,
        mongo,
        url,
        { name: `tenant-${randomBytes(4).toString('hex')}` },
        [`${answering}/tenant`],
      );
      return { url, key, endpointId: endpointIds[0]! };
    },
    addFreeAccounts: async (count) => {
      const made = Array.from({ length: count }, (_, index) =>
        register(config, mongo, url, { name: `free-${index}`, tier: 'free' }, []),
      );
      return (await Promise.all(made)).map(({ key }) => key);
    },
    addAccount: async (tier, endpointOptions) => {
      const about = { name: `${tier}-alone`, tier, options: endpointOptions };
      return (await register(config, mongo, url, about, [`${answering}/${tier}`])).key;
    },
    addCannon: async (count) => {
      const eachSecond = { retry_schedule: Array.from({ length: 20 }, (_, index) => Math.min(index, 1)) };
      const urls = Array.from({ length: count }, (_, index) => `${new URL(CANNON, answering).href}${index}`);
      // Registered in a tier that may make so many calls.
      const made = await register(config, mongo, url, { name: 'cannon', options: eachSecond }, urls);
      await mongo.db.collection('accounts').updateOne({ email: 'cannon@example.com' }, { $set: { tier: 'free' } });
      return made;
    },
    url,
    config,
    close: async () => {
      for (const each of loads) each.close();
      everpost.kill('SIGKILL');
      receiver.kill('SIGKILL');
      await mongo.close();
      await servers.close();
    },
  };
}

/** Starts a receiver in a separate process. @returns its ports: the one that answers, then those that hang */
export async function startReceiver(certificate: KeyPair, options: { hanging: number; failing: number }) {
  const receiver = fork(join(__dirname, 'receiver-process.js'));
  const { ports } = await ask<{ ports: number[] }>(
    receiver,
    { kind: 'listen', ...certificate, ...options },
    'listening',
  );
  return { receiver, ports };
}

/**
 * Makes an account with a key and registers its receivers.
 *
 * @param options of each endpoint
 */
export async function register(
  config: Config,
  mongo: Mongo,
  url: string,
  { name, tier = 'bench', options = {} }: { readonly name: string; readonly tier?: string; readonly options?: object },
  receiverUrls: readonly string[],
): Promise<{ key: string; endpointIds: string[] }> {
  const accounts = createAccountStore(mongo.db);
  const deps = { accounts, keys: createKeyStore(mongo.db), tiers: config.limits.tiers, clock: systemClock };
  const account = await createAccount(deps, { email: `${name}@example.com`, tier }, BY_COMMAND_LINE);
  const { key } = await createKey(deps, { accountId: account._id, product: 'weh', label: name }, BY_COMMAND_LINE);
  const endpointIds: string[] = [];
  for (const receiverUrl of receiverUrls) {
    const answer = await fetch(`${url}/api/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: receiverUrl, options }),
    });
    if (answer.status !== 201) throw new Error(`the receiver could not be registered: ${await answer.text()}`);
    endpointIds.push(((await answer.json()) as { id: string }).id);
  }
  return { key, endpointIds };
}

async function healthy(url: string): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const status = await fetch(url).then(
      async (answer) => ((await answer.json()) as { status: string }).status,
      () => 'down',
    );
    if (status === 'ok') return;
    await pause(200);
  }
  throw new Error(`${url} was not healthy within 30 s`);
}
