import { closedBy } from '../domain/delivery-contract';
import { isFinished, type DeliveryState } from '../domain/delivery-state';
import { ConflictError, UnavailableError } from '../domain/errors';
import type { Executions } from '../engine/executions';
import { startOf, type StartTask } from '../engine/task';
import type { EndpointStore } from '../stores/endpoint-store';
import { refuseErased } from '../stores/event-data';
import { isClaimed, type EventStore } from '../stores/event-store';
import type { DeliveryBudget } from '../limits/delivery-budget';
import { findDelivery, type FoundDelivery } from './find-deliveries';
import type { DeliveryStore } from '../stores/delivery-store';

/** What `retryDelivery` needs. */
export interface RetryDeliveryDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'isUnderWay'>;
  readonly executions: Pick<Executions, 'retryNow' | 'start'>;
  readonly budget: Pick<DeliveryBudget, 'takeRetry' | 'giveBack'>;
}

const TEMPORAL_RETRY_SECONDS = 2;

/**
 * Makes the next attempt of an unfinished delivery now. It is the attempt that was due anyway: the schedule continues
 * from there. If its timer fires at this moment, the attempt is made once.
 *
 * @throws ConflictError when the delivery is finished, an attempt is under way, its endpoint is not active, or its event's data was
 *   erased
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 * @throws UnavailableError when Temporal is away; nothing was changed
 */
export async function retryDelivery(
  deps: RetryDeliveryDeps,
  { accountId, now }: { accountId: string; now: Date },
  id: string,
): Promise<FoundDelivery> {
  const found = await findDelivery(deps, accountId, id);
  const { destination, ref } = found;
  refuseErased(found.event);
  if (isFinished(destination.state)) {
    throw finished(destination.state);
  }
  const number = destination.attempt_count + 1;
  const [endpoint, isUnderWay] = await Promise.all([
    deps.endpoints.find(ref.endpointId),
    deps.deliveries.isUnderWay({ ...ref, number }),
  ]);
  if (isUnderWay || isClaimed(destination, now)) {
    throw new ConflictError(
      `Attempt ${number} of this delivery is being made right now; wait for its answer.`,
      'attempt_under_way',
    );
  }
  const closed = endpoint && closedBy(endpoint);
  if (closed === 'unverified') {
    throw new ConflictError(
      'The endpoint is not verified; its deliveries continue once its host has answered the challenge.',
      'endpoint_not_verified',
    );
  }
  if (closed) {
    const what = closed === 'suspended' ? 'account' : 'endpoint';
    throw new ConflictError(`The ${what} is ${closed}; resume it to continue its deliveries.`, 'endpoint_not_active');
  }
  await deps.budget.takeRetry(accountId);
  let goesOn: boolean;
  try {
    goesOn = await attemptNow(deps.executions, startOf(found, now));
  } catch (error) {
    deps.budget.giveBack(accountId, 1);
    throw new UnavailableError(
      'Temporal, which makes the deliveries, does not answer; nothing was changed. Try again in a moment.',
      'temporal_unavailable',
      TEMPORAL_RETRY_SECONDS,
      String(error),
    );
  }
  if (!goesOn) {
    deps.budget.giveBack(accountId, 1);
    throw finished('cancelled');
  }
  return found;
}

/**
 * Has an execution make the next attempt of an unfinished delivery now. Rejects while Temporal is away.
 *
 * @returns false if an operator has ended the delivery's last execution in Temporal
 */
export async function attemptNow(executions: RetryDeliveryDeps['executions'], start: StartTask): Promise<boolean> {
  const { firstAttempt: number } = start;
  if (await executions.retryNow(start.ref, number)) return true;
  // It has not started yet, or Temporal lost it. The new execution waits until the attempt is due, unless it is told too.
  if (!(await executions.start(start))) return false;
  await executions.retryNow(start.ref, number);
  return true;
}

function finished(state: DeliveryState): ConflictError {
  return new ConflictError(`This delivery is ${state}; a replay would send it again.`, 'delivery_finished');
}
