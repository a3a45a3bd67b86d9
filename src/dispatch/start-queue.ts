import { setTimeout as wait } from 'node:timers/promises';
import { deliveryWorkflowId, type DeliveryRoute } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import type { DeliveryStart, DeliveryStarter } from './start-delivery';

/** Starts what is promised, off the request's path. */
export interface StartQueue {
  /**
   * Takes the delivery, unless it has it already; when the queue is full, the account that waits most leaves its newest
   * to the sweeper.
   *
   * @returns whether it was taken
   */
  enqueue(delivery: DeliveryStart): boolean;
  /** Runs an ingest. While many are under way, starts step back: a promise comes before its delivery. */
  accepting<T>(ingest: () => Promise<T>): Promise<T>;
  /** Number waiting, for metrics. */
  size(): number;
  /** Takes nothing more and resolves when starts in flight are through; the rest is the sweeper's. */
  close(): Promise<void>;
}

/** While this many ingests are under way, only a few starts are: both want the same CPU. */
const BUSY_INGESTS = 8;
/** How many starts may be in flight at a time (`npm run bench` starts its bare run the same way); after each, its place rests for `restFactor` times what it took. */
export const START_PACE = {
  /**
   * The machine's CPU is the limit: more than this start no more a second, and have everybody wait for it (measured with
   * 32: a neighbour's burst delayed others by five seconds instead of one).
   */
  inline: { most: 10, whileBusy: 2, restFactor: 0 },
  /**
   * To slow destinations: what is started can't be sent yet, and thousands that are started at once would have the
   * deliveries of everybody else wait for the CPU.
   */
  queued: { most: 2, whileBusy: 1, restFactor: 1 },
} as const;
const MAX_WAITING = 20_000;
const MAX_PAUSE_MS = 1_000;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;

/** A bounded queue, fair between accounts: each account's oldest delivery in turn. Slow destinations have a lane apart. */
export function createStartQueue(deps: {
  starter: DeliveryStarter;
  routeOf: (endpointId: string) => DeliveryRoute;
  logger: Logger;
}): StartQueue {
  const lanes = { inline: createLane(), queued: createLane() };
  /** Ids of what waits or is being started. */
  const taken = new Set<string>();
  let resting: NodeJS.Timeout | undefined;
  let closed = false;
  let ingests = 0;

  const rest = (): void => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      resting = undefined;
      pump();
    }, REST_AFTER_FAILURE_MS).unref();
  };
  const run = async (delivery: DeliveryStart): Promise<void> => {
    try {
      await deps.starter.start(delivery);
    } catch (error) {
      // While it rests, those that were under way fail alike.
      if (!resting) deps.logger.warn({ err: error }, 'a delivery could not be started; the sweeper will');
      rest();
    }
  };
  const add = (route: DeliveryRoute, delivery: DeliveryStart): void => {
    const dropped = lanes[route].waiting.add(delivery);
    if (dropped) taken.delete(idOf(dropped));
  };
  const pumpLane = (route: DeliveryRoute): void => {
    const { waiting, inFlight } = lanes[route];
    const { most, whileBusy, restFactor } = START_PACE[route];
    while (!resting && inFlight.size < (ingests >= BUSY_INGESTS ? whileBusy : most)) {
      const delivery = waiting.take();
      if (!delivery) return;
      // Its destination was quick when it came.
      if (route === 'inline' && deps.routeOf(delivery.ref.endpointId) === 'queued') {
        add('queued', delivery);
        continue;
      }
      const startedAt = performance.now();
      const start = run(delivery)
        .finally(() => taken.delete(idOf(delivery)))
        .then(() => pause((performance.now() - startedAt) * restFactor))
        .finally(() => {
          inFlight.delete(start);
          pump();
        });
      inFlight.add(start);
    }
  };
  const pump = (): void => {
    pumpLane('inline');
    pumpLane('queued');
  };

  return {
    enqueue(delivery) {
      const id = idOf(delivery);
      if (closed || taken.has(id)) return false;
      taken.add(id);
      add(deps.routeOf(delivery.ref.endpointId), delivery);
      pump();
      return true;
    },
    async accepting(ingest) {
      ingests += 1;
      try {
        return await ingest();
      } finally {
        ingests -= 1;
        pump();
      }
    },
    size: () => lanes.inline.waiting.size() + lanes.queued.waiting.size(),
    async close() {
      closed = true;
      clearTimeout(resting);
      for (const { waiting } of Object.values(lanes)) waiting.clear();
      await Promise.all(Object.values(lanes).flatMap(({ inFlight }) => [...inFlight]));
    },
  };
}

function idOf({ ref }: DeliveryStart): string {
  return deliveryWorkflowId(ref);
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await wait(Math.min(ms, MAX_PAUSE_MS), undefined, { ref: false });
}

function createLane() {
  return { waiting: createFairList(MAX_WAITING), inFlight: new Set<Promise<void>>() };
}

/** What waits, by account. When it is full, the account that waits most loses its newest: it pushes nobody else out. */
function createFairList(max: number) {
  const queues = new Map<string, DeliveryStart[]>();
  let size = 0;

  const makeRoom = (): DeliveryStart | undefined => {
    let longest: DeliveryStart[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    size -= 1;
    return longest.pop();
  };
  return {
    size: () => size,
    /** @returns what had to go for it */
    add(delivery: DeliveryStart): DeliveryStart | undefined {
      const dropped = size >= max ? makeRoom() : undefined;
      const queue = queues.get(delivery.accountId);
      if (queue) queue.push(delivery);
      else queues.set(delivery.accountId, [delivery]);
      size += 1;
      return dropped;
    },
    /** The oldest of the account whose turn it is. */
    take(): DeliveryStart | undefined {
      for (const [accountId, queue] of queues) {
        const delivery = queue.shift();
        // To the end of the turn order, or out of it.
        queues.delete(accountId);
        if (queue.length > 0) queues.set(accountId, queue);
        if (!delivery) continue;
        size -= 1;
        return delivery;
      }
      return undefined;
    },
    clear(): void {
      queues.clear();
      size = 0;
    },
  };
}
