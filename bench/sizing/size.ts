import type { EstimateItem } from '../../src/domain/estimate-item';
import type { Constants } from './constants';
import { createLoadModel, type Demand, type LoadModel } from './load-model';
import {
  at,
  BURSTABLE,
  cacheBytes,
  DATABASES,
  DISK_BYTES,
  GENERAL,
  HEADROOM,
  type Machine,
  POSTGRESQL,
  processesFor,
  READ_HOURS,
  REDUNDANT,
  REPLICA_SET,
  smallCores,
} from './machines';
import { wallsOfOneMachine, wallsOfMany, type Wall } from './walls';

/** `ha`: every part has a spare. `small`: one machine with everything (docs/small.md). */
export const PROFILES = ['ha', 'small'] as const;
export type Profile = (typeof PROFILES)[number];

/** Processes of one kind, the machines that carry them, and their disks. */
export interface Part {
  readonly name: string;
  /** Cores that are busy on average, in all of its machines that work. */
  readonly cores: number;
  readonly machines: number;
  /** An instance of the estimator's catalog. */
  readonly instance: string;
  /** Each machine is that many times this instance, in vCPUs, memory and price. */
  readonly size: number;
  /** Of each machine. */
  readonly diskGb: number;
  /** GB of indexes that each machine should have in memory; absent where there are none. */
  readonly indexGb?: number;
}

export interface Sizing {
  readonly deliveriesPerS: number;
  /** Executions in Temporal a second. */
  readonly executionsPerS: number;
  /** Processes of Everpost. */
  readonly processes: number;
  readonly deletesPerS: number;
  readonly parts: readonly Part[];
  readonly egressGbPerMonth: number;
  /** The nearest first. */
  readonly walls: readonly Wall[];
  /** Everything, for the estimator. */
  readonly items: readonly EstimateItem[];
}

/** An instance type is sold in these multiples, at multiples of its price. */
const SIZES = [1, 2, 4, 8, 16];
const CONFIG_DISK_GB = 8;
const DATA_BYTES = 1_024;
/** Headers of a POST, signatures included, and the frames of TLS and TCP: 1 KB with the defaults. */
const HEADER_BYTES = 1_024;
const MONTH_S = 730 * 3_600;
const GB = 1e9;

/** What this load needs: machines, disks and egress, and the limits that come next. */
export function sizeOf(demand: Demand, constants: Constants, profile: Profile = 'ha'): Sizing {
  const model = createLoadModel(constants);
  const processes = profile === 'small' ? 1 : processesFor(model, demand);
  const parts = profile === 'small' ? oneMachine(model, demand) : manyMachines(model, demand, processes);
  const egressGbPerMonth = (model.attemptsPerS(demand) * MONTH_S * (DATA_BYTES + HEADER_BYTES)) / GB;
  const walls = profile === 'small' ? wallsOfOneMachine(model, demand) : wallsOfMany(model, demand);
  return {
    deliveriesPerS: demand.eventsPerS * demand.fanOut,
    executionsPerS: model.executionsPerS(demand, processes),
    processes,
    deletesPerS: model.deletesPerS(demand),
    parts,
    egressGbPerMonth,
    walls: walls
      .filter(({ eventsPerS }) => Number.isFinite(eventsPerS))
      .sort((one, other) => one.eventsPerS - other.eventsPerS),
    items: itemsOf(parts, Math.ceil(egressGbPerMonth)),
  };
}

function manyMachines(model: LoadModel, demand: Demand, processes: number): Part[] {
  const peak = at(demand, demand.eventsPerS * HEADROOM);
  const temporal = model.temporal(peak, processes, 'postgresql');
  const postgresql = Math.max(1, Math.ceil(model.postgresql(peak, processes) / POSTGRESQL.vCpus));
  return [
    {
      name: 'Everpost',
      cores: model.everpost(demand, processes),
      machines: Math.max(REDUNDANT, Math.ceil(processes / GENERAL.vCpus)),
      instance: GENERAL.name,
      size: 1,
      diskGb: 0,
    },
    ...mongodbParts(model, demand, processes),
    {
      name: 'Temporal',
      cores: model.temporal(demand, processes, 'postgresql'),
      machines: Math.max(REDUNDANT, Math.ceil(temporal / GENERAL.vCpus)),
      instance: GENERAL.name,
      size: 1,
      diskGb: 0,
    },
    {
      name: "Temporal's PostgreSQL, with a standby",
      cores: model.postgresql(demand, processes),
      machines: REDUNDANT,
      instance: POSTGRESQL.name,
      // One database holds all of Temporal's history shards: more load needs a larger one, not more of them.
      size: postgresql,
      diskGb: Math.ceil(model.temporalBytes(demand, processes, 'postgresql') / GB),
    },
  ];
}

