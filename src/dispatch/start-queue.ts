import type { Logger } from '../platform/logger';
import type { DeliveryStart, DeliveryStarter } from './start-delivery';

/** Starts what was just promised, off the request's path. */
export interface StartQueue {
  /** Takes the delivery, or leaves it to the sweeper when the queue is full or Temporal was away a moment ago. */
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
/** After a failed start the queue rests: everything in it stands in MongoDB and is not lost. */
const REST_AFTER_FAILURE_MS = 1_000;

/** A bounded queue, fair between accounts: each account's oldest delivery in turn. */
export function createStartQueue(deps: { starter: DeliveryStarter; logger: Logger }): StartQueue {
  const waiting = new Map<string, DeliveryStart[]>();
  const inFlight = new Set<Promise<void>>();
  let size = 0;
  let restUntil = 0;
  let closed = false;
  let ingests = 0;

  const next = (): DeliveryStart | undefined => {
    for (const [accountId, queue] of waiting) {
      const delivery = queue.shift();
      // To the end of the turn order, or out of it.
      waiting.delete(accountId);
      if (queue.length > 0) waiting.set(accountId, queue);
      if (delivery) {
        size -= 1;
        return delivery;
      }
    }
    return undefined;
  };
  const run = async (delivery: DeliveryStart): Promise<void> => {
    try {
      await deps.starter.start(delivery);
    } catch (error) {
      restUntil = Date.now() + REST_AFTER_FAILURE_MS;
      const left = size + 1;
      waiting.clear();
      size = 0;
      deps.logger.warn({ err: error, left_to_sweeper: left }, 'a delivery could not be started; the sweeper will');
    }
  };
  const pump = (): void => {
    const most = ingests >= BUSY_INGESTS ? MAX_STARTS_WHILE_BUSY : MAX_STARTS_IN_FLIGHT;
    while (inFlight.size < most) {
      const delivery = next();
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
      if (closed || size >= MAX_WAITING || Date.now() < restUntil) return;
      const queue = waiting.get(delivery.accountId);
      if (queue) queue.push(delivery);
      else waiting.set(delivery.accountId, [delivery]);
      size += 1;
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
    size: () => size,
    async close() {
      closed = true;
      waiting.clear();
      size = 0;
      await Promise.all(inFlight);
    },
  };
}
