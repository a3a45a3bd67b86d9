import type { DeliveryStore } from '../record/delivery-store';
import {
  MAX_PER_DESTINATION,
  type AttemptInput,
  type AttemptOutcome,
  type DeliveryRef,
} from '../domain/delivery-contract';
import type { EndpointLoad } from '../domain/endpoint-load';
import type { RetrySchedule } from '../domain/retry-schedule';
import type { Logger } from '../platform/logger';
import { traceIdsIn } from '../platform/tracing';
import { createFairQueue } from './fair-queue';
import type { DeliveryStart } from './executions';

/** Attempts under way in a process, except those to slow receivers. */
const SLOTS = 256;

/**
 * How long an attempt uses data from the ingest. Later it reads the record again, because the delivery may be cancelled,
 * or its endpoint paused. In a burst of `npm run bench`, 99 % of the first attempts arrive within 170 ms.
 */
const FRESH_MS = 250;

/** What the express queue needs. */
export interface ExpressQueueDeps {
  readonly attempt: (
    input: AttemptInput,
    known?: DeliveryStart['known'],
    onSlow?: () => void,
  ) => Promise<AttemptOutcome>;
  readonly deliveries: Pick<DeliveryStore, 'releasePromises' | 'markStarted'>;
  /** Attempts to a slow endpoint have no slot: only its own room limits them. */
  readonly load: Pick<EndpointLoad, 'isSlow'>;
  /** Starts the execution of a delivery that is not finished after its attempt. */
  readonly start: (delivery: DeliveryStart) => boolean;
  readonly schedule: RetrySchedule;
  readonly logger: Logger;
}

/**
 * Makes attempts in this process: first attempts right after the ingest or the start of their execution, and those of
 * deliveries released by a gate.
 *
 * A new delivery that gets a slot soon is sent from memory. One that has to wait, or that a gate released, is read from
 * MongoDB when its turn comes. A hanging receiver leaves most slots to others.
 */
export function createExpressQueue(deps: ExpressQueueDeps) {
  const release = (refs: readonly DeliveryRef[]): Promise<void> =>
    deps.deliveries.releasePromises(refs).catch(() => undefined);
  /** Leaves the delivery to its execution. */
  const start = (delivery: DeliveryStart): void => {
    if (delivery.stage === 'started') deps.deliveries.markStarted(delivery.ref).catch(() => undefined);
    else deps.start({ ...delivery, stage: 'tried' });
  };
  /**
   * Makes the attempt, and starts an execution if something is left to do. A start that came before is recorded only
   * then, or when the receiver is slow: most deliveries are finished at once, which their record says too.
   */
  const work = async ({ known, knownAt = 0, ...delivery }: DeliveryStart, leaveSlot: () => void): Promise<void> => {
    const { ref, firstAttempt: number, schedule = deps.schedule } = delivery;
    const nextDelayMs = schedule[number] ?? null;
    try {
      const attempt: AttemptInput = { ...ref, number, nextDelayMs, trigger: 'scheduled' };
      const input: AttemptInput = delivery.stage === 'started' ? attempt : { ...attempt, express: true };
      const usable = known && performance.now() - knownAt >= FRESH_MS ? 'waited' : known;
      const outcome = await deps.attempt(input, usable, () => {
        leaveSlot();
        if (delivery.stage === 'started') start(delivery);
      });
      if (outcome.kind !== 'answered' || outcome.succeeded || nextDelayMs === null) return;
      start({ ...delivery, firstAttempt: number + 1, firstDelayMs: outcome.nextDelayMs ?? nextDelayMs });
    } catch (error) {
      deps.logger.info(
        { err: error, ...ref, ...traceIdsIn(delivery.traceparent) },
        'an attempt could not be made here; its execution makes it',
      );
      await release([ref]);
      start(delivery);
    }
  };
  const queue = createFairQueue({
    slots: SLOTS,
    slotsPerEndpoint: MAX_PER_DESTINATION,
    keepsSlot: (endpointId) => !deps.load.isSlow(endpointId),
    work,
  });
  return {
    ...queue,
    /** Releases this process's claims from the events' inserts: nothing was sent. Never throws. */
    release,
    close: () => queue.close(release),
  };
}
