import type { Logger } from '../platform/logger';
import type { OrderedEndpoint, OrderStore } from './order-store';
import type { DeliverySignals } from './signal-delivery';

/** Tells the first in line of an ordered endpoint that it may go on. */
export type WakeNext = (endpoint: OrderedEndpoint) => Promise<void>;

/**
 * A signal that is lost is made up for: a held delivery looks again by itself. So this rejects only when MongoDB can't
 * say who is first.
 */
export function createWakeNext(deps: {
  order: OrderStore;
  signals: Pick<DeliverySignals, 'wake'>;
  logger: Logger;
}): WakeNext {
  return async (endpoint) => {
    const first = await deps.order.firstInLine(endpoint);
    if (!first) return;
    // Without a running workflow it is about to be started, and finds itself first then.
    await deps.signals
      .wake(first)
      .catch((error: unknown) => deps.logger.debug({ err: error, ...endpoint }, 'the next in line was not woken'));
  };
}
