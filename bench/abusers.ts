import { fork } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { endWithUs } from '../dev/reaper';
import type { Abuse } from './abuse-process';
import { ask, pause } from './child';
import { addLongHistory, ATTEMPTS } from './long-history';
import { COSTLY_FILTER } from './costly-filter';
import { publish } from './page';
import { preciseNowMs, quantiles, rounded } from './statistics';
import { startSystem, type System } from './system';

/** The tenant's events a second, and how long they are sent beside each abuse. */
const PER_SECOND = 10;
const SECONDS = 20;
const WARM_UP = 50;
const HEALTH_EVERY_MS = 50;
const ACCOUNTS = 40;
const HISTORY_BYTES = 500_000_000;
/** As many as an account may have. */
const CANNON_ENDPOINTS = 100;

/** What each of them does repeatedly until it is stopped. */
const ABUSES: Readonly<Record<Abuse['kind'], string>> = {
  listen: `${ACCOUNTS} free accounts with 5 idle listen streams each`,
  setup: '25 weak passwords of 64 characters to /setup at once, each second',
  addresses: '120 sign-ins with wrong passwords a second, each from another address',
  details: 'sign-ins with 32,749 unknown fields, one after the other on 3 connections',
  filters: 'batches of the most work that filters may do, of an enterprise account, on 3 connections',
  cannon: 'a free account with 100 endpoints at one host that fails, retried each second, and a resume each second',
  batches: `batches of 100 events of ${ACCOUNTS} free accounts at once, each second`,
  history: `an event with ${ATTEMPTS.toLocaleString('en')} attempts, its delivery and its list, 10 calls at once, each second`,
};

/**
 * Measures what abuse costs a tenant: the ingests of a steady trickle and GET /healthz, alone and beside each abuse.
 */
async function main(): Promise<void> {
  const asJson = process.argv.includes('--json');
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const system = await startSystem({ say, extraBytes: HISTORY_BYTES });
  try {
    const keys = await system.addFreeAccounts(ACCOUNTS);
    const history = await addLongHistory(system);
    const cannon = await system.addCannon(CANNON_ENDPOINTS);
    const filterKey = await system.addAccount('enterprise', { filter: COSTLY_FILTER });
    await system.load.burst(WARM_UP, 8);
    say('alone, once to warm up');
    await measure(system);
    const alone = await measure(system);
    const beside: Partial<Record<Abuse['kind'], Figures>> = {};
    for (const [kind, words] of chosen(process.argv)) {
      say(words);
      beside[kind] = await besideAbuse(system, { kind, url: system.url, keys, filterKey, cannon, history });
    }
    if (asJson) process.stdout.write(`${JSON.stringify({ alone, beside })}\n`);
    else publish('abusers', report(alone, beside));
  } finally {
    await system.close();
  }
}

async function besideAbuse(system: System, abuse: Abuse): Promise<Figures> {
  const child = fork(join(__dirname, 'abuse-process.js'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  endWithUs(child);
  try {
    await ask(child, abuse, 'begun');
    const figures = await measure(system);
    const { answers } = await ask<{ answers: Record<string, number> }>(child, { kind: 'tell' }, 'answers');
    return { ...figures, answers };
  } finally {
    child.kill('SIGKILL');
    // Its remaining calls are answered before the next one starts.
    await pause(1_000);
  }
}

/** The abuses that the arguments name, or all. */
function chosen(names: readonly string[]): [Abuse['kind'], string][] {
  const all = Object.entries(ABUSES) as [Abuse['kind'], string][];
  const named = all.filter(([kind]) => names.includes(kind));
  return named.length > 0 ? named : all;
}

interface Figures {
  readonly ingest_ms: { readonly p50: number; readonly p99: number };
  readonly healthz_ms: { readonly p50: number; readonly p99: number };
  /** The answers that the abusers got, by status. */
  readonly answers?: Readonly<Record<string, number>>;
}

async function measure({ load, url }: System): Promise<Figures> {
  let isOver = false;
  const asking = healthLatencies(url, () => isOver);
  const ingested = await load.openLoop(PER_SECOND, SECONDS);
  isOver = true;
  return {
    ingest_ms: quantiles(ingested.map(({ latencyMs }) => latencyMs)),
    healthz_ms: quantiles(await asking),
  };
}

async function healthLatencies(url: string, isOver: () => boolean): Promise<number[]> {
  const latencies: number[] = [];
  while (!isOver()) {
    const begin = preciseNowMs();
    await (await fetch(`${url}/healthz`)).text();
    latencies.push(preciseNowMs() - begin);
    await pause(HEALTH_EVERY_MS);
  }
  return latencies;
}

function report(alone: Figures, beside: Partial<Record<Abuse['kind'], Figures>>): string {
  const line = (what: string, { ingest_ms: ingest, healthz_ms: healthz, answers = {} }: Figures): string => {
    const told = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
    const ratio = rounded(ingest.p99 / alone.ingest_ms.p99);
    return `| ${what} | ${ingest.p50} | ${ingest.p99} | ${ratio} | ${healthz.p99} | ${told.join(', ')} |`;
  };
  const rows = Object.entries(beside) as [Abuse['kind'], Figures][];
  return [
    `Node ${process.versions.node}, ${cpus().length} CPUs, load average ${rounded(loadavg()[0]!)} at the end.`,
    '',
    '| beside | ingest p50 ms | p99 ms | times alone | /healthz p99 ms | answers to the abusers |',
    '| --- | --- | --- | --- | --- | --- |',
    line('no abuser', alone),
    ...rows.map(([kind, figures]) => line(ABUSES[kind], figures)),
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
