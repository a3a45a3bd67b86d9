import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeCertificate } from '../dev/certificate';
import { endWithUs } from '../dev/reaper';
import { makeThrowawayFolder } from '../dev/servers';
import { deliveryId } from '../src/domain/delivery-contract';
import { EVENTS_COLLECTION, type StoredEvent } from '../src/stores/event-store';
import { arrivalsOf, lagsOf, ratesOf } from './arrivals';
import { pause } from './child';
import { startLoad, type Ingested, type Load } from './load';
import { countCommands } from './mongodb-commands';
import { quantiles, rounded } from './statistics';
import { register, startReceiver, TIERS } from './system';
import { copySleeper } from './topology/copy-sleepers';
import { findTemporalTools } from './topology/temporal-tools';
import { startTopology, type Topology } from './topology/topology';
import { cpuByKind, memoryByKind, type ByKind } from './topology/usage';

const APIS = 2;
/** A worker that has made fewer deliveries still compiles its code: the bursts would measure that. */
const WARM_UP_EACH = 500;
const CONCURRENCY = 16;
/** New deliveries beside those that sleep. */
const TRICKLE = { perSecond: 5, seconds: 20 };
const DATA_BYTES = 1_024;
/** What is sent before all of it sleeps: more would wait to be started, and hide what sleepers cost. */
const SLEEPERS_AT_A_TIME = 1_000;
/** These are made by real calls. The others are copies of one of them in the databases. */
const MADE_BY_CALLS = 2_000;
/** Copies that are woken, to show that they are deliveries like the others. */
const WOKEN = 50;
/** In the database that holds more of it. */
const BYTES_OF_SLEEPER = 28_000;
/** They fail once, and wait for longer than the benchmark runs. */
const SLEEPS = { retry_schedule: [0, 86_400] };
const LOOK_EVERY_MS = 1_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** The topology with two tenants: the deliveries of one succeed, those of the other fail once and sleep. */
type ScaleSystem = Awaited<ReturnType<typeof startScaleSystem>>;

/**
 * Measures the services of docker-compose.yml as processes of this machine, with all first attempts in workflows:
 * deliveries a second with one, two and four workers, and what deliveries cost that wait for their retry. `--events`
 * sets the size of each burst, `--workers` how many workers each has, `--sleepers` how many deliveries wait.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '1000' },
      workers: { type: 'string', default: '1,2,4' },
      sleepers: { type: 'string', default: '100000' },
    },
  });
  // npm runs it in the project's folder.
  const root = resolve('.');
  const tools = findTemporalTools(root);
  if (tools === undefined) return;
  const system = await startScaleSystem(root, tools, Number(values.sleepers) * BYTES_OF_SLEEPER);
  try {
    const bursts: object[] = [];
    for (const workers of values.workers.split(',').map(Number)) {
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

async function startScaleSystem(root: string, tools: string, extraBytes: number) {
  const certificate = await makeCertificate();
  const answering = await startReceiver(certificate, { hanging: 0, failing: 0 });
  const refusing = await startReceiver(certificate, { hanging: 0, failing: 1 });
  const receivers = [answering.receiver, refusing.receiver];
  for (const receiver of receivers) endWithUs(receiver);
  const caFile = join(await makeThrowawayFolder(), 'ca.pem');
  await writeFile(caFile, certificate.cert);
  const ports = [...answering.ports, ...refusing.ports];
  const topology = await startTopology({
    ...{ root, tools, extraBytes, apis: APIS, workers: 1, say },
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
  const tenant = async (name: string, [port]: readonly number[], options: object) => {
    const { key } = await register(config, mongo, urls[0]!, { name, options }, [`https://127.0.0.1:${port}/hook`]);
    return { key, loads: urls.map((url) => startLoad({ url, key, dataBytes: DATA_BYTES })) };
  };
  const { loads } = await tenant('awake', answering.ports, {});
  const { key: sleepKey, loads: sleepLoads } = await tenant('asleep', refusing.ports, SLEEPS);
  return {
    topology,
    receiver: answering.receiver,
    /** One at each API. */
    loads,
    sleepLoads,
    sleepKey,
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
  return { perSecond: ratesOf(ingested, arrivals).delivered, lags: lagsOf(ingested, arrivals) };
}

