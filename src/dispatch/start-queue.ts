import { deliveryWorkflowId } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import { sleep } from '../platform/temporal';
import { createFairList } from './fair-list';
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
   * To destinations that hang: what is started can't be sent yet, and thousands that are started at once would have the
   * deliveries of everybody else wait for the CPU.
   */
  hanging: { most: 2, whileBusy: 1, restFactor: 1 },
} as const;
type Lane = keyof typeof START_PACE;
const LANES = ['usual', 'hanging'] as const satisfies Lane[];

const MAX_WAITING = 20_000;
const MAX_PAUSE_MS = 1_000;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;

interface StartQueueDeps {
  readonly starter: DeliveryStarter;
  /** Whether the endpoint answers nothing at present. */
  readonly hangs: (endpointId: string) => boolean;
  readonly logger: Logger;
}

/**
 * A bounded queue, fair between accounts: each account's oldest delivery in turn. Destinations that hang have a lane
 * apart.
 */
export function createStartQueue(deps: StartQueueDeps): StartQueue {
  const waiting = { usual: createFairList(MAX_WAITING), hanging: createFairList(MAX_WAITING) };
  const inFlight = { usual: new Set<Promise<void>>(), hanging: new Set<Promise<void>>() };
  /** Ids of what waits or is being started. */
  const taken = new Set<string>();
  const stop = new AbortController();
  const starts = createRestingStarts(deps, stop.signal, () => pump());
  let ingests = 0;

  const add = (delivery: DeliveryStart): void => {
    const dropped = waiting[deps.hangs(delivery.ref.endpointId) ? 'hanging' : 'usual'].add(delivery);
    if (dropped) taken.delete(idOf(dropped));
  };
  const pumpLane = (lane: Lane): void => {
    const { most, whileBusy, restFactor } = START_PACE[lane];
    while (!starts.areResting() && inFlight[lane].size < (ingests >= BUSY_INGESTS ? whileBusy : most)) {
      const delivery = waiting[lane].take();
      if (!delivery) return;
      // Its destination answered when it came.
      if (lane === 'usual' && deps.hangs(delivery.ref.endpointId)) {
        add(delivery);
        continue;
      }
      const starting = starts
        .start(delivery, restFactor, () => taken.delete(idOf(delivery)))
        .finally(() => {
          inFlight[lane].delete(starting);
          pump();
        });
      inFlight[lane].add(starting);
    }
  };
  const pump = (): void => LANES.forEach(pumpLane);

  return {
    enqueue(delivery) {
      const id = idOf(delivery);
      if (stop.signal.aborted || taken.has(id)) return false;
      taken.add(id);
      add(delivery);
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
    size: () => ({ usual: waiting.usual.size(), hanging: waiting.hanging.size() }),
    async close() {
      stop.abort();
      for (const lane of LANES) waiting[lane].clear();
      await Promise.all(LANES.flatMap((lane) => [...inFlight[lane]]));
    },
  };
}

/** Starts one after the other as told; after a failure, none for a while. */
function createRestingStarts({ starter, logger }: StartQueueDeps, stop: AbortSignal, onRested: () => void) {
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
    async start(delivery: DeliveryStart, restFactor: number, onThrough: () => void): Promise<void> {
      const startedAt = performance.now();
      try {
        await starter.start(delivery);
      } catch (error) {
        // While it rests, those that were under way fail alike.
        if (isResting) return;
        logger.warn({ err: error }, 'a delivery could not be started; the sweeper will');
        void rest();
      } finally {
        onThrough();
      }
      const restMs = (performance.now() - startedAt) * restFactor;
      if (restMs > 0) await sleep(Math.min(restMs, MAX_PAUSE_MS), stop);
    },
  };
}

function idOf({ ref }: DeliveryStart): string {
  return deliveryWorkflowId(ref);
}
