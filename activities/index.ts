import type { DeliveryActivities } from '../src/domain/delivery-contract';
import type { AttemptDelivery, AttemptDeps } from './attempt-delivery';

/**
 * The activities with their dependencies, ready for a worker. `attempts` belongs to the process, so each attempt is
 * made once.
 */
export function createActivities(
  deps: Pick<AttemptDeps, 'deliveries' | 'lookAt'>,
  attempts: Pick<AttemptDelivery, 'make' | 'makeInline'>,
): DeliveryActivities {
  return {
    attemptDelivery: (input) => (input.inline ? attempts.makeInline(input) : attempts.make(input)),
    async recordCancelled(ref) {
      await deps.deliveries.cancel(ref);
      // The next delivery in the endpoint's line may be sent.
      deps.lookAt(ref.endpointId);
    },
  };
}
