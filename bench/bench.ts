import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount } from '../src/accounts/create-account';
import { createAccountStore } from '../src/accounts/store';
import { loadConfig } from '../src/config';
import { createKey } from '../src/keys/create-key';
import { createKeyStore } from '../src/keys/store';
import { createCertificateAuthority } from '../src/local/certificate-authority';
import { freePort } from '../src/local/free-port';
import { startThrowawayServers, type ThrowawayServers } from '../src/local/throwaway-servers';
import { systemClock } from '../src/platform/clock';
import { createMongo } from '../src/platform/mongo';
import { createLoad, type Ingested, type Load } from './load';
import { cpuSeconds, percentile, residentMb, rounded } from './statistics';

/** How much is measured. */
const PROFILES = {
  standard: { warmUp: 200, burst: 2_000, concurrency: 64, openLoopPerSecond: 20, openLoopSeconds: 15, rounds: 1 },
  quick: { warmUp: 50, burst: 300, concurrency: 32, openLoopPerSecond: 20, openLoopSeconds: 4, rounds: 1 },
} as const;

const SETTLE_MS = 1_000;

/** The whole system on this machine: servers, Everpost, receiver and load, each in a process of its own. */
interface System {
  readonly servers: ThrowawayServers;
  readonly everpost: ChildProcess;
  readonly receiver: ChildProcess;
  readonly load: Load;
  readonly schedule: readonly number[];
  readonly namespace: string;
  close(): Promise<void>;
}

async function main(): Promise<void> {
  const asJson = process.argv.includes('--json');
  const name = (process.argv[process.argv.indexOf('--profile') + 1] ?? 'standard') as keyof typeof PROFILES;
  const profile = PROFILES[process.argv.includes('--profile') ? name : 'standard'];
  if (!profile) throw new Error(`Profiles: ${Object.keys(PROFILES).join(', ')}`);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);

  const system = await startSystem(say);
  try {
    say(`warm-up: ${profile.warmUp} events`);
    await system.load.burst(profile.warmUp, 16);
    await arrivalsOf(system.receiver, profile.warmUp);
    await pause(SETTLE_MS);

    say(`open loop: ${profile.openLoopPerSecond} events/s for ${profile.openLoopSeconds} s`);
    const steady = await system.load.openLoop(profile.openLoopPerSecond, profile.openLoopSeconds);
    const steadyArrivals = await arrivalsOf(system.receiver, profile.warmUp + steady.length);
    await pause(SETTLE_MS);

    say(`burst: ${profile.burst} events, ${profile.concurrency} at a time`);
    const before = cpuOf(system);
    const burst = await system.load.burst(profile.burst, profile.concurrency);
    const arrivals = await arrivalsOf(system.receiver, profile.warmUp + steady.length + burst.length);
    await pause(SETTLE_MS);
    const cpu = cpuOf(system);
    const memory = memoryOf(system);

    say(`bare: ${profile.burst} runs of the same workflow with an empty activity`);
    const bare = await runBare(system, profile.burst);
    const perSecond = ratesOf(burst, arrivals);
    const result = {
      deliveries_per_s: rounded(perSecond.delivered),
      accepted_per_s: rounded(perSecond.accepted),
      ingest_ms: quantiles(steady.map(({ latencyMs }) => latencyMs)),
      arrival_ms: quantiles(lagsOf(steady, steadyArrivals)),
      bare_per_s: rounded(bare),
      ratio_to_bare: rounded(perSecond.delivered / bare, 2),
      cpu_s_per_1000: Object.fromEntries(
        Object.entries(cpu).map(([process_, seconds]) => [
          process_,
          rounded(((seconds - before[process_ as keyof typeof before]) / burst.length) * 1_000, 2),
        ]),
      ),
      rss_mb: memory,
    };
    process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : report(result));
  } finally {
    await system.close();
  }
}

async function startSystem(say: (line: string) => void): Promise<System> {
  const settings = loadConfig();
  say('starting mongod, Temporal, Everpost and a receiver');
  const servers = await startThrowawayServers({ config: settings, durableTemporal: true, onProgress: say });
  const authority = await createCertificateAuthority();
  const receiver = fork(join(__dirname, 'receiver-process.js'));
  const certificate = await authority.issueServerCertificate();
  const { port: receiverPort } = await ask<{ port: number }>(receiver, { kind: 'listen', ...certificate }, 'listening');
  const caFile = join(servers.folder, 'ca.pem');
  await writeFile(caFile, authority.certPem);
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    MONGODB_URI: servers.mongod.uri,
    TEMPORAL_ADDRESS: servers.temporal.address,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_ALLOW_PORTS: String(receiverPort),
    DELIVERY_CA_FILE: caFile,
    TIERS: JSON.stringify([{ id: 'bench', name: 'Bench', monthlyQuota: null, perMinute: 1_000_000 }]),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  };
  const config = loadConfig(env);
  const everpost = fork(join(__dirname, '..', 'src', 'main.js'), ['all'], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  for (const child of [everpost, receiver]) servers.reaper.watch(child.pid!);
  const url = `http://127.0.0.1:${port}`;
  await healthy(`${url}/readyz`);
  const load = createLoad(url, await register(config, url, `https://127.0.0.1:${receiverPort}/hook`));
  return {
    servers,
    everpost,
    receiver,
    load,
    schedule: config.delivery.schedule,
    namespace: config.temporal.namespace,
    close: async () => {
      load.close();
      everpost.kill('SIGKILL');
      receiver.kill('SIGKILL');
      await servers.close();
    },
  };
}

