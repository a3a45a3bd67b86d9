import { isFinished } from '../domain/delivery-state';
import { ConflictError } from '../domain/errors';
import { MAX_RUNS } from '../domain/replay-contract';
import type { Dispatcher } from '../engine/dispatcher';
import { startOf } from '../engine/task';
import type { EndpointStore } from '../stores/endpoint-store';
import { refuseErased } from '../stores/event-data';
import type { EventStore } from '../stores/event-store';
import type { DeliveryBudget } from '../limits/delivery-budget';
import { findDelivery, type FoundDelivery } from './find-deliveries';
import type { DeliveryStore } from '../stores/delivery-store';

/** What `replayDelivery` needs. */
export interface ReplayDeliveryDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'replay'>;
  /** The sweeper starts what the dispatcher refuses. */
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly budget: Pick<DeliveryBudget, 'takeNow' | 'giveBack'>;
}

/**
 * Sends a finished delivery again: a new run with a full schedule. Of two concurrent calls, one starts it and the other
 * learns that the delivery is not finished. A paused endpoint gets it after the resume.
 *
 * @throws ConflictError when the delivery is not finished, has `MAX_RUNS` runs, its endpoint was removed, or its event's data erased
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 */
export async function replayDelivery(
  deps: ReplayDeliveryDeps,
  { accountId, now }: { accountId: string; now: Date },
  id: string,
): Promise<FoundDelivery> {
  const { event, destination, ref } = await findDelivery(deps, accountId, id);
  refuseErased(event);
  if (!isFinished(destination.state)) throw notFinished();
  if (destination.run >= MAX_RUNS) {
    throw new ConflictError(
      `This delivery has had ${MAX_RUNS} runs, which is the limit. Ingest its data as a new event to send it again.`,
      'run_limit_reached',
    );
  }
  if (!(await deps.endpoints.find(ref.endpointId))) {
    throw new ConflictError(
      'The endpoint of this delivery was removed; there is nowhere to send it.',
      'endpoint_removed',
    );
  }
  await deps.budget.takeNow(accountId, 1);
  const fresh = await deps.deliveries.replay(ref);
  if (!fresh) {
    deps.budget.giveBack(accountId, 1);
    refuseErased((await findDelivery(deps, accountId, id)).event);
    throw notFinished();
  }
  const begun = { ...destination, state: 'pending', attempt_count: 0, next_attempt_at: now, run: fresh.run } as const;
  deps.dispatcher.dispatch(startOf({ event, destination: begun }, now));
  return findDelivery(deps, accountId, id);
}

function notFinished(): ConflictError {
  return new ConflictError('This delivery is not finished; retry makes its next attempt now.', 'delivery_not_finished');
}
