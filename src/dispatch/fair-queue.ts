import { deliveryWorkflowId, type DeliveryRef } from '../domain/delivery-contract';
import { sleep } from '../platform/sleep';
import { createFairList } from './fair-list';
import type { DeliveryStart } from './executions';

const MAX_WAITING = 20_000;

interface FairQueueOptions {
  /** How many deliveries have a slot at a time. */
  readonly slots: number;
  /** How many of these may be to one endpoint. */
  readonly slotsPerEndpoint?: number;
  /** Whether a delivery to the endpoint keeps its slot as its work begins. */
  readonly keepsSlot?: (endpointId: string) => boolean;
  /** Must not reject. `leaveSlot` lets the next delivery have its slot before it is done. */
  readonly work: (delivery: DeliveryStart, leaveSlot: () => void, waitedMs: number) => Promise<void>;
}

/**
 * Does a piece of work for each delivery that it takes. A bounded queue, fair between accounts, and between the endpoints
 * of an account.
 */
export function createFairQueue({ keepsSlot = () => true, work, ...options }: FairQueueOptions) {
  const waiting = createFairList(MAX_WAITING);
  const slots = createSlots(options);
  /** Since when each waits or is under way, by id, in the order in which they came. */
  const since = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const stopped = new AbortController();
  let isResting = false;

  const run = (delivery: DeliveryStart): void => {
    const leaveSlot = (): void => {
      if (slots.leave(delivery)) pump();
    };
    if (keepsSlot(delivery.ref.endpointId)) slots.take(delivery);
    const done = work(delivery, leaveSlot, performance.now() - since.get(idOf(delivery))!).finally(() => {
      underWay.delete(done);
      since.delete(idOf(delivery));
      leaveSlot();
    });
    underWay.add(done);
  };
  const pump = (): void => {
    // Without a free slot the lines, which may be many, are not looked at.
    while (!isResting && slots.isOneFree()) {
      const next = waiting.take(slots.isFreeFor);
      if (!next) return;
      run(next);
    }
  };

  return {
    /**
     * Takes the delivery, unless it has it already. When the queue is full, the account that waits most leaves its newest
     * to the sweeper. One that has to wait is read from MongoDB when its turn comes: what is known of it is dropped.
     *
     * @returns whether it was taken and kept
     */
    enqueue(delivery: DeliveryStart): boolean {
      const id = idOf(delivery);
      if (stopped.signal.aborted || since.has(id)) return false;
      since.set(id, performance.now());
      if (!isResting && slots.isFreeFor(delivery.ref.endpointId)) {
        run(delivery);
        return true;
      }
      const { known: _known, ...rest } = delivery;
      const dropped = waiting.add(rest);
      if (dropped) since.delete(idOf(dropped));
      return dropped !== rest;
    },
    /** Whether the delivery waits or is under way. */
    has: (ref: DeliveryRef) => since.has(deliveryWorkflowId(ref)),
    /** How many deliveries to the endpoint wait. */
    waitingFor: waiting.waitingFor,
    /** How many deliveries to the endpoint have a slot. */
    slotsOf: slots.of,
    /** Number waiting: for metrics. */
    size: waiting.size,
    /** For how long it has had the oldest delivery, in milliseconds; 0 when it has none. */
    longestWaitMs(): number {
      const [oldest = performance.now()] = since.values();
      return performance.now() - oldest;
    },
    /** Gives up those that `isMeant` chooses of what waits. */
    takeWaiting(isMeant: (delivery: DeliveryStart) => boolean): DeliveryStart[] {
      const meant = waiting.takeAll(isMeant);
      for (const delivery of meant) since.delete(idOf(delivery));
      return meant;
    },
    /** Begins nothing for so long. @returns false when it rests already */
    rest(ms: number): boolean {
      if (isResting) return false;
      isResting = true;
      void sleep(ms, stopped.signal).then(() => {
        isResting = false;
        pump();
      });
      return true;
    },
    /**
     * Takes nothing more, and leaves what waits to the sweeper. Resolves when nothing is under way.
     *
     * @param giveUp is given what waits
     */
    async close(giveUp?: (left: readonly DeliveryRef[]) => Promise<void>): Promise<void> {
      stopped.abort();
      const left = waiting.takeAll();
      await giveUp?.(left.map(({ ref }) => ref));
      await Promise.all(underWay);
    },
  };
}

function createSlots({ slots, slotsPerEndpoint = slots }: Pick<FairQueueOptions, 'slots' | 'slotsPerEndpoint'>) {
  const taken = new Set<DeliveryStart>();
  /** How many of them are to each endpoint: asked for with every line that waits. */
  const counts = new Map<string, number>();
  const of = (endpointId: string): number => counts.get(endpointId) ?? 0;
  return {
    of,
    take(delivery: DeliveryStart): void {
      const { endpointId } = delivery.ref;
      taken.add(delivery);
      counts.set(endpointId, of(endpointId) + 1);
    },
    /** @returns whether the delivery had a slot */
    leave(delivery: DeliveryStart): boolean {
      const { endpointId } = delivery.ref;
      if (!taken.delete(delivery)) return false;
      if (of(endpointId) > 1) counts.set(endpointId, of(endpointId) - 1);
      else counts.delete(endpointId);
      return true;
    },
    isOneFree: () => taken.size < slots,
    isFreeFor: (endpointId: string) => taken.size < slots && of(endpointId) < slotsPerEndpoint,
  };
}

function idOf({ ref }: DeliveryStart): string {
  return deliveryWorkflowId(ref);
}