/** The cheapest machines for the members of the shards, and config servers for several shards. */
function mongodbParts(model: LoadModel, demand: Demand, processes: number): Part[] {
  const choices = DATABASES.flatMap((machine) =>
    SIZES.map((size) => {
      const shards = shardsFor(model, demand, processes, machine, size);
      return { machine, size, shards, usd: shards * size * machine.usdPerHour };
    }),
  );
  // Of equals the one with fewer shards.
  const { machine, size, shards } = choices.reduce((one, other) =>
    other.usd < one.usd || (other.usd === one.usd && other.shards < one.shards) ? other : one,
  );
  const record: Part = {
    name: shards === 1 ? 'MongoDB: a replica set' : `MongoDB: ${shards} shards`,
    cores: shards * model.mongodbShard(demand, processes, shards, REPLICA_SET) + model.mongodbIdle(processes),
    machines: shards * REPLICA_SET,
    instance: machine.name,
    size,
    diskGb: Math.ceil(model.mongodbBytes(demand) / GB / shards),
    indexGb: model.indexBytes(demand, READ_HOURS) / GB / shards,
  };
  if (shards === 1) return [record];
  const config = { name: "The shards' config servers", cores: 0, machines: REPLICA_SET, instance: BURSTABLE.name };
  return [record, { ...config, size: 1, diskGb: CONFIG_DISK_GB }];
}

/** How many shards of such machines carry twice the load, have the indexes in memory, and fit on the disks. */
function shardsFor(model: LoadModel, demand: Demand, processes: number, machine: Machine, size: number): number {
  const peak = at(demand, demand.eventsPerS * HEADROOM);
  const vCpus = machine.vCpus * size;
  // What does not shard has at most half of the first one: then it is a wall of its own.
  const free = vCpus - Math.min(model.mongodbIdle(processes), vCpus / HEADROOM);
  const least = Math.max(
    Math.ceil(model.indexBytes(demand, READ_HOURS) / cacheBytes({ memoryGb: machine.memoryGb * size })),
    Math.ceil(model.mongodbBytes(demand) / DISK_BYTES),
    1,
  );
  const carries = (shards: number): boolean => model.mongodbShard(peak, processes, shards, REPLICA_SET) <= free;
  let [tooFew, enough] = [least - 1, least];
  for (; !carries(enough); enough *= 2) tooFew = enough;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (carries(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/** One process of Everpost, a replica set of one member, and a Temporal server with SQLite, on one machine. */
function oneMachine(model: LoadModel, demand: Demand): Part[] {
  const cores = smallCores(model, demand);
  const peak = smallCores(model, at(demand, demand.eventsPerS * HEADROOM));
  const machine = cores <= BURSTABLE.baselineCores && peak <= BURSTABLE.vCpus ? BURSTABLE : GENERAL;
  const bytes = model.mongodbBytes(demand) + model.temporalBytes(demand, 1, 'sqlite');
  return [
    {
      name: 'Everpost, MongoDB and Temporal',
      cores,
      machines: 1,
      instance: machine.name,
      size: SIZES.find((size) => machine.vCpus * size >= peak) ?? Math.ceil(peak / machine.vCpus),
      diskGb: Math.ceil(bytes / GB),
      indexGb: model.indexBytes(demand, READ_HOURS) / GB,
    },
  ];
}

function itemsOf(parts: readonly Part[], egressGb: number): EstimateItem[] {
  return [
    ...parts.map(({ instance, machines, size }) => ({
      provider: 'aws',
      service: instance === POSTGRESQL.name ? 'RDS for PostgreSQL' : 'EC2',
      instance,
      quantity: machines * size,
    })),
    // The catalog has no price of RDS's storage; gp3 is what it is made of.
    ...parts
      .filter(({ diskGb }) => diskGb > 0)
      .map(({ machines, diskGb }) => ({
        provider: 'aws',
        service: 'EBS',
        instance: 'gp3',
        quantity: machines,
        gbPerMonth: diskGb,
      })),
    { provider: 'aws', service: 'Data Transfer', instance: 'Internet egress', quantity: egressGb },
  ];
}
