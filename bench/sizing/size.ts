import type { EstimateItem } from '../../src/domain/estimate-item';
import { COSTS } from './costs';

/** What an installation has to carry. */
export interface Demand {
  /** Accepted events a second, on average over the busiest hour. */
  readonly eventsPerS: number;
  /** Endpoints that an event matches. */
  readonly fanOut: number;
  /** Share of the deliveries whose first attempt fails, from 0 to 1. Each is taken to succeed at its second attempt. */
  readonly failing: number;
}

/** Processes of one kind, the machines that carry them, and their disks. */
export interface Part {
  readonly name: string;
  /** Cores that are busy on average. */
  readonly cores: number;
  readonly machines: number;
  /** An instance of the estimator's catalog. */
  readonly instance: string;
  /** Of each machine. */
  readonly diskGb: number;
}

/** A limit that is reached as the load grows. */
export interface Wall {
  readonly name: string;
  /** Events a second at which it is reached, with the same fan-out and share of failures. */
  readonly eventsPerS: number;
  readonly remedy: string;
}

export interface Sizing {
  readonly deliveriesPerS: number;
  /** Deliveries whose first attempt fails, a second: each is an execution in Temporal. */
  readonly executionsPerS: number;
  readonly parts: readonly Part[];
  readonly egressGbPerMonth: number;
  /** The nearest first. */
  readonly walls: readonly Wall[];
  /** Everything, for the estimator. */
  readonly items: readonly EstimateItem[];
}

/** Instances of the catalog, and their vCPUs. */
const GENERAL = { name: 'm7g.large', vCpus: 2 };
const DATABASE = { name: 'c7g.xlarge', vCpus: 4 };
const POSTGRESQL = { name: 'db.t3.large', vCpus: 2 };
/** Half of each core is left for bursts, and for the load of a machine that is gone. */
const BUSY = 0.5;
/** One may be restarted while the other works. */
const REDUNDANT = 2;
const REPLICA_SET = 3;
/** `RETENTION` and `TEMPORAL_RETENTION`, as they are by default. */
const KEPT_DAYS = 30;
const EXECUTIONS_KEPT_DAYS = 3;
const DATA_BYTES = 1_024;
/** Headers of a POST, signatures included, and the frames of TLS and TCP: 1 KB with the defaults. */
const HEADER_BYTES = 1_024;
const DAY_S = 86_400;
const MONTH_S = 730 * 3_600;
const GB = 1e9;

/**
 * What this load needs with `FIRST_ATTEMPT=express` or `auto`: machines, disks and egress, and the limits that come next.
 * CPU and bytes grow linearly with events, deliveries and executions.
 */
export function sizeOf({ eventsPerS, fanOut, failing }: Demand): Sizing {
  const deliveriesPerS = eventsPerS * fanOut;
  const executionsPerS = deliveriesPerS * failing;
  const coresOf = ({ event, delivery, execution }: (typeof COSTS)['everpost']): number =>
    (eventsPerS * event.value + deliveriesPerS * delivery.value + executionsPerS * execution.value) / 1_000;
  const machinesFor = (cores: number, { vCpus }: { readonly vCpus: number }): number => Math.ceil(cores / BUSY / vCpus);

  const attemptsPerS = deliveriesPerS + executionsPerS;
  const mongodbBytes =
    KEPT_DAYS * DAY_S * (eventsPerS * (COSTS.event.value + DATA_BYTES) + attemptsPerS * COSTS.attempt.value);
  const temporalBytes = EXECUTIONS_KEPT_DAYS * DAY_S * executionsPerS * COSTS.execution.value;
  const [everpost, mongodb, temporal, postgresql] = [
    coresOf(COSTS.everpost),
    coresOf(COSTS.mongodb),
    coresOf(COSTS.temporal),
    coresOf(COSTS.postgresql),
  ];
  const shards = Math.max(1, machinesFor(mongodb, DATABASE));
  const parts: Part[] = [
    {
      name: 'Everpost',
      cores: everpost,
      machines: Math.max(REDUNDANT, machinesFor(everpost, GENERAL)),
      instance: GENERAL.name,
      diskGb: 0,
    },
    {
      name: shards === 1 ? 'MongoDB: a replica set' : `MongoDB: ${shards} shards`,
      cores: mongodb,
      machines: shards * REPLICA_SET,
      instance: DATABASE.name,
      diskGb: Math.ceil(mongodbBytes / GB / shards),
    },
    {
      name: 'Temporal',
      cores: temporal,
      machines: Math.max(REDUNDANT, machinesFor(temporal, GENERAL)),
      instance: GENERAL.name,
      diskGb: 0,
    },
    {
      name: "Temporal's PostgreSQL",
      cores: postgresql,
      machines: Math.max(1, machinesFor(postgresql, POSTGRESQL)),
      instance: POSTGRESQL.name,
      diskGb: Math.ceil(temporalBytes / GB),
    },
  ];
  const egressGbPerMonth = (attemptsPerS * MONTH_S * (DATA_BYTES + HEADER_BYTES)) / GB;
  /** At which rate a machine of this kind is used up by these cores. */
  const rateAt = (cores: number, vCpus: number): number => (cores > 0 ? (eventsPerS * vCpus) / cores : Infinity);
  const walls: Wall[] = [
    {
      name: `${DATABASE.vCpus} vCPUs of one primary of MongoDB`,
      eventsPerS: rateAt(mongodb, DATABASE.vCpus),
      remedy: 'a larger machine, then sharding of `events` and `attempts` by account',
    },
    {
      name: `${POSTGRESQL.vCpus} vCPUs of Temporal's PostgreSQL`,
      eventsPerS: rateAt(postgresql, POSTGRESQL.vCpus),
      remedy: 'a larger instance, then Cassandra or Temporal Cloud: one database holds all history shards',
    },
  ];
  return {
    deliveriesPerS,
    executionsPerS,
    parts,
    egressGbPerMonth,
    walls: walls.sort((one, other) => one.eventsPerS - other.eventsPerS),
    items: itemsOf(parts, Math.ceil(egressGbPerMonth)),
  };
}

function itemsOf(parts: readonly Part[], egressGb: number): EstimateItem[] {
  return [
    ...parts.map(({ instance, machines }) => ({
      provider: 'aws',
      service: instance === POSTGRESQL.name ? 'RDS for PostgreSQL' : 'EC2',
      instance,
      quantity: machines,
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
