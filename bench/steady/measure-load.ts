import { answeredBy } from '../arrivals';
import { pause } from '../child';
import { startLoad, type Ingested, type Load } from '../load';
import { countCommands } from '../mongodb-commands';
import { cpuSeconds, rounded } from '../statistics';
import { register, type System } from '../system';

/** A load at one rate: so many accounts, each with so many endpoints that get all of its events. */
export interface SteadyLoad {
  readonly perSecond: number;
  readonly tenants: number;
  readonly endpoints: number;
  readonly seconds: number;
}

/** CPU seconds for 1,000 events, and commands for one. */
export interface LoadCost {
  /** Events that were delivered a second. */
  readonly perSecond: number;
  readonly everpost: number;
  readonly mongodb: number;
  readonly temporal: number;
  readonly commands: number;
  /** Events that were accepted; others were answered 503, on a machine that is too busy. */
  readonly events: number;
}

const WARM_UP_S = 3;
const WARM_UP_EVENTS = 500;
const DATA_BYTES = 1_024;
/** As many connections as `bench:fan-out` has. */
const BURST_CONCURRENCY = 16;
const REGISTER_AT_ONCE = 10;
const LOOK_EVERY_MS = 100;
/** What follows an arrival belongs to it: the answer is recorded, and counted within a second. */
const SETTLE_MS = 1_500;

/** Sends the events of the warm-up, or those that are measured. @returns those that were accepted */
type Send = (load: Load, isWarmUp: boolean) => Promise<readonly Ingested[]>;

/**
 * Measures a load after a short one to warm up.
 *
 * @param mongodPids of all members of the replica set: the one that used the most is the primary
 */
export async function measureLoad(
  system: System,
  { perSecond, tenants, endpoints, seconds }: SteadyLoad,
  mongodPids?: readonly number[],
): Promise<LoadCost> {
  const send: Send = (load, isWarmUp) => load.openLoop(perSecond, isWarmUp ? WARM_UP_S : seconds);
  return { ...(await measure(system, { tenants, endpoints }, send, mongodPids)), perSecond };
}

/** Measures as many events as one process takes, after some to warm up: one account, one endpoint. */
export function measureBurst(system: System, count: number): Promise<LoadCost> {
  const send: Send = (load, isWarmUp) => load.burst(isWarmUp ? WARM_UP_EVENTS : count, BURST_CONCURRENCY);
  return measure(system, { tenants: 1, endpoints: 1 }, send);
}

async function measure(
  system: System,
  { tenants, endpoints }: Pick<SteadyLoad, 'tenants' | 'endpoints'>,
  send: Send,
  mongodPids: readonly number[] = [system.servers.mongod.pid],
): Promise<LoadCost> {
  const load = startLoad({
    url: system.url,
    key: await makeKeys(system, tenants, endpoints),
    dataBytes: DATA_BYTES,
    skipsRefused: true,
  });
  try {
    const deliver = async (isWarmUp: boolean) => {
      const before = await answeredBy(system.receiver);
      const startedAt = performance.now();
      const { length: events } = await send(load, isWarmUp);
      while ((await answeredBy(system.receiver)) < before + events * endpoints) await pause(LOOK_EVERY_MS);
      const perSecond = Math.round((events / (performance.now() - startedAt)) * 1_000);
      await pause(SETTLE_MS);
      return { events, perSecond };
    };
    await deliver(true);
    const used = meter(system, mongodPids);
    const commandsBefore = await countCommands(system.mongo);
    const { events, perSecond } = await deliver(false);
    const { everpost, mongodb, temporal } = used();
    const commands = (await countCommands(system.mongo)) - commandsBefore;
    const per1000 = (cpu: number): number => rounded((cpu / events) * 1_000, 2);
    return {
      perSecond,
      everpost: per1000(everpost),
      mongodb: per1000(mongodb),
      temporal: per1000(temporal),
      commands: rounded(commands / events),
      events,
    };
  } finally {
    load.close();
  }
}

/** Measures what an idle system uses. @returns busy cores */
export async function measureIdle(system: System, seconds: number) {
  const used = meter(system, [system.servers.mongod.pid]);
  await pause(seconds * 1_000);
  const { everpost, mongodb, temporal } = used();
  const cores = (cpu: number): number => rounded(cpu / seconds, 4);
  return { everpost: cores(everpost), mongodb: cores(mongodb), temporal: cores(temporal) };
}

/** @returns a function that gives the CPU seconds used since */
function meter({ everpost, servers }: System, mongodPids: readonly number[]) {
  const all = [everpost.pid!, servers.temporal.pid, ...mongodPids];
  const before = all.map(cpuSeconds);
  return () => {
    const [ofEverpost, ofTemporal, ...ofMembers] = all.map((pid, index) => cpuSeconds(pid) - before[index]!);
    return { everpost: ofEverpost!, temporal: ofTemporal!, mongodb: Math.max(...ofMembers) };
  };
}

/** Makes accounts with their endpoints. @returns a key of each */
async function makeKeys({ config, mongo, url }: System, tenants: number, endpoints: number): Promise<string[]> {
  const port = config.delivery.policy.allowPorts[0]!.from;
  const name = `steady-${Date.now()}`;
  const keys: string[] = [];
  for (let first = 0; first < tenants; first += REGISTER_AT_ONCE) {
    const some = Array.from({ length: Math.min(REGISTER_AT_ONCE, tenants - first) }, async (_, index) => {
      const urls = Array.from(
        { length: endpoints },
        (_none, at) => `https://127.0.0.1:${port}/${name}/${first + index}/${at}`,
      );
      return (await register(config, mongo, url, { name: `${name}-${first + index}` }, urls)).key;
    });
    keys.push(...(await Promise.all(some)));
  }
  return keys;
}
