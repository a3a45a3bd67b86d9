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
import type { DeliveryStart } from './start-delivery';

/** Makes first attempts in this process, right after the promise. */
export interface ExpressQueue {
  /** Takes a delivery whose first attempt is due, unless it has it already. @returns whether it was taken and kept */
  enqueue(delivery: DeliveryStart): boolean;
  /** Number of deliveries that wait for a slot: for metrics. */
  size(): number;
  /** Leaves what waits to the sweeper, and resolves when no attempt is under way. */
  close(): Promise<void>;
}

/** Attempts under way in a process. */
const SLOTS = 256;
const MAX_WAITING = 20_000;

interface ExpressQueueDeps {
  readonly attempt: (input: AttemptInput, known?: KnownDelivery) => Promise<AttemptOutcome>;
  readonly deliveries: { releasePromises(refs: readonly DeliveryRef[]): Promise<void> };
  /** Starts the execution of a delivery that is not through after its first attempt. */
  readonly start: (delivery: DeliveryStart) => boolean;
  readonly schedule: RetrySchedule;
  readonly logger: Logger;
}

/**
 * A bounded queue in front of the attempts, fair between accounts, and between the endpoints of an account.
 *
 * A delivery that finds a slot is sent from memory. One that has to wait is read from MongoDB when its turn comes: it may
 * be cancelled, or its endpoint paused, by then.
 */
export function createExpressQueue(deps: ExpressQueueDeps): ExpressQueue {
  /** What waits, by account and endpoint; the next account and its next endpoint first. */
  const accounts = new Map<string, Map<string, DeliveryStart[]>>();
  let waiting = 0;
  /** Ids of what waits or is under way. */
  const taken = new Set<string>();
  const running = new Set<Promise<void>>();
  /** Number under way, by endpoint. */
  const underWay = new Map<string, number>();
  let isClosed = false;

  const hasSlot = (endpointId: string): boolean =>
    // A receiver that hangs leaves most slots to the others.
    running.size < SLOTS && (underWay.get(endpointId) ?? 0) < MAX_PER_DESTINATION;
  const wait = (delivery: DeliveryStart): void => {
    const { known: _, ...read } = delivery;
    const { accountId, ref } = read;
    const lines = accounts.get(accountId) ?? new Map<string, DeliveryStart[]>();
    const line = lines.get(ref.endpointId);
    if (line) line.push(read);
    else accounts.set(accountId, lines.set(ref.endpointId, [read]));
    waiting += 1;
  };
  /** The first of the next line that has a slot; the line, and its account, go to the end. */
  const next = (): DeliveryStart | undefined => {
    for (const [accountId, lines] of accounts) {
      for (const [endpointId, line] of lines) {
        if (!hasSlot(endpointId)) continue;
        const delivery = line.shift()!;
        lines.delete(endpointId);
        if (line.length > 0) lines.set(endpointId, line);
        accounts.delete(accountId);
        if (lines.size > 0) accounts.set(accountId, lines);
        waiting -= 1;
        return delivery;
      }
    }
    return undefined;
  };
  const run = (delivery: DeliveryStart): void => {
    const { endpointId } = delivery.ref;
    underWay.set(endpointId, (underWay.get(endpointId) ?? 0) + 1);
    const attempt = attemptFirst(deps, delivery).finally(() => {
      running.delete(attempt);
      taken.delete(deliveryWorkflowId(delivery.ref));
      const left = underWay.get(endpointId)! - 1;
      if (left > 0) underWay.set(endpointId, left);
      else underWay.delete(endpointId);
      // All others that wait had no slot before: one at most has one now.
      const following = next();
      if (following) run(following);
    });
    running.add(attempt);
  };

  return {
    enqueue(delivery) {
      const id = deliveryWorkflowId(delivery.ref);
      if (isClosed || taken.has(id)) return false;
      if (hasSlot(delivery.ref.endpointId)) run(delivery);
      else if (waiting < MAX_WAITING) wait(delivery);
      else return false;
      taken.add(id);
      return true;
    },
    size: () => waiting,
    async close() {
      isClosed = true;
      const left = [...accounts.values()].flatMap((lines) => [...lines.values()].flat());
      accounts.clear();
      waiting = 0;
      await deps.deliveries.releasePromises(left.map(({ ref }) => ref)).catch(() => undefined);
      await Promise.all(running);
    },
  };
}

/** Makes attempt 1, and starts an execution where something is left to do. Never rejects. */
async function attemptFirst(deps: ExpressQueueDeps, { known, ...delivery }: DeliveryStart): Promise<void> {
  const { ref } = delivery;
  const schedule = delivery.schedule ?? deps.schedule;
  const nextDelayMs = schedule[1] ?? null;
  const input: AttemptInput = { ...ref, number: 1, nextDelayMs, trigger: 'scheduled', inline: true, express: true };
  try {
    const outcome = await deps.attempt(input, known);
    if (outcome.kind === 'ended') return;
    if (outcome.kind === 'answered') {
      if (outcome.succeeded || nextDelayMs === null) return;
      deps.start({ ...delivery, firstAttempt: 2, firstDelayMs: outcome.nextDelayMs ?? nextDelayMs });
      return;
    }
    // Without a time to come again the attempt is under way, here or elsewhere: its claim stays.
    const isUnderWay = outcome.kind === 'busy' && outcome.waitMs === undefined;
    if (!isUnderWay) await deps.deliveries.releasePromises([ref]);
  } catch (error) {
    deps.logger.info({ err: error, ...ref }, 'a first attempt could not be made here; its execution makes it');
    await deps.deliveries.releasePromises([ref]).catch(() => undefined);
  }
  deps.start(delivery);
}
