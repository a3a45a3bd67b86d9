import type { DeliveryActivities } from '../src/domain/delivery-contract';
import type { ReplayActivities } from '../src/domain/replay-contract';
import type { SignalActivities } from '../src/domain/signal-contract';
import type { AttemptDelivery, AttemptDeps } from './attempt-delivery';
import { createRecordCancelled } from './record-cancelled';
import { createReplayActivities, type ReplayDeps } from './replay-deliveries';
import { createSignalDeliveries, type SignalDeps } from './signal-deliveries';

/** What the activities need. */
export type ActivityDeps = AttemptDeps & SignalDeps & ReplayDeps;

/** The activities with their dependencies, ready for a worker. `make` is the process's own: it makes an attempt once. */
export function createActivities(
  deps: ActivityDeps,
  make: AttemptDelivery['make'],
): DeliveryActivities & SignalActivities & ReplayActivities {
  return {
    attemptDelivery: (input) => make(input),
    recordCancelled: createRecordCancelled(deps),
    ...createSignalDeliveries(deps),
    ...createReplayActivities(deps),
  };
}
