import type { DeliveryActivities } from '../src/domain/delivery-contract';
import type { AttemptDelivery, AttemptDeps } from './attempt-delivery';
import { createRecordCancelled } from './record-cancelled';

/** The activities with their dependencies, ready for a worker. `attempts` are the process's own: each is made once. */
export function createActivities(
  deps: AttemptDeps,
  attempts: Pick<AttemptDelivery, 'make' | 'makeInline'>,
): DeliveryActivities {
  return {
    attemptDelivery: (input) => (input.inline ? attempts.makeInline(input) : attempts.make(input)),
    recordCancelled: createRecordCancelled(deps),
  };
}
