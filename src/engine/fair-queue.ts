import { deliveryWorkflowId, type DeliveryRef } from '../domain/delivery-contract';
import { sleep } from '../platform/sleep';
import { createFairList } from './fair-list';
import type { QueuedDelivery } from './task';

const MAX_WAITING = 20_000;

type Queued = Pick<QueuedDelivery, 'accountId' | 'ref'>;

interface FairQueueOptions<Task> {
  /** How many deliveries have a slot at a time. */
  readonly slots: number;
  /** How many of these may be to one endpoint. */
  readonly slotsPerEndpoint?: number;
  /** Whether a delivery to the endpoint keeps its slot when its work begins. */
  readonly keepsSlot?: (endpointId: string) => boolean;
  /** What remains of a task that waits behind as many others as there are slots: its data may be large. */
  readonly lighten?: (task: Task) => Task;
  /** Must not reject. `leaveSlot` frees the slot for the next delivery before the work is done. */
  readonly work: (task: Task, leaveSlot: () => void, waitedMs: number) => Promise<void>;
}

/**
 * Does a piece of work for each delivery that it accepts. A bounded queue, fair between accounts and between the
 * endpoints of an account.
 */
export function createFairQueue<Task extends Queued>({
  keepsSlot = () => true,
  lighten = (task) => task,
  work,
  ...options
}: FairQueueOptions<Task>) {
  const waiting = createFairList<Task>(MAX_WAITING);
  const slots = createSlots(options);
  /** Since when each delivery waits or is under way, by id, in the order of arrival. */
  const since = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const stopped = new AbortController();
  let isResting = false;

  const run = (delivery: Task): void => {
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
  const isFree = (): boolean => !isResting && slots.isOneFree();
  const pump = (): void => {
    // Without a free slot, the lines, of which there may be many, are not searched.
    while (isFree()) {
      const next = waiting.take(slots.isFreeFor);
      if (!next) return;
      run(next);
    }
  };

  return {
    /**
     * Accepts the delivery, unless it is already here. If the queue is full, the account with the most waiting
     * deliveries leaves its newest to the sweeper.
     *
     * @returns whether it was accepted and kept
     */
    enqueue(delivery: Task): boolean {
      const id = idOf(delivery);
      if (stopped.signal.aborted || since.has(id)) return false;
      since.set(id, performance.now());
      if (!isResting && slots.isFreeFor(delivery.ref.endpointId)) {
        run(delivery);
        return true;
      }
      const waits = waiting.size() >= options.slots ? lighten(delivery) : delivery;
      const dropped = waiting.add(waits);
      if (dropped) since.delete(idOf(dropped));
      return dropped !== waits;
    },
    /** Whether the delivery waits or is under way. */
    has: (ref: DeliveryRef) => since.has(deliveryWorkflowId(ref)),
    /** Whether the next delivery would not wait. */
    isFree,
    /** How many deliveries to the endpoint wait. */
    waitingFor: waiting.waitingFor,
    /** How many deliveries to the endpoint have a slot. */
    slotsOf: slots.of,
    /** The number of waiting deliveries, for metrics. */
    size: waiting.size,
    /** Starts nothing for this long. @returns false if it rests already */
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
     * Accepts nothing more, and leaves waiting deliveries to the sweeper. Resolves when nothing is under way.
     *
     * @param giveUp gets the waiting deliveries
     */
    async close(giveUp?: (left: readonly DeliveryRef[]) => Promise<void>): Promise<void> {
      stopped.abort();
      const left = waiting.takeAll();
      await giveUp?.(left.map(({ ref }) => ref));
      await Promise.all(underWay);
    },
  };
}

function createSlots({
  slots,
  slotsPerEndpoint = slots,
}: Pick<FairQueueOptions<Queued>, 'slots' | 'slotsPerEndpoint'>) {
  const taken = new Set<Queued>();
  /** How many of them belong to each endpoint: read for every line that waits. */
  const counts = new Map<string, number>();
  const of = (endpointId: string): number => counts.get(endpointId) ?? 0;
  return {
    of,
    take(delivery: Queued): void {
      const { endpointId } = delivery.ref;
      taken.add(delivery);
      counts.set(endpointId, of(endpointId) + 1);
    },
    /** @returns whether the delivery had a slot */
    leave(delivery: Queued): boolean {
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

function idOf({ ref }: Queued): string {
  return deliveryWorkflowId(ref);
}
