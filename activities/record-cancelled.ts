import type { DeliveryActivities, DeliveryRef } from '../src/domain/delivery-contract';
import type { AttemptDeps } from './attempt-delivery';

/** Records that somebody cancelled the execution in Temporal, and lets the next one in the endpoint's line. */
export function createRecordCancelled(deps: AttemptDeps): DeliveryActivities['recordCancelled'] {
  return async (ref: DeliveryRef) => {
    await deps.deliveries.cancel(ref);
    deps.lookAt(ref.endpointId);
  };
}