async function measureBurst(system: ScaleSystem, events: number) {
  const each = (count: number) => (load: Load) => load.burst(Math.ceil(count / APIS), CONCURRENCY / APIS);
  await deliver(system, each(WARM_UP_EACH * system.topology.workers.length));
  const { topology } = system;
  const before = {
    cpu: cpuByKind(topology),
    commands: await countCommands(topology.mongo),
    failedTasks: await failedTasks(topology),
  };
  const { perSecond, lags } = await deliver(system, each(events));
  // What follows an arrival belongs to it: the answer is recorded, and the execution ends.
  await pause(LOOK_EVERY_MS);
  const cpu = difference(before.cpu, cpuByKind(topology), 1_000 / lags.length);
  const commands = (await countCommands(topology.mongo)) - before.commands;
  return {
    deliveries_per_s: rounded(perSecond),
    arrival_ms: quantiles(lags),
    cpu_s_per_1000: cpu,
    /** To the primary. The secondaries' are among them. */
    mongodb_commands_per_delivery: rounded(commands / lags.length),
    failed_tasks: (await failedTasks(topology)) - before.failedTasks,
  };
}

/** How often the Temporal server has failed to process a task, by its log. It tries each of them again. */
async function failedTasks({ folder }: Topology): Promise<number> {
  return (await readFile(join(folder, 'temporal.log'), 'utf8')).split('"Fail to process task"').length - 1;
}

async function measureSleepers(system: ScaleSystem, count: number) {
  const { topology } = system;
  const trickle = async () =>
    quantiles((await deliver(system, (load) => load.openLoop(TRICKLE.perSecond / APIS, TRICKLE.seconds))).lags);
  say('new deliveries while none sleeps');
  const awake = await trickle();
  const before = await stateOf(topology);
  const byCalls = Math.min(count, MADE_BY_CALLS);
  say(`${byCalls} deliveries fail and sleep`);
  const startedAt = performance.now();
  for (let asleep = 0; asleep < byCalls;) {
    const more = Math.min(SLEEPERS_AT_A_TIME, byCalls - asleep);
    await Promise.all(system.sleepLoads.map((load) => load.burst(Math.ceil(more / APIS), CONCURRENCY / APIS)));
    asleep += more;
    await untilAsleep(topology, asleep);
  }
  const asleepAfterS = (performance.now() - startedAt) / 1_000;
  const made = await stateOf(topology);
  const copies = count - byCalls;
  if (copies > 0) say(`${copies} copies of one of them are stored`);
  const copied = copies > 0 ? await copySleeper(topology, copies, say) : [];
  const after = copies > 0 ? await stateOf(topology) : made;
  say('new deliveries while they sleep');
  const asleep = await trickle();
  say('Temporal and the workers restart');
  const restartS = await restart(system);
  const restarted = await trickle();
  // Only now: a shard writes no event with a lower number than before its restart, so it accepts the copies' histories.
  say('some copies are woken');
  const woken = await wake(
    system,
    copied.filter((_, index) => index % Math.ceil(copied.length / WOKEN) === 0),
  );
  return {
    count,
    made_by_calls: byCalls,
    made_in_s: rounded(asleepAfterS),
    memory_mb_before: roundedOf(before.memory),
    memory_mb_after: roundedOf(after.memory),
    bytes_of_each_made: bytesEach(before, made, byCalls),
    bytes_of_each_copied: bytesEach(made, after, copies),
    arrival_ms_without: awake,
    arrival_ms_with: asleep,
    restart_s: rounded(restartS),
    arrival_ms_after_restart: restarted,
    woken,
  };
}

/** Memory in MB, and bytes on disk. */
async function stateOf(topology: Topology) {
  return { memory: memoryByKind(topology), disk: await bytesOf(topology) };
}

type State = Awaited<ReturnType<typeof stateOf>>;

function bytesEach(before: State, after: State, count: number) {
  const each = (kind: keyof State['disk']): number => Math.round((after.disk[kind] - before.disk[kind]) / count);
  return count === 0 ? null : { postgresql: each('postgresql'), mongodb: each('mongodb') };
}

/** Asks for the next attempt of sleeping deliveries. @returns how many there were, after all were attempted again */
async function wake({ topology, sleepKey }: ScaleSystem, eventIds: readonly number[]): Promise<number> {
  const { urls, mongo } = topology;
  const events = mongo.db.collection<StoredEvent>(EVENTS_COLLECTION);
  const found = await events.find({ _id: { $in: [...eventIds] } }).toArray();
  for (const { _id: eventId, destinations } of found) {
    const id = deliveryId({ eventId, endpointId: destinations[0]!.endpoint_id });
    const answer = await fetch(`${urls[0]}/api/v1/webhooks/deliveries/${id}/retry`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sleepKey}` },
    });
    if (!answer.ok) throw new Error(`retry: ${answer.status} ${await answer.text()}`);
  }
  const attempted = { _id: { $in: [...eventIds] }, 'destinations.attempt_count': 2 };
  while ((await events.countDocuments(attempted)) < eventIds.length) await pause(LOOK_EVERY_MS);
  return eventIds.length;
}

/** An event has one destination here. */
async function untilAsleep({ mongo }: Topology, count: number): Promise<void> {
  const events = mongo.db.collection(EVENTS_COLLECTION);
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
