import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { START_PACE } from '../src/dispatch/start-queue';
import { ask, pause } from './child';
import { measureLimitCost } from './limit-cost';
import type { Ingested } from './load';
import { cpuSeconds, percentile, residentMb, rounded } from './statistics';
import { startSystem, type System } from './system';

/** How much is measured. */
const PROFILES = {
  standard: {
    warmUp: 200,
    burst: 2_000,
    concurrency: 64,
    openLoopPerSecond: 20,
    openLoopSeconds: 15,
    limitRequests: 5_000,
  },
  quick: { warmUp: 50, burst: 300, concurrency: 32, openLoopPerSecond: 20, openLoopSeconds: 4, limitRequests: 500 },
} as const;

const SETTLE_MS = 1_000;

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
    say('limits: requests/s with and without authentication and limits');
    const limitCost = await measureLimitCost(system.servers, profile.limitRequests);
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
      limit_requests_per_s: limitCost,
    };
    process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : report(result));
  } finally {
    await system.close();
  }
}

async function runBare(system: System, deliveries: number): Promise<number> {
  // Alone, as the measured run was: Everpost's worker would poll beside it.
  system.everpost.kill('SIGKILL');
  const child = fork(join(__dirname, 'bare-process.js'));
  const { temporal } = system.servers;
  const task = {
    address: temporal.address,
    namespace: system.namespace,
    schedule: system.schedule,
    deliveries,
    startsInFlight: START_PACE.usual.most,
  };
  const { perSecond } = await ask<{ perSecond: number }>(child, task, 'done');
  // Its connection to Temporal would keep it, and us, alive.
  child.kill('SIGKILL');
  return perSecond;
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
    const text =
      typeof value === 'object'
        ? Object.entries(value as object)
            .map(([key, inner]) => `${key} ${inner}`)
            .join(', ')
        : value;
    return `${name.padEnd(18)} ${text}`;
  });
  return `${lines.join('\n')}\n`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
