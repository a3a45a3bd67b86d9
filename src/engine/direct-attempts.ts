import {
  logFieldsOf,
  MAX_PER_DESTINATION,
  type AttemptAnswer,
  type AttemptInput,
  type DeliveryRef,
} from '../domain/delivery-contract';
import type { RetrySchedule } from '../domain/retry-schedule';
import type { Logger } from '../platform/logger';
import { traceIdsIn } from '../platform/tracing';
import type { DeliveryStore } from '../stores/delivery-store';
import type { Attempts } from './attempt';
import type { EndpointCapacity } from './endpoint-capacity';
import { createFairQueue } from './fair-queue';
import { CLAIMED, type AttemptSource, type AttemptTask, type ShowTask, type StartTask } from './task';

/** Attempts under way in a process, except those to slow receivers. */
const SLOTS = 256;

/**
 * How long an attempt uses data from the ingest. Later it reads the record again, because the delivery may be cancelled,
 * or its endpoint paused. In a burst of `npm run bench`, 99 % of the first attempts arrive within 170 ms.
 */
const FRESH_MS = 250;

/** What attempts outside of executions need. */
export interface DirectAttemptsDeps {
  readonly attempts: Pick<Attempts, 'make'>;
  readonly deliveries: Pick<DeliveryStore, 'releasePromises'>;
  /** Attempts to a slow endpoint have no slot: only its own capacity limits them. */
  readonly capacity: Pick<EndpointCapacity, 'isSlow'>;
  readonly schedule: RetrySchedule;
  readonly logger: Logger;
  /** Whether Temporal's Web UI shows a delivery that an attempt of this moment finishes. */
  readonly isShown: () => boolean;
  /** Starts an execution for what is left to do. */
  readonly start: (task: StartTask) => void;
  /** Starts an execution that shows what was done. */
  readonly show: (task: ShowTask) => void;
}

/**
 * Makes attempts in this process: first attempts right after the ingest or the start of their execution, and those of
 * deliveries that a gate released or the sweeper found.
 *
 * A new delivery that gets a slot soon is sent from memory. One that has to wait, or that a gate released, is read from
 * MongoDB when its turn comes. A hanging receiver leaves most slots to others.
 */
export function createDirectAttempts(deps: DirectAttemptsDeps) {
  const release = (refs: readonly DeliveryRef[]): Promise<void> =>
    deps.deliveries.releasePromises(refs).catch(() => undefined);
  const work = async (
    { number, source, execution, ...delivery }: AttemptTask,
    leaveSlot: () => void,
  ): Promise<void> => {
    const { ref, schedule = deps.schedule } = delivery;
    const nextDelayMs = schedule[number] ?? null;
    const isAlone = execution === 'none';
    const isShown = isAlone && deps.isShown();
    const input: AttemptInput = {
      ...ref,
      number,
      nextDelayMs,
      trigger: 'scheduled',
      ...(isAlone && { express: true }),
      ...(isShown && { shown: true }),
    };
    try {
      const outcome = await deps.attempts.make(input, { source: freshOf(source), onSlow: leaveSlot });
      if (outcome.kind !== 'answered' || !isAlone) return;
      const next = nextStart(outcome, nextDelayMs);
      if (next) deps.start({ ...delivery, givenBack: undefined, ...next });
      else if (isShown) deps.show({ ...delivery, last: outcome });
    } catch (error) {
      deps.logger.info(
        { err: error, ...logFieldsOf(ref), ...traceIdsIn(delivery.traceparent) },
        'an attempt could not be made here; its execution makes it',
      );
      await release([ref]);
      if (isAlone) deps.start({ ...delivery, firstAttempt: number, firstDelayMs: 0 });
    }
  };
  const queue = createFairQueue<AttemptTask>({
    slots: SLOTS,
    slotsPerEndpoint: MAX_PER_DESTINATION,
    keepsSlot: (endpointId) => !deps.capacity.isSlow(endpointId),
    // An event may have 256 KB, and 20,000 deliveries may wait.
    lighten: (task) => (task.source.kind === 'memory' ? { ...task, source: CLAIMED } : task),
    work,
  });
  return {
    ...queue,
    /** Releases this process's claims in the events: nothing was sent. Never throws. */
    release,
    close: () => queue.close(release),
  };
}

function freshOf(source: AttemptSource): AttemptSource {
  const isOld = source.kind === 'memory' && performance.now() - source.readAtMs >= FRESH_MS;
  return isOld ? CLAIMED : source;
}

/** What an execution continues with after an answer; undefined if nothing is left to do. */
function nextStart(
  answer: AttemptAnswer,
  nextDelayMs: number | null,
): Pick<StartTask, 'firstAttempt' | 'firstDelayMs' | 'last'> | undefined {
  if (answer.succeeded || nextDelayMs === null) return undefined;
  return { firstAttempt: answer.number + 1, firstDelayMs: answer.nextDelayMs ?? nextDelayMs, last: answer };
}
