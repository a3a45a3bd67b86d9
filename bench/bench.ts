import { fork } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithUs } from '../dev/reaper';
import { FIRST_ATTEMPT_MODES, type FirstAttemptMode } from '../src/domain/delivery-contract';
import { STARTS_IN_FLIGHT } from '../src/engine/dispatcher';
import type { Bare } from './bare-process';
import { arrivalsOf, lagsOf, ratesOf } from './arrivals';
import { ask, pause } from './child';
import { measureLimitCost } from './limit-cost';
import { startLoad, type Ingested } from './load';
import { countCommands } from './mongodb-commands';
import { PROFILES, type Profile } from './profiles';
import { countExecutions, phasesOf } from './phases';
import { meterCpu, percentile, quantiles, residentMb, rounded } from './statistics';
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

/** A burst of a fresh process, an idle moment, 20, 100 and 300 events a second, and a burst. */
async function measure(system: System, profile: Profile, mode: FirstAttemptMode) {
  const { burst, concurrency, fanOut, steadySeconds } = profile;
  let sent = 0;
  /** Sends, and waits until everything is delivered. */
  const deliver = async (sending: Promise<Ingested[]>) => {
    const cpuPer1000 = meterCpu(pidsOf(system));
    const before = await countCommands(system.mongo);
    const ingested = await sending;
    sent += ingested.length * fanOut;
    const arrivals = await arrivalsOf(system.receiver, sent);
    await pause(SETTLE_MS);
    const lags = lagsOf(ingested, arrivals);
    const commands = rounded(((await countCommands(system.mongo)) - before) / lags.length, 2);
    return { ingested, arrivals, lags, commands, cpu: cpuPer1000(lags.length) };
  };

  say(`first burst: ${burst} events, ${concurrency} at a time`);
  const first = await deliver(system.load.burst(burst, concurrency));
  say('idle');
  const idle = await measureIdle(system);
  const steady: Record<number, Awaited<ReturnType<typeof deliver>>> = {};
  for (const perSecond of [20, 100, 300]) {
    say(`open loop: ${perSecond} events/s for ${steadySeconds} s`);
    steady[perSecond] = await deliver(system.load.openLoop(perSecond, steadySeconds));
  }
  const calm = steady[20]!;
  const shown = await countExecutions(system, calm.ingested);
  say(`burst: ${burst} events, ${concurrency} at a time`);
  const bytesBefore = temporalBytes(system);
  const rush = await deliver(system.load.burst(burst, concurrency));
  const rates = ratesOf(rush.ingested, rush.arrivals);
  return {
    deliveries_per_s: rounded(rates.delivered),
    accepted_per_s: rounded(rates.accepted),
    ingest_ms: quantiles(calm.ingested.map(({ latencyMs }) => latencyMs)),
    arrival_ms: quantiles(calm.lags),
    arrival_100_ms: quantiles(steady[100]!.lags),
    arrival_300_ms: quantiles(steady[300]!.lags),
    burst_arrival_ms: quantiles(rush.lags),
    first_burst_arrival_ms: quantiles(first.lags),
    cpu_s_per_1000_at_20: calm.cpu,
    cpu_s_per_1000_at_100: steady[100]!.cpu,
    cpu_s_per_1000_at_300: steady[300]!.cpu,
    cpu_s_per_1000: rush.cpu,
    rss_mb: memoryOf(system),
    mongodb_commands_per_delivery: { at_20_per_s: calm.commands, burst: rush.commands },
    executions_per_delivery_at_20: rounded(shown / calm.lags.length, 3),
    idle,
    ...(mode === 'workflow' && { phases_ms: await phasesOf(system, calm.ingested, calm.arrivals) }),
    temporal_kb_per_delivery: rounded((temporalBytes(system) - bytesBefore) / rush.lags.length / 1_024),
  };
}

/** What everything costs a second while no client calls: commands to MongoDB, and hundredths of a core. */
async function measureIdle(system: System) {
  const cpuPer1000 = meterCpu(pidsOf(system));
  const before = await countCommands(system.mongo);
  await pause(IDLE_MS);
  const seconds = IDLE_MS / 1_000;
  const cpu = Object.entries(cpuPer1000(seconds * 10)).map(([name, percent]) => [`cpu_percent_${name}`, percent]);
  const commands = rounded(((await countCommands(system.mongo)) - before) / seconds);
  return { commands_per_s: commands, ...(Object.fromEntries(cpu) as Record<string, number>) };
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
