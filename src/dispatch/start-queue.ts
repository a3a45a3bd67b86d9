import { deliveryWorkflowId, type DeliveryRef } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import { sleep } from '../platform/temporal';
import { createFairList } from './fair-list';
import type { DeliveryStart, DeliveryStarter } from './start-delivery';

/** Starts what is promised, off the request's path. */
export interface StartQueue {
  /**
   * Takes the delivery, unless it has it already; when the queue is full, the account (of those that hang: the endpoint)
   * that waits most leaves its newest to the sweeper.
   *
   * @returns whether it was taken and kept
   */
  enqueue(delivery: DeliveryStart): boolean;
  /** Whether the delivery waits or is being started. */
  has(ref: DeliveryRef): boolean;
  /** Runs an ingest. While many are under way, starts step back: a promise comes before its delivery. */
  accepting<T>(ingest: () => Promise<T>): Promise<T>;
  /** For how long the oldest delivery of the usual lane is not started, in milliseconds; 0 when all are. */
  longestWaitMs(): number;
  /** Gives up those in the usual lane that `isMeant` chooses. */
  takeWaiting(isMeant: (delivery: DeliveryStart) => boolean): DeliveryStart[];
  /** Number waiting, by lane: for metrics. */
  size(): Readonly<Record<Lane, number>>;
  /** Takes nothing more and resolves when starts in flight are through; the rest is the sweeper's. */
  close(): Promise<void>;
}

/** While this many ingests are under way, only a few starts are: both want the same CPU. */
const BUSY_INGESTS = 8;
/**
 * How many starts may be in flight at a time; after each, its place rests for `restFactor` times what it took.
 * `npm run bench` starts its bare run the same way.
 */
export const START_PACE = {
  /**
   * The machine's CPU is the limit: more than this start no more a second, and have everybody wait for it (measured with
   * 32: a neighbour's burst delayed others by five seconds instead of one).
   */
  usual: { most: 10, whileBusy: 2, restFactor: 0 },
  /**
   * To destinations that hang: what is started can't be sent yet, and would ask again and again whether it may, at the
   * cost of everybody else.
   */
  hanging: { most: 2, whileBusy: 1, restFactor: 1 },
} as const;
type Lane = keyof typeof START_PACE;
const LANES = ['usual', 'hanging'] as const satisfies Lane[];

/** A destination that hangs gets no more starts than it can take requests: 16 at a time, of 30 s each. */
const HANGING_REST_MS = 2_000;
/** How often to look which of those that rest may go on, and which hang no more. */
const LOOK_EVERY_MS = 250;
const MAX_WAITING = 20_000;
const MAX_PAUSE_MS = 1_000;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;
/**
 * What waited so long may have been started by the sweeper of another process, or the other way round. To ask MongoDB
 * is cheaper than to have Temporal refuse it, of which there is too much to do then.
 */
const MAYBE_STARTED_MS = 2_000;

interface StartQueueDeps {
  readonly starter: DeliveryStarter;
  /** Whether a delivery has not been started by anybody, and still is to be. */
  readonly awaitsStart: (ref: DeliveryRef) => Promise<boolean>;
  /** Whether the endpoint answers nothing at present. */
  readonly hangs: (endpointId: string) => boolean;
  /** Told of each delivery that could not be started: without anybody who takes it, the sweeper brings it again. */
  readonly onFailed?: (delivery: DeliveryStart) => void;
  readonly logger: Logger;
}

/**
 * A bounded queue, fair between accounts: each account's oldest delivery in turn. Destinations that hang have a lane
 * apart, in which each of them has its turn and a rest after it.
 */
