import { fork } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithUs } from '../dev/reaper';
import { FIRST_ATTEMPT_MODES, type FirstAttemptMode } from '../src/domain/delivery-contract';
import { STARTS_IN_FLIGHT } from '../src/dispatch/dispatcher';
import type { Bare } from './bare-process';
import { arrivalsOf, lagsOf, ratesOf } from './arrivals';
import { ask, pause } from './child';
import { measureLimitCost } from './limit-cost';
import { startLoad, type Ingested } from './load';
import { countCommands } from './mongodb-commands';
import { PROFILES, type Profile } from './profiles';
import { phasesOf } from './phases';
import { cpuSeconds, meterCpu, percentile, quantiles, residentMb, rounded } from './statistics';
import { startReceiver, startSystem, type System } from './system';

const SETTLE_MS = 1_000;
const IDLE_MS = 10_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      profile: { type: 'string', default: 'standard' },
      mode: { type: 'string', default: 'auto' },
    },
  });
  const profile = PROFILES[values.profile];
  if (!profile) throw new Error(`Profiles: ${Object.keys(PROFILES).join(', ')}`);
  const mode = FIRST_ATTEMPT_MODES.find((name) => name === values.mode);
  if (!mode) throw new Error(`Modes: ${FIRST_ATTEMPT_MODES.join(', ')}`);
  const { fanOut, failing, dataBytes } = profile;

  const system = await startSystem({ say, mode, fanOut, failing, dataBytes });
  try {
    const measured = await measure(system, profile, mode);
    // Alone, like the measured runs: Everpost's worker would poll too.
    system.everpost.kill('SIGKILL');
    say('plain: a route without a database and an engine signs and posts the same events');
    const plain = await runPlain(system, profile);
    say(`bare: the same workflow with an empty activity, 20 a second and ${profile.burst} at once`);
    const bare = await runBare(system, profile);
    say('limits: requests/s with and without authentication and limits');
    const limitCost = await measureLimitCost(system.servers, profile.limitRequests);
    const result = {
      mode,
      profile: values.profile,
      ...measured,
      bare_per_s: rounded(bare.perSecond),
      bare_cpu_s_per_1000: bare.cpu,
      ratio_to_bare: rounded(measured.deliveries_per_s / bare.perSecond, 2),
      bare_arrival_ms: quantiles(bare.lags),
      arrival_to_bare: rounded(measured.arrival_ms.p50 / percentile(bare.lags, 0.5), 2),
      plain_per_s: rounded(plain),
      ratio_to_plain: rounded(measured.deliveries_per_s / plain, 3),
      limit_requests_per_s: limitCost,
    };
    process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : report(result));
  } finally {
    await system.close();
  }
}

/** Warm-up, an idle moment, 20 and 100 events a second, and a burst. */
async function measure(system: System, profile: Profile, mode: FirstAttemptMode) {
  const { burst, concurrency, fanOut, steadySeconds, warmUp } = profile;
  let sent = 0;
  /** Sends, and waits until everything is delivered. */
  const deliver = async (sending: Promise<Ingested[]>) => {
    const ingested = await sending;
    sent += ingested.length * fanOut;
    const arrivals = await arrivalsOf(system.receiver, sent);
    await pause(SETTLE_MS);
    return { ingested, arrivals, lags: lagsOf(ingested, arrivals) };
  };
  const commandsOf = async <T extends { readonly lags: readonly number[] }>(work: () => Promise<T>) => {
    const before = await countCommands(system.mongo);
    const done = await work();
    return { ...done, commands: ((await countCommands(system.mongo)) - before) / done.lags.length };
  };

  say(`warm-up: ${warmUp} events`);
  await deliver(system.load.burst(warmUp, 16));
  say('idle');
  const idle = await measureIdle(system);
  say(`open loop: 20 events/s for ${steadySeconds} s`);
  const steady = await commandsOf(() => deliver(system.load.openLoop(20, steadySeconds)));
  say(`open loop: 100 events/s for ${steadySeconds} s`);
  const busy = await deliver(system.load.openLoop(100, steadySeconds));
  say(`burst: ${burst} events, ${concurrency} at a time`);
  const cpuPer1000 = meterCpu(pidsOf(system));
  const bytesBefore = temporalBytes(system);
  const rush = await commandsOf(() => deliver(system.load.burst(burst, concurrency)));
  const cpu = cpuPer1000(rush.lags.length);
  const rates = ratesOf(rush.ingested, rush.arrivals);
  return {
    deliveries_per_s: rounded(rates.delivered),
    accepted_per_s: rounded(rates.accepted),
    ingest_ms: quantiles(steady.ingested.map(({ latencyMs }) => latencyMs)),
    arrival_ms: quantiles(steady.lags),
    arrival_100_ms: quantiles(busy.lags),
    burst_arrival_ms: quantiles(rush.lags),
    cpu_s_per_1000: cpu,
    rss_mb: memoryOf(system),
    mongodb_commands_per_delivery: { at_20_per_s: rounded(steady.commands), burst: rounded(rush.commands, 2) },
    idle,
    ...(mode === 'workflow' && { phases_ms: await phasesOf(system, steady.ingested, steady.arrivals) }),
    temporal_kb_per_delivery: rounded((temporalBytes(system) - bytesBefore) / rush.lags.length / 1_024),
  };
}

