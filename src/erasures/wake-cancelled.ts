import type { DeliveryRef } from '../domain/delivery-contract';
import { isFinished } from '../domain/delivery-state';
import type { Executions } from '../engine/executions';
import { inParallel } from '../platform/concurrency-limit';
import type { Logger } from '../platform/logger';
import type { StoredEvent } from '../stores/event-store';
import type { GateStore } from '../stores/gate-store';

/** What waking needs. */
export interface WakeDeps {
  readonly executions: Pick<Executions, 'cancel'>;
  readonly gates: Pick<GateStore, 'open'>;
  readonly logger: Logger;
}

const SIGNALS_IN_FLIGHT = 16;

/** The deliveries that an erasure of these events cancels. */
export function unfinishedOf(events: readonly Pick<StoredEvent, '_id' | 'destinations'>[]): DeliveryRef[] {
  return events.flatMap(({ _id: eventId, destinations }) =>
    destinations
      .filter(({ state }) => !isFinished(state))
      .map(({ endpoint_id: endpointId, run }) => ({ eventId, endpointId, run })),
  );
}

/**
 * Wakes what waits for deliveries that were cancelled: their executions, and the next ones in their endpoints' lines. The
 * record decides: an execution that misses its signal reads the record before its next attempt. So this never fails, and
 * gives up when Temporal is away.
 */
export async function wakeCancelled(deps: WakeDeps, refs: readonly DeliveryRef[]): Promise<void> {
  let failure: unknown;
  const cancel = async (ref: DeliveryRef): Promise<void> => {
    if (failure !== undefined) return;
    await deps.executions.cancel(ref).catch((error: unknown) => (failure ??= error));
  };
  await Promise.all([
    inParallel(refs, SIGNALS_IN_FLIGHT, cancel),
    inParallel([...new Set(refs.map(({ endpointId }) => endpointId))], SIGNALS_IN_FLIGHT, deps.gates.open),
  ]);
  if (failure !== undefined) deps.logger.info({ err: failure }, 'cancelled deliveries of erased events were not woken');
}
