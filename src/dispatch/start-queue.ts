import type { Logger } from '../platform/logger';
import type { DeliveryStart, DeliveryStarter } from './start-delivery';

/** Starts what was just promised, off the request's path. */
export interface StartQueue {
  /** Takes the delivery; when the queue is full, the account that waits most leaves its newest to the sweeper. */
  enqueue(delivery: DeliveryStart): void;
  /** Runs an ingest. While many are under way, starts step back: a promise comes before its delivery. */
  accepting<T>(ingest: () => Promise<T>): Promise<T>;
  /** Number waiting, for metrics. */
  size(): number;
  /** Takes nothing more and resolves when starts in flight are through; the rest is the sweeper's. */
  close(): Promise<void>;
}

/** Above this, eager starts take the CPU from acceptance (measured: at 200 acceptance halves). */
const MAX_STARTS_IN_FLIGHT = 32;
/** While this many ingests are under way, only a few starts are: both want the same CPU. */
const BUSY_INGESTS = 8;
const MAX_STARTS_WHILE_BUSY = 2;
const MAX_WAITING = 20_000;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;

/** A bounded queue, fair between accounts: each account's oldest delivery in turn. */
export function createStartQueue(deps: { starter: DeliveryStarter; logger: Logger }): StartQueue {
  const waiting = createFairList(MAX_WAITING);
  const inFlight = new Set<Promise<void>>();
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
  const pump = (): void => {
    const most = ingests >= BUSY_INGESTS ? MAX_STARTS_WHILE_BUSY : MAX_STARTS_IN_FLIGHT;
    while (!resting && inFlight.size < most) {
      const delivery = waiting.take();
      if (!delivery) return;
      const start = run(delivery).finally(() => {
        inFlight.delete(start);
        pump();
      });
      inFlight.add(start);
    }
  };

  return {
    enqueue(delivery) {
      if (closed) return;
      waiting.add(delivery);
      pump();
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
    size: waiting.size,
    async close() {
      closed = true;
      clearTimeout(resting);
      waiting.clear();
      await Promise.all(inFlight);
    },
  };
}

/** What waits, by account. When it is full, the account that waits most loses its newest: it pushes nobody else out. */
function createFairList(max: number) {
  const queues = new Map<string, DeliveryStart[]>();
  let size = 0;

  const makeRoom = (): void => {
    let longest: DeliveryStart[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    longest.pop();
    size -= 1;
  };
  return {
    size: () => size,
    add(delivery: DeliveryStart): void {
      if (size >= max) makeRoom();
      const queue = queues.get(delivery.accountId);
      if (queue) queue.push(delivery);
      else queues.set(delivery.accountId, [delivery]);
      size += 1;
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
