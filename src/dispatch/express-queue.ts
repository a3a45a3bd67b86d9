import type { KnownDelivery } from '../deliveries/store';
import {
  deliveryWorkflowId,
  MAX_PER_DESTINATION,
  type AttemptInput,
  type AttemptOutcome,
  type DeliveryRef,
} from '../domain/delivery-contract';
import type { RetrySchedule } from '../domain/retry-schedule';
import type { Logger } from '../platform/logger';
import { createFairList } from './fair-list';
import type { DeliveryStart } from './start-delivery';

/** Attempts under way in a process, but for those whose receivers take long. */
const SLOTS = 256;
const MAX_WAITING = 20_000;

interface ExpressQueueDeps {
  readonly attempt: (input: AttemptInput, known?: KnownDelivery, onSlow?: () => void) => Promise<AttemptOutcome>;
  readonly deliveries: { releasePromises(refs: readonly DeliveryRef[]): Promise<void> };
  /** Whether the endpoint takes long: then its attempts have no slot, and only its own room bounds them. */
  readonly isSlow: (endpointId: string) => boolean;
  /** Starts the execution of a delivery that is not through after its attempt. */
  readonly start: (delivery: DeliveryStart) => boolean;
  readonly schedule: RetrySchedule;
  readonly logger: Logger;
}

export type ExpressQueue = ReturnType<typeof createExpressQueue>;

/**
 * Makes attempts in this process: first ones right after the promise, and those that a gate lets go. A bounded queue, fair
 * between accounts, and between the endpoints of an account.
 *
 * A delivery that finds a slot is sent from memory. One that has to wait is read from MongoDB when its turn comes: it may
 * be cancelled, or its endpoint paused, by then.
 */
export function createExpressQueue(deps: ExpressQueueDeps) {
  const waiting = createFairList(MAX_WAITING);
  /** Ids of what waits or is under way. */
  const taken = new Set<string>();
  const running = new Set<Promise<void>>();
  const slots = createSlots();
  let isClosed = false;

  const run = (delivery: DeliveryStart): void => {
    const giveBack = slots.take(delivery.ref.endpointId);
    const goOn = (): void => {
      if (giveBack()) pump();
    };
    const attempt = attemptNow(deps, delivery, goOn).finally(() => {
      running.delete(attempt);
      taken.delete(deliveryWorkflowId(delivery.ref));
      goOn();
    });
    running.add(attempt);
    // Whoever had it run goes on with the next one.
    if (deps.isSlow(delivery.ref.endpointId)) giveBack();
  };
  const pump = (): void => {
    // Without a free slot the lines, which may be many, are not looked at.
    while (slots.isOneFree()) {
      const next = waiting.take(slots.areFreeFor);
      if (!next) return;
      run(next);
    }
  };

  return {
    /** Takes a delivery whose next attempt is due, unless it has it already. @returns whether it was taken and kept */
    enqueue(delivery: DeliveryStart): boolean {
      const id = deliveryWorkflowId(delivery.ref);
      if (isClosed || taken.has(id)) return false;
      taken.add(id);
      if (slots.areFreeFor(delivery.ref.endpointId)) {
        run(delivery);
        return true;
      }
      const { known: _known, ...read } = delivery;
      const dropped = waiting.add(read);
      if (dropped) taken.delete(deliveryWorkflowId(dropped.ref));
      return dropped !== read;
    },
    /** How many deliveries to the endpoint wait for a slot. */
    waitingFor: waiting.waitingFor,
    /** Number of deliveries that wait for a slot: for metrics. */
    size: waiting.size,
    /** Leaves what waits to the sweeper, and resolves when no attempt is under way. */
    async close(): Promise<void> {
      isClosed = true;
      const left = waiting.takeAll().map(({ ref }) => ref);
      await deps.deliveries.releasePromises(left).catch(() => undefined);
      await Promise.all(running);
    },
  };
}

/** The process's slots. A receiver that hangs leaves most of them to the others. */
function createSlots() {
  const taken = new Map<string, number>();
  let all = 0;
  const change = (endpointId: string, by: 1 | -1): void => {
    all += by;
    const left = (taken.get(endpointId) ?? 0) + by;
    if (left > 0) taken.set(endpointId, left);
    else taken.delete(endpointId);
  };
  return {
    isOneFree: () => all < SLOTS,
    areFreeFor: (endpointId: string) => all < SLOTS && (taken.get(endpointId) ?? 0) < MAX_PER_DESTINATION,
    /** @returns gives it back; false when it was given back before */
    take(endpointId: string): () => boolean {
      let isTaken = true;
      change(endpointId, 1);
      return () => {
        if (!isTaken) return false;
        isTaken = false;
        change(endpointId, -1);
        return true;
      };
    },
  };
}

/** Makes the attempt, and starts an execution where something is left to do. Never rejects. */
async function attemptNow(
  deps: ExpressQueueDeps,
  { known, ...delivery }: DeliveryStart,
  onSlow: () => void,
): Promise<void> {
  const { ref, firstAttempt: number, schedule = deps.schedule } = delivery;
  const nextDelayMs = schedule[number] ?? null;
  try {
    const outcome = await deps.attempt({ ...ref, number, nextDelayMs, trigger: 'scheduled' }, known, onSlow);
    if (outcome.kind !== 'answered' || outcome.succeeded || nextDelayMs === null) return;
    deps.start({ ...delivery, firstAttempt: number + 1, firstDelayMs: outcome.nextDelayMs ?? nextDelayMs });
  } catch (error) {
    deps.logger.info({ err: error, ...ref }, 'an attempt could not be made here; its execution makes it');
    await deps.deliveries.releasePromises([ref]).catch(() => undefined);
    deps.start(delivery);
  }
}
