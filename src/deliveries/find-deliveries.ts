import { closedBy, CLOSED_REASONS, type DeliveryRef, type HeldReason } from '../domain/delivery-contract';
import { UNFINISHED_STATES, type DeliveryState } from '../domain/delivery-state';
import { NotFoundError } from '../domain/errors';
import type { AnsweredAttempt } from '../record/attempt-store';
import type { PageQuery } from '../platform/cursor';
import type { DeliveryStore } from '../record/delivery-store';
import { findWait, type FindWaitDeps, type Wait } from './find-wait';
import { reasonToHold, type Endpoint, type EndpointStore } from '../record/endpoint-store';
import type { DeliveryOf, Destination, EventStore, StoredEvent } from '../record/event-store';
import {
  decodeEventCursor,
  encodeEventCursor,
  type DeliveryListFilter,
  type DeliveryListStore,
  type ListedDelivery,
} from '../record/list-deliveries-store';

/** What `asHeldNow` needs. */
export interface HeldNowDeps {
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
}

/** What reading deliveries needs. */
export interface FindDeliveriesDeps extends HeldNowDeps, Omit<FindWaitDeps, 'endpoints' | 'deliveries'> {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'find' | 'findMany'>;
  readonly deliveries: Pick<DeliveryStore, 'listAttempts' | 'countHeldBefore'>;
  readonly deliveryLists: DeliveryListStore;
}

/** A delivery: its event, and the state of its last run. */
export interface FoundDelivery extends DeliveryOf<StoredEvent> {
  /** The last run. */
  readonly ref: DeliveryRef;
}

/** A delivery with the attempts of all its runs, in the order they were made, and what it waits for. */
export interface DeliveryWithHistory extends FoundDelivery {
  readonly attempts: readonly AnsweredAttempt[];
  readonly wait: Wait;
}

/**
 * Finds an account's delivery by its id, `<event_id>.<endpoint_id>`.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account: the answers are the same
 */
export async function findDelivery(
  { events }: Pick<FindDeliveriesDeps, 'events'>,
  accountId: string,
  id: string,
): Promise<FoundDelivery> {
  const [, eventText, endpointId] = /^(\d{1,16})\.(ep_[0-9a-z]{26})$/.exec(id) ?? [];
  const eventId = Number(eventText);
  const event = Number.isSafeInteger(eventId) ? await events.find(eventId) : null;
  const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === endpointId);
  if (!event || !destination || event.account_id !== accountId) {
    throw new NotFoundError('There is no delivery with this id.', 'delivery_not_found');
  }
  return { event, destination, ref: { eventId, endpointId: destination.endpoint_id, run: destination.run } };
}

/** Finds an account's delivery with its attempts. @throws NotFoundError as `findDelivery` does */
export async function getDelivery(
  deps: Omit<FindDeliveriesDeps, 'deliveryLists'>,
  accountId: string,
  id: string,
): Promise<DeliveryWithHistory> {
  const found = await findDelivery(deps, accountId, id);
  // Read after the event: an answer is written before the state that counts it.
  const [attempts, heldNow] = await Promise.all([
    deps.deliveries.listAttempts(found.ref.eventId),
    asHeldNow(deps, [found.destination]),
  ]);
  const own = attempts.filter(({ endpoint_id }) => endpoint_id === found.ref.endpointId);
  const destination = heldNow(found.destination);
  return { ...found, destination, attempts: own, wait: await findWait(deps, { event: found.event, destination }) };
}

/**
 * One page of an account's deliveries, newest first by (time of acceptance, event, endpoint).
 *
 * @returns the page, which may be short although more follow, and the cursor of the next page, or null at the end
 * @throws InvalidRequestError for an invalid cursor
 */
export async function listDeliveries(
  deps: Pick<FindDeliveriesDeps, 'deliveryLists' | 'endpoints'>,
  {
    limit,
    cursor,
    state,
    ...filter
  }: DeliveryListFilter & PageQuery & { readonly state?: DeliveryState | 'open' | undefined },
): Promise<{ page: readonly ListedDelivery[]; nextCursor: string | null }> {
  const { deliveries, next } = await deps.deliveryLists.page(
    { ...filter, states: state === 'open' ? UNFINISHED_STATES : state && [state] },
    { order: 'newest first', limit, from: cursor === undefined ? undefined : decodeEventCursor('deliveries', cursor) },
  );
  const heldNow = await asHeldNow(
    deps,
    deliveries.map(({ destination }) => destination),
  );
  const page = deliveries.map(({ event, destination }) => ({ event, destination: heldNow(destination) }));
  return { page, nextCursor: next && encodeEventCursor('deliveries', next) };
}

/**
 * Finds out why held deliveries wait now. The record stores the reason at the moment when a delivery was held. Pauses,
 * resumes and disabling are stored only in the endpoint, however many deliveries it holds.
 *
 * @returns a function that gives a destination its current reason
 */
export async function asHeldNow(
  deps: HeldNowDeps,
  destinations: readonly Destination[],
): Promise<(destination: Destination) => Destination> {
  const ids = new Set(destinations.filter((it) => it.held_for).map(({ endpoint_id: id }) => id));
  const found = ids.size === 0 ? [] : await deps.endpoints.findMany([...ids]);
  const endpoints = new Map(found.map((endpoint) => [endpoint._id, endpoint]));
  return (destination) => {
    const endpoint = endpoints.get(destination.endpoint_id);
    // A removed endpoint's deliveries are about to be cancelled.
    if (!destination.held_for || !endpoint) return destination;
    return { ...destination, held_for: reasonNow(endpoint, destination.held_for) };
  };
}

/**
 * Why a delivery that is held waits now.
 *
 * @param heldFor why it was held
 */
export function reasonNow(endpoint: Endpoint, heldFor: HeldReason): HeldReason {
  const closed = closedBy(endpoint);
  if (closed) return closed;
  const isResumed = CLOSED_REASONS.some((reason) => reason === heldFor);
  // It continues with the others that wait, as many at a time as the endpoint may have.
  return isResumed ? (reasonToHold(endpoint, false) ?? 'at_cap') : heldFor;
}
