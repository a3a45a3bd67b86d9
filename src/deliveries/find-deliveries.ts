import { NotFoundError } from '../domain/errors';
import { closedBy, CLOSED_REASONS, type DeliveryRef, type HeldReason } from '../domain/delivery-contract';
import { UNFINISHED_STATES, type DeliveryState } from '../domain/delivery-state';
import { decodeCursor, encodeCursor, type PageQuery } from '../platform/cursor';
import type { AnsweredAttempt } from '../stores/attempt-store';
import type { DeliveryStore } from '../stores/delivery-store';
import { findWait, type FindWaitDeps, type Wait } from './find-wait';
import { reasonToHold, type Endpoint, type EndpointStore } from '../stores/endpoint-store';
import type { DeliveryOf, Destination, EventStore, StoredEvent } from '../stores/event-store';
import { positionOf, type History, type HistoryStore } from '../stores/history-store';
import {
  decodeEventCursor,
  encodeEventCursor,
  type DeliveryListFilter,
  type DeliveryListStore,
  type ListedDelivery,
} from '../stores/list-deliveries-store';

/** What `asHeldNow` needs. */
export interface HeldNowDeps {
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
}

/** What reading deliveries needs. */
export interface FindDeliveriesDeps extends HeldNowDeps, Omit<FindWaitDeps, 'endpoints' | 'deliveries'> {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'find' | 'findMany'>;
  readonly deliveries: Pick<DeliveryStore, 'countHeldBefore'>;
  readonly histories: Pick<HistoryStore, 'newest' | 'page'>;
  readonly deliveryLists: DeliveryListStore;
}

/** A delivery: its event, and the state of its last run. */
export interface FoundDelivery extends DeliveryOf<StoredEvent> {
  /** The last run. */
  readonly ref: DeliveryRef;
}

/** A delivery with its newest attempts, and what it waits for. */
export interface DeliveryWithHistory extends FoundDelivery {
  readonly history: History;
  /** Of the list of its attempts, after these; null if these are all. */
  readonly cursor: string | null;
  readonly wait: Wait;
}

/** A page of a delivery's attempts, newest first. */
export interface DeliveryAttempts extends DeliveryOf<StoredEvent> {
  readonly page: readonly AnsweredAttempt[];
  readonly nextCursor: string | null;
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
    throw deliveryNotFound();
  }
  return { event, destination, ref: { eventId, endpointId: destination.endpoint_id, run: destination.run } };
}

/** Finds an account's delivery with its newest attempts. @throws NotFoundError as `findDelivery` does */
export async function getDelivery(
  deps: Omit<FindDeliveriesDeps, 'deliveryLists'>,
  accountId: string,
  id: string,
): Promise<DeliveryWithHistory> {
  const found = await findDelivery(deps, accountId, id);
  // Read after the event: an answer is written before the state that counts it.
  const { eventId, endpointId } = found.ref;
  const [history, heldNow] = await Promise.all([
    deps.histories.newest({ accountId, eventId, endpointIds: [endpointId] }),
    asHeldNow(deps, [found.destination]),
  ]);
  const destination = heldNow(found.destination);
  const wait = await findWait(deps, { event: found.event, destination });
  const { attempts, total } = history;
  const cursor = total > attempts.length ? encodeCursor(ATTEMPTS, positionOf(attempts[0]!)) : null;
  return { ...found, destination, history, cursor, wait };
}

const ATTEMPTS = 'history';

/**
 * One page of the answered attempts of an account's delivery, of all its runs, newest first.
 *
 * @throws NotFoundError as `findDelivery` does
 * @throws InvalidRequestError for an invalid cursor
 */
export async function listDeliveryAttempts(
  deps: Pick<FindDeliveriesDeps, 'events' | 'histories'>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  { limit, cursor }: PageQuery,
): Promise<DeliveryAttempts> {
  const from = cursor === undefined ? undefined : decodeCursor(ATTEMPTS, cursor);
  const { event, destination, ref } = await findDelivery(deps, accountId, id);
  const { attempts, next } = await deps.histories.page({ ...ref, accountId }, { limit, from });
  return { event, destination, page: attempts, nextCursor: next && encodeCursor(ATTEMPTS, next) };
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

/** The error for a delivery that does not exist or is not the caller's. */
export function deliveryNotFound(): NotFoundError {
  return new NotFoundError('There is no delivery with this id.', 'delivery_not_found');
}
