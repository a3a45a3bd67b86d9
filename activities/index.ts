import type { DeliveryActivities } from '../src/domain/delivery-contract';
import type { ReplayActivities } from '../src/domain/replay-contract';
import type { AttemptDelivery, AttemptDeps } from './attempt-delivery';
import { createRecordCancelled } from './record-cancelled';
import { createReplayActivities, type ReplayDeps } from './replay-deliveries';

/** What the activities need. */
export type ActivityDeps = AttemptDeps & ReplayDeps;

/** The activities with their dependencies, ready for a worker. `attempts` are the process's own: each is made once. */
export function createActivities(
  deps: ActivityDeps,
  attempts: Pick<AttemptDelivery, 'make' | 'makeInline'>,
): DeliveryActivities & ReplayActivities {
  return {
    attemptDelivery: (input) => (input.inline ? attempts.makeInline(input) : attempts.make(input)),
    recordCancelled: createRecordCancelled(deps),
    ...createReplayActivities(deps),
  };
}
