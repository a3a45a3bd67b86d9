import type { OrderStore } from '../stores/order-store';
import type { RateStore } from '../stores/rate-store';
import type { DeliveryStore } from '../stores/delivery-store';
import { rateOf, type EndpointStore } from '../stores/endpoint-store';
import type { DeliveryOf, StoredEvent } from '../stores/event-store';

/** What finding out about a wait needs. */
export interface FindWaitDeps {
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly order: Pick<OrderStore, 'firstInLine'>;
  readonly rates: Pick<RateStore, 'untilNextTurn'>;
  readonly deliveries: Pick<DeliveryStore, 'countHeldBefore'>;
}

/** What a held delivery waits for, as far as it can be known. */
export interface Wait {
  /** The event that is first in the line of an ordered endpoint. */
  readonly behindEventId: number | null;
  /** About how long the endpoint's rate makes it wait. */
  readonly seconds: number | null;
}

/** More deliveries before one are not counted: their estimate would be hours anyway. About 10 ms of work. */
const MAX_COUNTED = 10_000;

const UNKNOWN: Wait = { behindEventId: null, seconds: null };

/** Finds out what a delivery that is held for its place in the line, or for its endpoint's rate, waits for. */
export async function findWait(deps: FindWaitDeps, { event, destination }: DeliveryOf<StoredEvent>): Promise<Wait> {
  const { endpoint_id: endpointId, held_for: heldFor } = destination;
  if (heldFor === 'in_line') {
    const first = await deps.order.firstInLine({ accountId: event.account_id, endpointId });
    return { ...UNKNOWN, behindEventId: first && first.eventId !== event._id ? first.eventId : null };
  }
  if (heldFor !== 'at_rate') return UNKNOWN;
  const [endpoint, untilTurnMs, before] = await Promise.all([
    deps.endpoints.find(endpointId),
    deps.rates.untilNextTurn(endpointId),
    deps.deliveries.countHeldBefore(endpointId, event.accepted_at, MAX_COUNTED),
  ]);
  const perSecond = endpoint ? rateOf(endpoint) : undefined;
  if (perSecond === undefined || before === MAX_COUNTED) return UNKNOWN;
  return { ...UNKNOWN, seconds: Math.ceil(untilTurnMs / 1_000 + before / perSecond) };
}
