/** A measured constant, and the command that measures it. */
export interface Cost {
  readonly value: number;
  readonly unit: string;
  readonly command: string;
}

const EXPRESS = 'npm run bench -- --json --profile standard --mode express';
const SCALE = 'npm run bench:scale -- --events 1000 --sleepers 2000';
const MILLION = 'npm run bench:dashboard -- --json';

/** CPU seconds on one of the measuring machine's cores. */
const cpu = (value: number, command: string): Cost => ({ value, unit: 'CPU s for 1,000', command });
const bytes = (value: number, command: string): Cost => ({ value, unit: 'bytes', command });

/**
 * What the sizing multiplies. An execution's part is what `bench:scale` measures with one worker, without a delivery's: the
 * first attempt of each delivery is in its execution there. MongoDB's is that of one member of the replica set.
 * Events have 1 KB of data, and an idempotency key. A delivery is measured with one endpoint
 * for each event: with more, an event's own part is shared, so the sizing is on the safe side.
 */
export const COSTS = {
  everpost: { delivery: cpu(1.2, EXPRESS), execution: cpu(13.8, SCALE) },
  mongodb: { delivery: cpu(0.8, EXPRESS), execution: cpu(2.5, SCALE) },
  temporal: { delivery: cpu(0, EXPRESS), execution: cpu(9.5, SCALE) },
  postgresql: { delivery: cpu(0, EXPRESS), execution: cpu(8.8, SCALE) },
  /** On the disk of one member, with indexes, besides `data`. */
  event: bytes(255 + 449, MILLION),
  attempt: bytes(150 + 177, MILLION),
  /** On PostgreSQL's disk, until the namespace's retention is over. */
  execution: bytes(11_126, SCALE),
} satisfies Record<string, Cost | Record<string, Cost>>;
