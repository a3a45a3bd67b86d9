import { answeredBy } from '../arrivals';
import { pause } from '../child';
import { startLoad } from '../load';
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
  readonly everpost: number;
  readonly mongodb: number;
  readonly temporal: number;
  readonly commands: number;
  /** Events that were accepted; others were answered 503, on a machine that is too busy. */
  readonly events: number;
}

const WARM_UP_S = 3;
const DATA_BYTES = 1_024;
const REGISTER_AT_ONCE = 10;
const LOOK_EVERY_MS = 100;
/** What follows an arrival belongs to it: the answer is recorded, and counted within a second. */
const SETTLE_MS = 1_500;

/**
 * Measures a load after a short one to warm up.
 *
 * @param mongodPids of all members of the replica set: the one that used the most is the primary
 */
export async function measureLoad(
  system: System,
  { perSecond, tenants, endpoints, seconds }: SteadyLoad,
  mongodPids: readonly number[] = [system.servers.mongod.pid],
): Promise<LoadCost> {
  const load = startLoad({
    url: system.url,
    key: await makeKeys(system, tenants, endpoints),
    dataBytes: DATA_BYTES,
    skipsRefused: true,
  });
  try {
    const deliver = async (forSeconds: number): Promise<number> => {
      const before = await answeredBy(system.receiver);
      const { length } = await load.openLoop(perSecond, forSeconds);
      while ((await answeredBy(system.receiver)) < before + length * endpoints) await pause(LOOK_EVERY_MS);
      await pause(SETTLE_MS);
      return length;
    };
    await deliver(WARM_UP_S);
    const used = meter(system, mongodPids);
    const commandsBefore = await countCommands(system.mongo);
    const events = await deliver(seconds);
    const { everpost, mongodb, temporal } = used();
    const commands = (await countCommands(system.mongo)) - commandsBefore;
    const per1000 = (cpu: number): number => rounded((cpu / events) * 1_000, 2);
    return {
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
