import { greatest, type Demand, type LoadModel } from './load-model';
import {
  at,
  cacheBytes,
  DATABASES,
  DISK_BYTES,
  fullProcess,
  GENERAL,
  POSTGRESQL,
  processesFor,
  READ_HOURS,
  REPLICA_SET,
  smallCores,
} from './machines';

/** A limit that is reached as the load grows, and how it shows. */
export interface Wall {
  readonly name: string;
  /** Events a second at which it is reached, with the same fan-out and share of failures. */
  readonly eventsPerS: number;
  /** What is noticed first. */
  readonly symptom: string;
  /** The alert or metric that shows it. */
  readonly signal: string;
  readonly remedy: string;
}

/** Far above what is sized. */
const MAX_RATE = 1_000_000;

/** @returns the events a second up to which a thing is enough; Infinity if it always is */
function rateWhile(enough: (eventsPerS: number) => boolean): number {
  const rate = greatest(MAX_RATE, enough);
  return rate === MAX_RATE ? Infinity : rate;
}

/** The walls of an installation on many machines. Without headroom: at these rates the resource is used up. */
export function wallsOfMany(model: LoadModel, demand: Demand): Wall[] {
  const [database] = DATABASES as [(typeof DATABASES)[number]];
  const processesAt = (rate: number): number => processesFor(model, at(demand, rate));
  const rateOf = (used: (load: Demand, processes: number) => number, limit: number): number =>
    rateWhile((rate) => used(at(demand, rate), processesAt(rate)) <= limit);
  return [
    {
      name: `${database.vCpus} vCPUs of one primary of MongoDB (${database.name})`,
      eventsPerS: rateOf(
        (load, processes) => model.mongodbShard(load, processes, 1, REPLICA_SET) + model.mongodbIdle(processes),
        database.vCpus,
      ),
      symptom: 'Ingest gets slower at its 99th percentile, then answers 503',
      signal: '`http_server_request_duration_seconds`; EverpostIngestSlow, EverpostErrorAnswers',
      remedy: 'a larger machine, then [shards](#one-primary-and-then-shards)',
    },
    {
      name: `${database.vCpus} vCPUs of one primary for what idle processes ask`,
      eventsPerS: rateOf((_, processes) => model.mongodbIdle(processes), database.vCpus),
      symptom: 'The primary is busy although few events come',
      signal: 'CPU of the primary, by your own monitoring',
      remedy: 'fewer, fuller processes: these questions do not shard',
    },
    {
      name: `Memory for indexes, with ${database.memoryGb} GB a member`,
      eventsPerS: rateOf((load) => model.indexBytes(load, READ_HOURS), cacheBytes(database)),
      symptom: 'MongoDB reads its indexes from the disk, and ingest waits for it',
      signal: '`everpost_mongodb_cache_pages_read_total`; EverpostMongoCacheTooSmall',
      remedy: 'members with more memory, then shards',
    },
    {
      name: `The largest disk of a member, ${Math.round(DISK_BYTES / 2 ** 40)} TiB`,
      eventsPerS: rateOf((load) => model.mongodbBytes(load), DISK_BYTES),
      symptom: 'The disk fills; then MongoDB ends',
      signal: '`everpost_mongodb_disk_used_bytes`; EverpostMongoDiskFills',
      remedy: 'a shorter `RETENTION`, then shards',
    },
    {
      name: 'Deletes of what expired, by the one thread of a primary',
      eventsPerS: rateOf((load) => model.deletesPerS(load), model.deletesAtMost),
      symptom: 'The disk grows although `RETENTION` has passed',
      signal: '`everpost_mongodb_disk_used_bytes`; EverpostMongoDiskFills',
      remedy: 'shards: each deletes its own',
    },
    {
      name: `${POSTGRESQL.vCpus} vCPUs of Temporal's PostgreSQL (${POSTGRESQL.name})`,
      eventsPerS: rateOf((load, processes) => model.postgresql(load, processes), POSTGRESQL.vCpus),
      symptom: 'Retries are late; starts of executions wait',
      signal: '`everpost_delivery_starts_waiting`; EverpostStartsPileUp, EverpostDeliveriesLate',
      remedy: 'a larger instance, then Cassandra or Temporal Cloud: one database holds all history shards',
    },
  ];
}

/** The walls of one machine with everything. */
export function wallsOfOneMachine(model: LoadModel, demand: Demand): Wall[] {
  return [
    {
      name: 'One core of the process that is API and worker',
      eventsPerS: fullProcess(model, demand),
      symptom: 'Ingest and attempts get slower together',
      signal: '`nodejs_eventloop_lag_p99_seconds`; EverpostEventLoopLags',
      remedy: '`PROCESSES=2`, then the profile `ha`',
    },
    {
      name: `${GENERAL.vCpus} vCPUs of the machine (${GENERAL.name})`,
      eventsPerS: rateWhile((rate) => smallCores(model, at(demand, rate)) <= GENERAL.vCpus),
      symptom: 'Ingest gets slower at its 99th percentile, then answers 503',
      signal: '`http_server_request_duration_seconds`; EverpostIngestSlow',
      remedy: 'a larger machine, then the profile `ha`',
    },
    {
      name: `Memory for indexes, with a cache of ${GENERAL.memoryGb / 4} GB`,
      eventsPerS: rateWhile((rate) => model.indexBytes(at(demand, rate), READ_HOURS) <= (GENERAL.memoryGb / 4) * 1e9),
      symptom: 'MongoDB reads its indexes from the disk, and ingest waits for it',
      signal: '`everpost_mongodb_cache_pages_read_total`; EverpostMongoCacheTooSmall',
      remedy: 'more memory',
    },
  ];
}