/** Makes an account with a key and registers the receiver. @returns the key */
async function register(config: ReturnType<typeof loadConfig>, url: string, receiverUrl: string): Promise<string> {
  const mongo = createMongo(config.mongodb.uri!);
  const accounts = createAccountStore(mongo.db);
  const deps = { accounts, keys: createKeyStore(mongo.db), tiers: config.limits.tiers, clock: systemClock };
  const account = await createAccount(deps, { email: 'bench@example.com', tier: 'bench' });
  const { key } = await createKey(deps, { accountId: account._id, product: 'weh', label: 'bench' });
  await mongo.close();
  const answer = await fetch(`${url}/api/v1/webhooks/endpoints`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: receiverUrl }),
  });
  if (answer.status !== 201) throw new Error(`the receiver could not be registered: ${await answer.text()}`);
  return key;
}

async function runBare(system: System, deliveries: number): Promise<number> {
  // Alone, as the measured run was: Everpost's worker would poll beside it.
  system.everpost.kill('SIGKILL');
  const child = fork(join(__dirname, 'bare-process.js'));
  const { temporal } = system.servers;
  const task = { address: temporal.address, namespace: system.namespace, schedule: system.schedule, deliveries, startsInFlight: 32 };
  const { perSecond } = await ask<{ perSecond: number }>(child, task, 'done');
  return perSecond;
}

/** Sends a message and waits for the answer of the given kind. */
function ask<T>(child: ChildProcess, message: object, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (answer: { kind: string }): void => {
      if (answer.kind !== kind) return;
      child.off('message', onMessage);
      resolve(answer as T);
    };
    child.on('message', onMessage);
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with code ${code}`)));
    child.send(message);
  });
}

/** Waits until that many events arrived. @returns when each arrived first */
async function arrivalsOf(receiver: ChildProcess, count: number): Promise<Map<number, number>> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { arrivals } = await ask<{ arrivals: [number, number][] }>(receiver, { kind: 'arrivals' }, 'arrivals');
    const first = new Map(arrivals.toReversed());
    if (first.size >= count) return first;
    await pause(200);
  }
  throw new Error(`not all of ${count} events arrived within two minutes`);
}

function ratesOf(burst: readonly Ingested[], arrivals: ReadonlyMap<number, number>) {
  const startedAt = Math.min(...burst.map(({ sentAtMs }) => sentAtMs));
  const acceptedAt = Math.max(...burst.map(({ sentAtMs, latencyMs }) => sentAtMs + latencyMs));
  const deliveredAt = Math.max(...burst.map(({ eventId }) => arrivals.get(eventId)!));
  const rate = (endedAt: number): number => burst.length / ((endedAt - startedAt) / 1_000);
  return { accepted: rate(acceptedAt), delivered: rate(deliveredAt) };
}

function lagsOf(ingested: readonly Ingested[], arrivals: ReadonlyMap<number, number>): number[] {
  return ingested.map(({ eventId, sentAtMs }) => arrivals.get(eventId)! - sentAtMs);
}

function quantiles(values: readonly number[]) {
  return { p50: rounded(percentile(values, 0.5)), p99: rounded(percentile(values, 0.99)) };
}

function pidsOf(system: System) {
  return {
    everpost: system.everpost.pid!,
    temporal: system.servers.temporal.pid,
    mongod: system.servers.mongod.pid,
    receiver: system.receiver.pid!,
    load: process.pid,
  };
}

function cpuOf(system: System) {
  const { everpost, temporal, mongod, receiver, load } = pidsOf(system);
  const seconds = { everpost: cpuSeconds(everpost), temporal: cpuSeconds(temporal), mongod: cpuSeconds(mongod) };
  return { ...seconds, receiver: cpuSeconds(receiver), load: cpuSeconds(load) };
}

function memoryOf(system: System) {
  return Object.fromEntries(Object.entries(pidsOf(system)).map(([name, pid]) => [name, Math.round(residentMb(pid))]));
}

function report(result: object): string {
  const lines = Object.entries(result).map(([name, value]) => {
    const text = typeof value === 'object' ? Object.entries(value as object).map(([key, inner]) => `${key} ${inner}`).join(', ') : value;
    return `${name.padEnd(18)} ${text}`;
  });
  return `${lines.join('\n')}\n`;
}

async function healthy(url: string): Promise<void> {
  for (let tries = 0; tries < 150; tries += 1) {
    const status = await fetch(url).then(async (answer) => ((await answer.json()) as { status: string }).status, () => 'down');
    if (status === 'ok') return;
    await pause(200);
  }
  throw new Error(`${url} was not healthy within 30 s`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
