import { logFieldsOf } from '../domain/delivery-contract';
import { isFinished } from '../domain/delivery-state';
import { ConflictError } from '../domain/errors';
import type { Executions } from '../engine/executions';
import type { EventStore } from '../stores/event-store';
import type { GateStore } from '../stores/gate-store';
import type { Logger } from '../platform/logger';
import { findDelivery, type FoundDelivery } from './find-deliveries';
import type { DeliveryStore } from '../stores/delivery-store';

/** What `cancelDelivery` needs. */
export interface CancelDeliveryDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'cancel'>;
  readonly executions: Pick<Executions, 'cancel'>;
  readonly gates: Pick<GateStore, 'open'>;
  readonly logger: Logger;
}

/**
 * Ends an unfinished delivery: it makes no further attempt. An attempt under way still gets its answer, and a 2xx
 * answer wins: the delivery is then `delivered`.
 *
 * @throws ConflictError when the delivery is finished
 */
export async function cancelDelivery(deps: CancelDeliveryDeps, accountId: string, id: string): Promise<FoundDelivery> {
  const { ref } = await findDelivery(deps, accountId, id);
  const isCancelled = await deps.deliveries.cancel(ref);
  const found = await findDelivery(deps, accountId, id);
  if (!isCancelled) {
    const { state } = found.destination;
    throw new ConflictError(
      isFinished(state)
        ? `This delivery is ${state} already.`
        : 'This delivery was replayed at this moment; try again.',
      isFinished(state) ? 'delivery_finished' : 'delivery_changed',
    );
  }
  // The next delivery in the endpoint's line may be sent.
  await deps.gates.open(ref.endpointId);
  // The record decides. A workflow that misses the signal reads the record before its next attempt.
  await deps.executions.cancel(ref).catch((error: unknown) => {
    deps.logger.info({ err: error, ...logFieldsOf(ref) }, 'a cancelled delivery was not woken');
  });
  return found;
}
