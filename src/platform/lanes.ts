import { sleep } from './sleep';

/** What a piece of work says about itself. */
export interface Timed<T> {
  readonly value: T;
  /** How long it kept the shared part busy, without its own wait. */
  readonly tookMs: number;
}

/** How much of a shared part each name may use. */
interface LaneOptions {
  /** The most pieces of work of one name that wait. */
  readonly maxWaiting: number;
  /** Work that takes longer is followed by a rest. */
  readonly freeMs: number;
  /** How many times as long as such work took its lane then rests. */
  readonly rests: number;
}

/** One name's work. */
interface Lane {
  readonly queue: (() => void)[];
}

/**
 * Shares something that does one thing at a time among names, such as accounts: each name has one piece of work there at a
 * time, so the others wait for one piece of it and not for all.
 */
export function createLanes({ maxWaiting, freeMs, rests }: LaneOptions) {
  const lanes = new Map<string, Lane>();
  const leave = (name: string, { queue }: Lane): void => {
    const next = queue.shift();
    if (next) next();
    else lanes.delete(name);
  };
  return {
    /** @returns undefined, at once, if as much work of this name waits as may */
    async run<T>(name: string, work: () => Promise<Timed<T>>): Promise<T | undefined> {
      const busy = lanes.get(name);
      const lane = busy ?? { queue: [] };
      if (lane.queue.length >= maxWaiting) return undefined;
      if (busy) await new Promise<void>((resolve) => busy.queue.push(resolve));
      else lanes.set(name, lane);
      let restMs = 0;
      try {
        const { value, tookMs } = await work();
        if (tookMs > freeMs) restMs = tookMs * rests;
        return value;
      } finally {
        if (restMs === 0) leave(name, lane);
        else void sleep(restMs).then(() => leave(name, lane));
      }
    },
  };
}
