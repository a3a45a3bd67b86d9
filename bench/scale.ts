import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from '../dev/certificate';
import { endWithUs } from '../dev/reaper';
import { makeThrowawayFolder } from '../dev/servers';
import { arrivalsOf, lagsOf } from './arrivals';
import { pause } from './child';
import { startLoad, type Ingested, type Load } from './load';
import { quantiles, rounded } from './statistics';
import { register, startReceiver, TIERS } from './system';
import { findTemporalTools } from './topology/temporal-tools';
import { startTopology, type Topology } from './topology/topology';
import { cpuByKind, memoryByKind, type ByKind } from './topology/usage';

const APIS = 2;
const WORKERS = [1, 2, 4];
const WARM_UP = 50;
const CONCURRENCY = 16;
/** New deliveries beside those that sleep. */
const TRICKLE = { perSecond: 5, seconds: 20 };
const DATA_BYTES = 1_024;
/** What is sent before all of it sleeps: more would wait to be started, and hide what sleepers cost. */
const SLEEPERS_AT_A_TIME = 1_000;
/** They fail once, and wait for longer than the benchmark runs. */
const SLEEPS = { retry_schedule: [0, 86_400] };
const LOOK_EVERY_MS = 1_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The topology with two tenants: the deliveries of one succeed, those of the other fail once and sleep. */
type ScaleSystem = Awaited<ReturnType<typeof startScaleSystem>>;

/**
 * Measures the services of docker-compose.yml as processes of this machine, with all first attempts in workflows:
 * deliveries a second with one, two and four workers, and what deliveries cost that wait for their retry. `--events`
 * sets the size of each burst, `--sleepers` how many wait; 100,000 by default.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { events: { type: 'string', default: '1000' }, sleepers: { type: 'string', default: '100000' } },
  });
  // npm runs it in the project's folder.
  const root = resolve('.');
  const tools = findTemporalTools(root);
  if (tools === undefined) return;
  const system = await startScaleSystem(root, tools);
  try {
    const bursts: object[] = [];
    for (const workers of WORKERS) {
      while (system.topology.workers.length < workers) await system.topology.addWorker();
      say(`${values.events} events with ${workers} workers`);
      bursts.push({ workers, ...(await measureBurst(system, Number(values.events))) });
    }
    const sleepers = await measureSleepers(system, Number(values.sleepers));
    process.stdout.write(`${JSON.stringify({ apis: APIS, events: Number(values.events), bursts, sleepers })}\n`);
  } finally {
    await system.close();
  }
}

async function startScaleSystem(root: string, tools: string) {
  const certificate = await makeCertificate();
  const answering = await startReceiver(certificate, { hanging: 0, failing: 0 });
  const refusing = await startReceiver(certificate, { hanging: 0, failing: 1 });
  const receivers = [answering.receiver, refusing.receiver];
  for (const receiver of receivers) endWithUs(receiver);
  const caFile = join(await makeThrowawayFolder(), 'ca.pem');
  await writeFile(caFile, certificate.cert);
  const ports = [...answering.ports, ...refusing.ports];
  const topology = await startTopology({
    ...{ root, tools, apis: APIS, workers: WORKERS[0]!, say },
    dotEnv: {
      FIRST_ATTEMPT: 'workflow',
      DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
      DELIVERY_ALLOW_PORTS: ports.join(','),
      EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: '1',
      TIERS,
    },
    settings: { DELIVERY_CA_FILE: caFile },
  });
  const { config, mongo, urls } = topology;
  const tenant = async (name: string, [port]: readonly number[], options: object): Promise<Load[]> => {
    const { key } = await register(config, mongo, urls[0]!, { name, options }, [`https://127.0.0.1:${port}/hook`]);
    return urls.map((url) => startLoad({ url, key, dataBytes: DATA_BYTES }));
  };
  const loads = await tenant('awake', answering.ports, {});
  const sleepLoads = await tenant('asleep', refusing.ports, SLEEPS);
  return {
    topology,
    receiver: answering.receiver,
    /** One at each API. */
    loads,
    sleepLoads,
    /** How many deliveries the receiver has answered. */
    delivered: { count: 0 },
    async close() {
      for (const load of [...loads, ...sleepLoads]) load.close();
      for (const receiver of receivers) receiver.kill('SIGKILL');
      await topology.close();
    },
  };
}