export function createStartQueue(deps: StartQueueDeps): StartQueue {
  const waiting = {
    usual: createFairList({ max: MAX_WAITING, keyOf: ({ accountId }) => accountId }),
    hanging: createFairList({ max: MAX_WAITING, keyOf: ({ ref }) => ref.endpointId, restMs: HANGING_REST_MS }),
  };
  const inFlight = { usual: new Set<Promise<void>>(), hanging: new Set<Promise<void>>() };
  /** Ids of what waits or is being started, in the order in which they came, and since when. */
  const taken = new Map<string, Taken>();
  const stop = new AbortController();
  const starts = createRestingStarts(deps, stop.signal, () => pump());
  const ingests = createIngests(() => pump());

  /** @returns whether there was room for it */
  const add = (delivery: DeliveryStart): boolean => {
    const lane = deps.hangs(delivery.ref.endpointId) ? 'hanging' : 'usual';
    taken.get(idOf(delivery))!.lane = lane;
    const dropped = waiting[lane].add(delivery);
    if (dropped) taken.delete(idOf(dropped));
    return dropped !== delivery;
  };
  const pumpLane = (lane: Lane): void => {
    const { most, whileBusy, restFactor } = START_PACE[lane];
    while (!starts.areResting() && inFlight[lane].size < (ingests.areMany() ? whileBusy : most)) {
      const delivery = waiting[lane].take();
      if (!delivery) return;
      // Its destination answered when it came.
      if (lane === 'usual' && deps.hangs(delivery.ref.endpointId)) {
        add(delivery);
        continue;
      }
      const isOld = performance.now() - taken.get(idOf(delivery))!.since > MAYBE_STARTED_MS;
      const starting = starts
        .start(delivery, { isOld, restFactor }, () => taken.delete(idOf(delivery)))
        .finally(() => {
          inFlight[lane].delete(starting);
          pump();
        });
      inFlight[lane].add(starting);
    }
  };
  const pump = (): void => LANES.forEach(pumpLane);
  const looking = setInterval(() => {
    for (const delivery of waiting.hanging.takeAllOf((endpointId) => !deps.hangs(endpointId))) add(delivery);
    pump();
  }, LOOK_EVERY_MS).unref();

  return {
    enqueue(delivery) {
      const id = idOf(delivery);
      if (stop.signal.aborted || taken.has(id)) return false;
      taken.set(id, { since: performance.now(), lane: 'usual' });
      const isKept = add(delivery);
      pump();
      return isKept;
    },
    has: (ref) => taken.has(deliveryWorkflowId(ref)),
    accepting: ingests.run,
    longestWaitMs: () => longestWaitOf(taken.values()),
    takeWaiting(isMeant) {
      const all = waiting.usual.takeAllOf(() => true);
      const [meant, others] = [all.filter(isMeant), all.filter((delivery) => !isMeant(delivery))];
      for (const delivery of meant) taken.delete(idOf(delivery));
      for (const delivery of others) waiting.usual.add(delivery);
      return meant;
    },
    size: () => ({ usual: waiting.usual.size(), hanging: waiting.hanging.size() }),
    async close() {
      stop.abort();
      clearInterval(looking);
      for (const lane of LANES) waiting[lane].clear();
      await Promise.all(LANES.flatMap((lane) => [...inFlight[lane]]));
    },
  };
}

/** A delivery that waits or is being started. */
interface Taken {
  readonly since: number;
  lane: Lane;
}

/** @param oldestFirst what the queue has */
function longestWaitOf(oldestFirst: Iterable<Taken>): number {
  for (const { since, lane } of oldestFirst) if (lane === 'usual') return performance.now() - since;
  return 0;
}

/** Counts the ingests under way. */
function createIngests(onEnd: () => void) {
  let underWay = 0;
  return {
    areMany: () => underWay >= BUSY_INGESTS,
    async run<T>(ingest: () => Promise<T>): Promise<T> {
      underWay += 1;
      try {
        return await ingest();
      } finally {
        underWay -= 1;
        onEnd();
      }
    },
  };
}

/** Starts one after the other as told; after a failure, none for a while. */
function createRestingStarts(
  { starter, awaitsStart, onFailed, logger }: StartQueueDeps,
  stop: AbortSignal,
  onRested: () => void,
) {
  let isResting = false;
  const rest = async (): Promise<void> => {
    isResting = true;
    await sleep(REST_AFTER_FAILURE_MS, stop);
    isResting = false;
    onRested();
  };
  return {
    areResting: () => isResting,
    /** Resolves when the next may follow. */
    async start(
      delivery: DeliveryStart,
      { isOld, restFactor }: { isOld: boolean; restFactor: number },
      onThrough: () => void,
    ): Promise<void> {
      const startedAt = performance.now();
      let isFailed = false;
      try {
        if (!isOld || (await awaitsStart(delivery.ref))) await starter.start(delivery);
      } catch (error) {
        isFailed = true;
        // While it rests, those that were under way fail alike.
        if (isResting) return;
        logger.warn({ err: error }, 'a delivery could not be started; the sweeper will');
        void rest();
      } finally {
        onThrough();
        if (isFailed) onFailed?.(delivery);
      }
      const restMs = (performance.now() - startedAt) * restFactor;
      if (restMs > 0) await sleep(Math.min(restMs, MAX_PAUSE_MS), stop);
    },
  };
}

function idOf({ ref }: DeliveryStart): string {
  return deliveryWorkflowId(ref);
}
