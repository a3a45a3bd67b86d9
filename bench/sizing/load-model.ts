import type { ConstantName, Constants, MeasuredLoad } from './constants';

/** What an installation has to carry. */
export interface Demand {
  /** Accepted events a second, on average over the busiest hour. */
  readonly eventsPerS: number;
  /** Endpoints that an event matches. */
  readonly fanOut: number;
  /** Share of the deliveries whose first attempt fails, from 0 to 1. Each is taken to succeed at its second attempt. */
  readonly failing: number;
  /** With `auto`, each delivery is an execution as long as a process has few of them. */
  readonly firstAttempt: 'auto' | 'express';
}

/** `EXECUTIONS_PER_SECOND`, by default. */
const EXECUTIONS_PER_SECOND = 30;
/** `RETENTION`, `TEMPORAL_RETENTION`, and how long an idempotency key is kept. */
const KEPT_S = 30 * 86_400;
const EXECUTIONS_KEPT_S = 3 * 86_400;
const KEYS_KEPT_S = 86_400;

type Part = 'everpost' | 'mongodb' | 'temporal';
export type LoadModel = ReturnType<typeof createLoadModel>;

/** What a load costs, by the measured constants. CPU is in busy cores. */
export function createLoadModel({ loads, constants }: Constants) {
  /** A constant that was not measured yet counts nothing: the table of constants shows which ones. */
  const of = (name: ConstantName, unmeasured = 0): number => constants[name].value ?? unmeasured;
  const curves = {
    everpost: curveOf(loads, 'everpost', of('idle.everpost')),
    mongodb: curveOf(loads, 'mongodb', of('idle.mongodb')),
    temporal: curveOf(loads, 'temporal', of('idle.temporal')),
  };
  const attemptsPerS = ({ eventsPerS, fanOut, failing }: Demand): number => eventsPerS * fanOut * (1 + failing);
  /** Executions a second, if that many processes share the load. */
  const executionsPerS = ({ eventsPerS, fanOut, failing, firstAttempt }: Demand, processes: number): number => {
    const deliveriesPerS = eventsPerS * fanOut;
    const showsAll = firstAttempt === 'auto' && deliveriesPerS / processes <= EXECUTIONS_PER_SECOND;
    return deliveriesPerS * (showsAll ? 1 : failing);
  };
  /** CPU seconds for 1,000 further deliveries, and for 1,000 executions, of what all processes do in a second. */
  const further = (part: 'everpost' | 'mongodb', demand: Demand, processes: number): number =>
    (demand.eventsPerS * (demand.fanOut - 1) * of(`delivery.${part}`) +
      executionsPerS(demand, processes) * of(`execution.${part}`)) /
    1_000;
  /** Documents a second that expire once the first ones are as old as `RETENTION`: as many as are stored. */
  const deletesPerS = (demand: Demand): number => demand.eventsPerS * 2 + attemptsPerS(demand);
  return {
    attemptsPerS,
    executionsPerS,
    deletesPerS,
    deletesAtMost: of('delete.rate', Infinity),
    /** Of all Everpost's processes. */
    everpost: (demand: Demand, processes: number): number =>
      processes * curves.everpost(demand.eventsPerS / processes) + further('everpost', demand, processes),
    /** The highest rate of one process that was measured. */
    maxPerProcess: Math.max(...loads.map(({ perSecond }) => perSecond)),
    /** Of one member: a process sends each shard its part of a group, so more processes and more shards cost more. */
    mongodbShard(demand: Demand, processes: number, shards: number, members: number): number {
      const groups = curves.mongodb(demand.eventsPerS / processes / shards) - of('idle.mongodb');
      const rest = further('mongodb', demand, processes) + (deletesPerS(demand) * of('delete.mongodb')) / 1_000;
      return (processes * groups + rest / shards) * (members > 1 ? of('primary.of-three', 1) : 1);
    },
    /** What idle processes ask one member for, because no other has it. */
    mongodbIdle: (processes: number): number => processes * of('idle.mongodb'),
    temporal: (demand: Demand, processes: number, store: 'postgresql' | 'sqlite'): number =>
      (executionsPerS(demand, processes) * of(store === 'sqlite' ? 'execution.sqlite' : 'execution.temporal')) / 1_000 +
      of('idle.temporal'),
    postgresql: (demand: Demand, processes: number): number =>
      (executionsPerS(demand, processes) * of('execution.postgresql')) / 1_000,
    /** On the disks of all shards, one member each, once the first events expire. */
    mongodbBytes: (demand: Demand): number =>
      KEPT_S * demand.eventsPerS * (of('event.disk') + of('event.index')) +
      KEPT_S * attemptsPerS(demand) * (of('attempt.disk') + of('attempt.index')) +
      KEYS_KEPT_S * demand.eventsPerS * (of('key.disk') + of('key.index')),
    temporalBytes: (demand: Demand, processes: number, store: 'postgresql' | 'sqlite'): number =>
      EXECUTIONS_KEPT_S * executionsPerS(demand, processes) * of(`execution.${store}-disk`),
    /**
     * Indexes that MongoDB needs in memory: of the events of the last `readHours`, because new ones stand beside each
     * other; and of all idempotency keys, because a new key stands anywhere among them.
     */
    indexBytes: (demand: Demand, readHours: number): number =>
      readHours * 3_600 * (demand.eventsPerS * of('event.index') + attemptsPerS(demand) * of('attempt.index')) +
      KEYS_KEPT_S * demand.eventsPerS * of('key.index'),
    /** MB that a process, mongod without its cache, and Temporal take. */
    memoryMb: { everpost: of('memory.everpost'), mongodb: of('memory.mongodb'), temporal: of('memory.temporal') },
  };
}

/**
 * Busy cores at a rate of one process: a line between the measured loads, from what an idle process uses. Beyond the
 * last one, an event costs what it costs there. More never costs less, so a dearer load of fewer events sets the least.
 */
function curveOf(loads: readonly MeasuredLoad[], part: Part, idle: number): (perSecond: number) => number {
  // Of loads at one rate the dearest: events of many accounts share fewer commands than those of one.
  const points = loads
    .map((load) => [load.perSecond, (load.perSecond * load[part]) / 1_000] as const)
    .sort(([rate, cores], [otherRate, otherCores]) => rate - otherRate || otherCores - cores)
    .reduce<(readonly [number, number])[]>(
      (before, [rate, cores]) => [...before, [rate, Math.max(cores, before.at(-1)![1])]],
      [[0, idle]],
    );
  return (perSecond) => {
    const above = points.findIndex(([rate]) => rate >= perSecond);
    if (above < 0) {
      const [rate, cores] = points.at(-1)!;
      return (cores * perSecond) / rate;
    }
    if (above === 0) return idle;
    const [[lowRate, low], [highRate, high]] = [points[above - 1]!, points[above]!];
    return highRate === lowRate ? high : low + ((high - low) * (perSecond - lowRate)) / (highRate - lowRate);
  };
}

/** The greatest value up to `most` that holds; `holds` is true below it and false above. */
export function greatest(most: number, holds: (value: number) => boolean): number {
  if (holds(most)) return most;
  let [low, high] = [0, most];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
