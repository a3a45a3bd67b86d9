/** A measured constant, and the command that measures it, or the section of the documentation that has the measurement. */
export interface Cost {
  readonly value: number;
  readonly unit: string;
  readonly source: string;
}

const FAN_OUT = '`npm run bench:fan-out`';
const SCALE = '`npm run bench:scale`';
const MILLION = '[a million events](performance.md#the-dashboard-with-a-million-events)';

/** CPU seconds on one of the measuring machine's cores. */
const cpu = (value: number, source: string): Cost => ({ value, unit: 'CPU s for 1,000', source });
const bytes = (value: number, source: string): Cost => ({ value, unit: 'bytes', source });

/**
 * The constants that the sizing multiplies. `event` and `delivery` come from what `bench:fan-out` measures with 1 and
 * with 50 endpoints for each event, in express: a straight line through both is above what it measures with 5.
 * `execution` is what `bench:scale` measures with one worker, minus an event and a delivery: there each delivery makes
 * its first attempt in its execution. MongoDB's CPU is that of one member of the replica set. Events have 1 KB of data,
 * and an idempotency key.
 */
export const COSTS = {
  everpost: { event: cpu(0.9, FAN_OUT), delivery: cpu(0.4, FAN_OUT), execution: cpu(14.5, SCALE) },
  mongodb: { event: cpu(0.4, FAN_OUT), delivery: cpu(0.5, FAN_OUT), execution: cpu(3, SCALE) },
  temporal: { event: cpu(0, FAN_OUT), delivery: cpu(0, FAN_OUT), execution: cpu(11, SCALE) },
  postgresql: { event: cpu(0, FAN_OUT), delivery: cpu(0, FAN_OUT), execution: cpu(10.1, SCALE) },
  /** On the disk of one member, with indexes, besides `data`. */
  event: bytes(255 + 449, MILLION),
  attempt: bytes(150 + 177, MILLION),
  /** On PostgreSQL's disk, until the namespace's retention is over. */
  execution: bytes(17_233, SCALE),
} satisfies Record<string, Cost | Record<string, Cost>>;
