import type { DeliveryActivities } from '../src/domain/delivery-contract';
import { createAttemptDelivery, type AttemptDeps } from './attempt-delivery';
import { createRecordAttempt } from './record-attempt';

/** The activities with their dependencies, ready for a worker. */
export function createActivities(deps: AttemptDeps): DeliveryActivities {
  return {
    attemptDelivery: createAttemptDelivery(deps),
    recordAttempt: createRecordAttempt(deps.deliveries),
    recordCancelled: async (ref) => void (await deps.deliveries.cancel(ref)),
  };
}
