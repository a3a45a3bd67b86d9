import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { findServer } from '../../dev/find-server';
import { makeThrowawayFolder } from '../../dev/servers';
import { loadConfig } from '../../src/config';
import { writeConstants, type ConstantName } from '../sizing/constants';
import { residentMb, rounded } from '../statistics';
import { startSystem } from '../system';
import { startReplicaSet } from '../topology/replica-set';
import { measureBurst, measureIdle, measureLoad, type LoadCost, type SteadyLoad } from './measure-load';
import { measureExpiry, measureSizes } from './measure-storage';

/** A few seconds of each, to see whether it works: the figures mean nothing. */
const QUICK_FACTOR = 0.2;
const RATES = [
  { perSecond: 20, seconds: 25 },
  { perSecond: 100, seconds: 15 },
  { perSecond: 300, seconds: 10 },
];
const LOADS: readonly SteadyLoad[] = [1, 100].flatMap((tenants) =>
  RATES.map((rate) => ({ ...rate, tenants, endpoints: 1 })),
);
const WIDE: SteadyLoad = { perSecond: 100, tenants: 1, endpoints: 5, seconds: 15 };
const BY_WORKFLOW: SteadyLoad = { perSecond: 20, tenants: 1, endpoints: 1, seconds: 25 };
const ON_THREE: SteadyLoad = { perSecond: 100, tenants: 1, endpoints: 1, seconds: 15 };
/** A process at its limit: its calls and deliveries share most commands. */
const BURST = { name: 'a burst', tenants: 1, events: 5_000 };
const IDLE_S = 15;
/** A load whose events are refused is another load. */
const MIN_ACCEPTED = 0.98;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** What was measured so far; an interrupted run goes on with it (`--resume`). */
interface Results {
  loads: Record<string, LoadCost>;
  values: Partial<Record<ConstantName, number>>;
}

/**
 * Measures what an event costs at ordinary load, and what is stored of it. `--write` puts the results into the constants of
 * `npm run sizing`; `--quick` only tries it; `--resume` continues an interrupted run.
 */
async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: { write: { type: 'boolean' }, quick: { type: 'boolean' }, resume: { type: 'boolean' } },
  });
  if (options.write && options.quick) throw new Error('--quick measures nothing that may be written');
  const file = join(loadConfig().cacheDir, 'steady.json');
  const results: Results = options.resume
    ? (JSON.parse(await readFile(file, 'utf8')) as Results)
    : { loads: {}, values: {} };
  const keep = async (): Promise<void> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(results));
  };
  const factor = options.quick ? QUICK_FACTOR : 1;
  const measuring = createMeasuring(results, keep, factor);
  for (const part of [measuring.express, measuring.workflow, measuring.onThree]) await part();

  const loads = LOADS.map((load) => ({ ...load, cost: results.loads[nameOf(load)]! }));
  const burst = { tenants: BURST.tenants, cost: results.loads[BURST.name]! };
  const costs = [...loads, burst].map(({ tenants, cost }) => ({ tenants, ...cost }));
  for (const cost of costs) process.stdout.write(`${JSON.stringify(cost)}\n`);
  for (const [name, value] of Object.entries(results.values)) process.stdout.write(`${name}: ${value}\n`);
  if (!options.write) return;
  const refused = loads.filter(({ perSecond, seconds, cost }) => cost.events < perSecond * seconds * MIN_ACCEPTED);
  if (refused.length > 0) {
    throw new Error(`Not written: the machine was too busy, and refused events of ${refused.map(nameOf).join('; ')}`);
  }
  const source = `\`npm run bench:steady\`, ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}`;
  writeConstants({ loads: costs.map(({ events: _events, ...cost }) => cost), values: results.values }, source);
  await rm(file, { force: true });
}

function nameOf({ perSecond, tenants, endpoints }: SteadyLoad): string {
  return `${perSecond} events/s of ${tenants} accounts to ${endpoints} endpoints`;
}

