import { greatest, type Demand, type LoadModel } from './load-model';

/** An instance of the catalog. */
export interface Machine {
  readonly name: string;
  readonly vCpus: number;
  readonly memoryGb: number;
  /** What an hour costs, to choose between two; the estimator prices the sum. */
  readonly usdPerHour: number;
}

export const GENERAL: Machine = { name: 'm7g.large', vCpus: 2, memoryGb: 8, usdPerHour: 0.0816 };
/** AWS guarantees it 20 % of each vCPU (the baseline of burstable instances). */
export const BURSTABLE: Machine & { readonly baselineCores: number } = {
  ...{ name: 't4g.medium', vCpus: 2, memoryGb: 4, usdPerHour: 0.0336 },
  baselineCores: 0.4,
};
export const DATABASES: readonly Machine[] = [
  { name: 'c7g.xlarge', vCpus: 4, memoryGb: 8, usdPerHour: 0.145 },
  { name: 'r7g.large', vCpus: 2, memoryGb: 16, usdPerHour: 0.1071 },
];
export const POSTGRESQL: Machine = { name: 'db.t3.large', vCpus: 2, memoryGb: 8, usdPerHour: 0.145 };
/** Each machine can carry this much more: bursts, and the load of a machine that is gone. */
export const HEADROOM = 2;
/** One may be restarted while the other works. */
export const REDUNDANT = 2;
export const REPLICA_SET = 3;
/** The largest volume of gp3. */
export const DISK_BYTES = 16 * 2 ** 40;
/** How many hours of events are read and written: their index pages are in memory. */
export const READ_HOURS = 1;

/** The same mix at another rate. */
export function at(demand: Demand, eventsPerS: number): Demand {
  return { ...demand, eventsPerS };
}

/** The events a second that one process can take with all of its core; never more than was measured. */
export function fullProcess(model: LoadModel, demand: Demand): number {
  return greatest(model.maxPerProcess, (rate) => model.everpost(at(demand, rate), 1) <= 1);
}

export function processesFor(model: LoadModel, demand: Demand): number {
  return Math.max(REDUNDANT, Math.ceil((HEADROOM * demand.eventsPerS) / fullProcess(model, demand)));
}

/** The bytes that WiredTiger keeps in memory by default: half of what is above 1 GB. */
export function cacheBytes({ memoryGb }: { readonly memoryGb: number }): number {
  return ((memoryGb - 1) / 2) * 2 ** 30;
}

/** The cores that are busy on one machine with everything. */
export function smallCores(model: LoadModel, demand: Demand): number {
  return (
    model.everpost(demand, 1) +
    model.mongodbShard(demand, 1, 1, 1) +
    model.mongodbIdle(1) +
    model.temporal(demand, 1, 'sqlite')
  );
}