async function measureIdle({ everpost, mongo }: System) {
  const [commands, cpu] = [await countCommands(mongo), cpuSeconds(everpost.pid!)];
  await pause(IDLE_MS);
  const seconds = IDLE_MS / 1_000;
  return {
    commands_per_s: rounded(((await countCommands(mongo)) - commands) / seconds),
    cpu_percent: rounded(((cpuSeconds(everpost.pid!) - cpu) / seconds) * 100),
  };
}

/** @returns deliveries a second of the route in `plain-process.ts`, under the same burst */
async function runPlain({ certificate }: System, { burst, concurrency, dataBytes, warmUp }: Profile) {
  const { receiver, ports } = await startReceiver(certificate, { hanging: 0, failing: 0 });
  const plain = fork(join(__dirname, 'plain-process.js'));
  for (const child of [receiver, plain]) endWithUs(child);
  const key = 'plain';
  const task = { receiverUrl: `https://127.0.0.1:${ports[0]}/hook`, ca: certificate.cert, key };
  const { port } = await ask<{ port: number }>(plain, task, 'listening');
  const load = startLoad({ url: `http://127.0.0.1:${port}`, key, dataBytes });
  await load.burst(warmUp, concurrency);
  const ingested = await load.burst(burst, concurrency);
  const arrivals = await arrivalsOf(receiver, warmUp + burst);
  load.close();
  for (const child of [receiver, plain]) child.kill('SIGKILL');
  return ratesOf(ingested, arrivals).delivered;
}

/** Runs the bare workflow. */
async function runBare(system: System, { burst, steadySeconds }: Profile): Promise<Bare> {
  const child = fork(join(__dirname, 'bare-process.js'));
  const { temporal } = system.servers;
  const task = {
    address: temporal.address,
    temporalPid: temporal.pid,
    namespace: system.config.temporal.namespace,
    schedule: system.config.delivery.schedule,
    deliveries: burst,
    steadySeconds,
    startsInFlight: STARTS_IN_FLIGHT,
  };
  const measured = await ask<Bare>(child, task, 'done');
  // Its connection to Temporal would keep it, and this process, alive.
  child.kill('SIGKILL');
  return measured;
}

function pidsOf({ everpost, load, receiver, servers }: System): Record<string, number> {
  const { mongod, temporal } = servers;
  return {
    everpost: everpost.pid!,
    temporal: temporal.pid,
    mongod: mongod.pid,
    receiver: receiver.pid!,
    load: load.pid,
  };
}

function memoryOf(system: System) {
  return Object.fromEntries(Object.entries(pidsOf(system)).map(([name, pid]) => [name, Math.round(residentMb(pid))]));
}

/** The size of the dev server's database. */
function temporalBytes({ servers }: System): number {
  const folder = join(servers.folder, 'temporal');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const databases = files.filter(({ name }) => !name.endsWith('.log'));
  return databases.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function report(result: object): string {
  const lines = Object.entries(result).map(([name, value]) => {
    const text =
      typeof value === 'object'
        ? Object.entries(value as object)
            .map(([key, inner]) => `${key} ${inner}`)
            .join(', ')
        : value;
    return `${name.padEnd(30)} ${text}`;
  });
  return `${lines.join('\n')}\n`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