function createMeasuring(results: Results, keep: () => Promise<void>, factor: number) {
  const { loads, values } = results;
  const secondsOf = (seconds: number): number => Math.max(2, Math.round(seconds * factor));
  type System = Awaited<ReturnType<typeof startSystem>>;
  const once = async (name: string, measure: () => Promise<LoadCost>): Promise<LoadCost> => {
    if (!loads[name]) {
      say(name);
      loads[name] = await measure();
      await keep();
    }
    return loads[name];
  };
  const cost = (system: System, load: SteadyLoad) =>
    once(nameOf(load), () => measureLoad(system, { ...load, seconds: secondsOf(load.seconds) }));
  const within = async (
    options: Partial<Parameters<typeof startSystem>[0]>,
    work: (system: System) => Promise<void>,
  ) => {
    const system = await startSystem({ say, ...options });
    try {
      await work(system);
      await keep();
    } finally {
      await system.close();
    }
  };
  return {
    /** Loads, sizes and expiry. */
    express: async () => {
      if (values['delete.rate'] !== undefined) return;
      await within({ mode: 'express' }, async (system) => {
        say('idle');
        const idle = await measureIdle(system, secondsOf(IDLE_S));
        for (const load of LOADS) await cost(system, load);
        Object.assign(values, await measureSizes(system));
        await once(BURST.name, () => measureBurst(system, BURST.events * factor));
        const wide = await cost(system, WIDE);
        const narrow = loads[nameOf({ ...WIDE, endpoints: 1 })]!;
        const more = (of: 'everpost' | 'mongodb'): number =>
          rounded(Math.max(0, wide[of] - narrow[of]) / (WIDE.endpoints - 1), 2);
        Object.assign(values, {
          ...{ 'idle.everpost': idle.everpost, 'idle.mongodb': idle.mongodb, 'idle.temporal': idle.temporal },
          ...{ 'delivery.everpost': more('everpost'), 'delivery.mongodb': more('mongodb') },
          'memory.everpost': Math.round(residentMb(system.everpost.pid!)),
          'memory.mongodb': Math.round(residentMb(system.servers.mongod.pid)),
          'memory.temporal': Math.round(residentMb(system.servers.temporal.pid)),
        } satisfies Results['values']);
        say('everything expires');
        Object.assign(values, await measureExpiry(system, idle.mongodb));
      });
    },
    /** What an execution adds, with Temporal's SQLite. For MongoDB the loads differ less than two runs of one: `bench:scale`. */
    workflow: async () => {
      if (values['execution.sqlite'] !== undefined) return;
      await within({ mode: 'workflow' }, async (system) => {
        const byWorkflow = await once('by workflow', () =>
          measureLoad(system, { ...BY_WORKFLOW, seconds: secondsOf(BY_WORKFLOW.seconds) }),
        );
        const express = loads[nameOf(BY_WORKFLOW)]!;
        Object.assign(values, {
          'execution.everpost': rounded(Math.max(0, byWorkflow.everpost - express.everpost), 2),
          'execution.sqlite': rounded(Math.max(0, byWorkflow.temporal - express.temporal), 2),
        } satisfies Results['values']);
      });
    },
    /** How much more the primary does for two secondaries. */
    onThree: async () => {
      if (values['primary.of-three'] !== undefined) return;
      const { cacheDir, mongodb } = loadConfig();
      const folder = await makeThrowawayFolder();
      const binary = await findServer('mongod', { configuredPath: mongodb.binary, cacheDir, onProgress: say });
      const replicaSet = await startReplicaSet(binary, join(folder, 'mongodb'));
      try {
        await within({ mode: 'express', mongodbUri: replicaSet.uri }, async (system) => {
          const three = await once('on three members', () =>
            measureLoad(system, { ...ON_THREE, seconds: secondsOf(ON_THREE.seconds) }, replicaSet.pids()),
          );
          const alone = loads[nameOf(ON_THREE)]!;
          values['primary.of-three'] = rounded(Math.max(1, three.mongodb / alone.mongodb), 2);
        });
      } finally {
        await replicaSet.killAll();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