/** Sends at all APIs. @returns what they accepted, after all of it arrived, with its lags */
async function deliver(system: ScaleSystem, send: (load: Load) => Promise<Ingested[]>) {
  const ingested = (await Promise.all(system.loads.map(send))).flat();
  system.delivered.count += ingested.length;
  const arrivals = await arrivalsOf(system.receiver, system.delivered.count);
  const arrivedAt = ingested.flatMap(({ eventId }) => arrivals.get(eventId) ?? []);
  const seconds = (Math.max(...arrivedAt) - Math.min(...ingested.map(({ sentAtMs }) => sentAtMs))) / 1_000;
  return { perSecond: ingested.length / seconds, lags: lagsOf(ingested, arrivals) };
}

async function measureBurst(system: ScaleSystem, events: number) {
  const each = (count: number) => (load: Load) => load.burst(Math.ceil(count / APIS), CONCURRENCY / APIS);
  await deliver(system, each(WARM_UP));
  const before = cpuByKind(system.topology);
  const { perSecond, lags } = await deliver(system, each(events));
  // What follows an arrival belongs to it: the answer is recorded, and the execution ends.
  await pause(LOOK_EVERY_MS);
  const cpu = difference(before, cpuByKind(system.topology), 1_000 / lags.length);
  return { deliveries_per_s: rounded(perSecond), arrival_ms: quantiles(lags), cpu_s_per_1000: cpu };
}

async function measureSleepers(system: ScaleSystem, count: number) {
  const { topology } = system;
  const trickle = async () =>
    quantiles((await deliver(system, (load) => load.openLoop(TRICKLE.perSecond / APIS, TRICKLE.seconds))).lags);
  say('new deliveries while none sleeps');
  const awake = await trickle();
  const before = { memory: memoryByKind(topology), disk: await bytesOf(topology) };
  say(`${count} deliveries fail and sleep`);
  const startedAt = performance.now();
  for (let asleep = 0; asleep < count;) {
    const more = Math.min(SLEEPERS_AT_A_TIME, count - asleep);
    await Promise.all(system.sleepLoads.map((load) => load.burst(Math.ceil(more / APIS), CONCURRENCY / APIS)));
    asleep += more;
    await untilAsleep(topology, asleep);
  }
  const asleepAfterS = (performance.now() - startedAt) / 1_000;
  const after = { memory: memoryByKind(topology), disk: await bytesOf(topology) };
  say('new deliveries while they sleep');
  const asleep = await trickle();
  say('Temporal and the workers restart');
  return {
    count,
    asleep_after_s: rounded(asleepAfterS),
    memory_mb_before: roundedOf(before.memory),
    memory_mb_after: roundedOf(after.memory),
    postgresql_bytes_each: Math.round((after.disk.postgresql - before.disk.postgresql) / count),
    mongodb_bytes_each: Math.round((after.disk.mongodb - before.disk.mongodb) / count),
    arrival_ms_without: awake,
    arrival_ms_with: asleep,
    restart_s: rounded(await restart(system)),
  };
}

/** An event has one destination here. */
async function untilAsleep({ mongo }: Topology, count: number): Promise<void> {
  const events = mongo.db.collection('events');
  while ((await events.countDocuments({ 'destinations.state': 'retrying' })) < count) await pause(LOOK_EVERY_MS);
}

/** What one member of the set and PostgreSQL hold on disk, without logs of writes. */
async function bytesOf({ mongo, postgresql, replicaSet }: Topology): Promise<{ mongodb: number; postgresql: number }> {
  await replicaSet.checkpoint();
  const { totalSize } = await mongo.db.command({ dbStats: 1 });
  return { mongodb: Number(totalSize), postgresql: await postgresql.bytes() };
}

/** @returns seconds from the start of the Temporal server and the workers until a new delivery arrives */
async function restart(system: ScaleSystem): Promise<number> {
  const { temporal, workers } = system.topology;
  await Promise.all([...workers.map((worker) => worker.stop()), temporal.stop()]);
  const startedAt = performance.now();
  await temporal.start();
  await Promise.all([
    ...workers.map((worker) => worker.start()),
    deliver(system, (load) => (load === system.loads[0] ? load.burst(1, 1) : Promise.resolve([]))),
  ]);
  return (performance.now() - startedAt) / 1_000;
}

function difference(before: ByKind, after: ByKind, factor: number): ByKind {
  const kinds = Object.keys(before) as (keyof ByKind)[];
  return Object.fromEntries(kinds.map((kind) => [kind, rounded((after[kind] - before[kind]) * factor, 2)])) as ByKind;
}

function roundedOf(values: ByKind): ByKind {
  return Object.fromEntries(Object.entries(values).map(([kind, value]) => [kind, Math.round(value)])) as ByKind;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
