import { asHeldNow, type HeldNowDeps } from '../deliveries/find-deliveries';
import { findEndpoint } from '../endpoints/find-endpoints';
import type { Condition } from '../endpoints/judge-filter';
import type { FilterBudget } from '../limits/filter-budget';
import type { Endpoint, EndpointStore } from '../stores/endpoint-store';
import { dataOf } from '../stores/event-data';
import type { Destination, EventStore, StoredEvent } from '../stores/event-store';
import { findEvent } from './find-events';
import { costOfFilters, filterOf, hasPatternFor } from './match-destinations';

/** What explaining needs. */
export interface ExplainDeps extends HeldNowDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'find' | 'findMany'>;
  readonly filterBudget: Pick<FilterBudget, 'take' | 'run'>;
}

/** Why an endpoint did not get an event. */
export const NO_DELIVERY_REASONS = [
  'created_later',
  'type_not_matched',
  'filter_refused',
  'test_event',
  'matches_now',
] as const;
export type NoDeliveryReason = (typeof NO_DELIVERY_REASONS)[number];

/** An event's delivery to an endpoint, or why there is none. */
export interface Explanation {
  readonly event: StoredEvent;
  readonly endpoint: Endpoint;
  readonly destination: Destination | undefined;
  /** Empty if there is a delivery. */
  readonly reasons: readonly NoDeliveryReason[];
  /** The conditions of the filter by which it refuses the event. */
  readonly refusedBy: readonly Condition[];
  /** Patterns and filter may have been others when the event was accepted. */
  readonly changedSince: boolean;
}

/**
 * Explains why an endpoint got an event or not, by its present patterns and filter: earlier ones are not stored.
 *
 * @throws NotFoundError when the account has no such event or endpoint
 * @throws ConflictError when the filter decided, and the event's data was erased
 * @throws UnprocessableError, TooManyRequestsError when the filter would take too long
 */
export async function explainEndpoint(
  deps: ExplainDeps,
  accountId: string,
  { eventId, endpointId }: { readonly eventId: number; readonly endpointId: string },
): Promise<Explanation> {
  const event = await findEvent(deps, accountId, eventId);
  const endpoint = await findEndpoint(deps, accountId, endpointId);
  const acceptedMs = event.accepted_at.t * 1_000;
  const about = {
    event,
    endpoint,
    changedSince: Boolean(endpoint.version) && endpoint.updated_at.getTime() >= acceptedMs,
  };
  const destination = event.destinations.find(({ endpoint_id: id }) => id === endpointId);
  if (destination) {
    const heldNow = await asHeldNow(deps, [destination]);
    return { ...about, destination: heldNow(destination), reasons: [], refusedBy: [] };
  }
  if (event.destinations.some(({ test }) => test))
    return { ...about, destination, reasons: ['test_event'], refusedBy: [] };
  const refusedBy = await conditionsThatRefuse(deps, endpoint, event);
  const isCreatedAfter = (ms: number): boolean => endpoint.created_at.getTime() >= ms;
  const reasons: NoDeliveryReason[] = [];
  // The time of acceptance is stored to the second.
  if (isCreatedAfter(acceptedMs + 1_000)) reasons.push('created_later');
  if (!hasPatternFor(endpoint, event.type)) reasons.push('type_not_matched');
  if (refusedBy.length > 0) reasons.push('filter_refused');
  if (reasons.length === 0) reasons.push(isCreatedAfter(acceptedMs) ? 'created_later' : 'matches_now');
  return { ...about, destination, reasons, refusedBy };
}

/** @returns the conditions by which the endpoint's filter refuses the event; empty if it doesn't */
async function conditionsThatRefuse(
  { filterBudget }: ExplainDeps,
  endpoint: Endpoint,
  event: StoredEvent,
): Promise<readonly Condition[]> {
  const filter = filterOf(endpoint);
  if (!filter) return [];
  const data = dataOf(event);
  const cost = costOfFilters([endpoint], data);
  const { refusals, end } = filterBudget.take(event.account_id, [cost]);
  try {
    if (refusals[0]) throw refusals[0];
    const verdict = await filterBudget.run(cost.work, () => filter.judge(JSON.parse(data.toString('utf8'))));
    return verdict.matches ? [] : verdict.decidedBy;
  } finally {
    end();
  }
}
