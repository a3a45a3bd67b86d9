import type { DeliveryStart } from './start-delivery';

interface FairListOptions {
  /** When it holds this many, the longest queue loses its newest: a noisy one pushes nobody else out. */
  readonly max: number;
  /** Whose queue a delivery waits in. */
  readonly keyOf: (delivery: DeliveryStart) => string;
  /** How long a queue rests after each delivery, in milliseconds. */
  readonly restMs?: number;
}

/** What waits, in a queue for each key; the queues take turns. */
export function createFairList({ max, keyOf, restMs = 0 }: FairListOptions) {
  /** Those that wait for their turn, the next one first. */
  const inTurn = new Map<string, DeliveryStart[]>();
  /** Those that rest, perhaps empty; the first to end its rest first. */
  const resting = new Map<string, { readonly queue: DeliveryStart[]; readonly until: number }>();
  let size = 0;

  function* all(): Generator<[key: string, queue: DeliveryStart[]]> {
    yield* inTurn;
    for (const [key, { queue }] of resting) yield [key, queue];
  }
  const endRests = (): void => {
    const now = performance.now();
    for (const [key, { queue, until }] of resting) {
      if (until > now) return;
      resting.delete(key);
      if (queue.length > 0) inTurn.set(key, queue);
    }
  };
  const makeRoom = (): DeliveryStart | undefined => {
    let longest: DeliveryStart[] = [];
    for (const [, queue] of all()) if (queue.length > longest.length) longest = queue;
    size -= 1;
    return longest.pop();
  };
  return {
    size: () => size,
    /** @returns what had to go for it */
    add(delivery: DeliveryStart): DeliveryStart | undefined {
      const key = keyOf(delivery);
      const queue = inTurn.get(key) ?? resting.get(key)?.queue;
      if (queue) queue.push(delivery);
      else inTurn.set(key, [delivery]);
      size += 1;
      return size > max ? makeRoom() : undefined;
    },
    /** The oldest of the queue whose turn it is; none while all rest. */
    take(): DeliveryStart | undefined {
      endRests();
      for (const [key, queue] of inTurn) {
        inTurn.delete(key);
        const delivery = queue.shift();
        if (!delivery) continue;
        size -= 1;
        if (restMs > 0) resting.set(key, { queue, until: performance.now() + restMs });
        else if (queue.length > 0) inTurn.set(key, queue);
        return delivery;
      }
      return undefined;
    },
    /** Takes everything out of the queues that `isMeant` chooses. */
    takeAllOf(isMeant: (key: string) => boolean): DeliveryStart[] {
      const taken = [...all()].filter(([key]) => isMeant(key));
      for (const [key, queue] of taken) {
        inTurn.delete(key);
        resting.delete(key);
        size -= queue.length;
      }
      return taken.flatMap(([, queue]) => queue);
    },
    clear(): void {
      inTurn.clear();
      resting.clear();
      size = 0;
    },
  };
}
