import { asHeldNow, type HeldNowDeps } from '../deliveries/find-deliveries';
import { InvalidRequestError, NotFoundError } from '../domain/errors';
import type { PageQuery } from '../platform/cursor';
import { aboutUnknownField, splitSearchValue } from '../domain/search-values';
import type { EventStore, StoredEvent } from '../stores/event-store';
import type { History, HistoryStore } from '../stores/history-store';
import { decodeEventCursor, encodeEventCursor } from '../stores/list-deliveries-store';
import type { EventFilter, EventListStore, ListedEvent } from '../stores/list-events-store';

/** What reading events needs. */
export interface FindEventsDeps extends HeldNowDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly eventLists: Pick<EventListStore, 'page'>;
  readonly histories: Pick<HistoryStore, 'newest'>;
}

/** An event with the newest attempts of all its deliveries. */
export interface EventWithHistory {
  readonly event: StoredEvent;
  readonly history: History;
}

/**
 * Finds an account's event.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account: the answers are the same
 */
export async function findEvent(
  { events }: Pick<FindEventsDeps, 'events'>,
  accountId: string,
  eventId: number,
): Promise<StoredEvent> {
  const event = await events.find(eventId);
  if (!event || event.account_id !== accountId) throw eventNotFound();
  return event;
}

/** Finds an account's event with its newest attempts. @throws NotFoundError as `findEvent` does */
export async function getEvent(deps: FindEventsDeps, accountId: string, eventId: number): Promise<EventWithHistory> {
  const event = await findEvent(deps, accountId, eventId);
  // Read after the event: an answer is written before the state that counts it.
  const [history, heldNow] = await Promise.all([
    deps.histories.newest({
      accountId,
      eventId,
      endpointIds: event.destinations.map(({ endpoint_id: id }) => id),
      isOfEvent: true,
    }),
    asHeldNow(deps, event.destinations),
  ]);
  return { event: { ...event, destinations: event.destinations.map(heldNow) }, history };
}

/**
 * Checks that events can be found by a search value.
 *
 * @param fields the account's search fields
 * @throws InvalidRequestError for another field: an empty list would be mistaken for "no such event"
 */
export function requireSearchField(fields: readonly string[], value: string): void {
  const { field } = splitSearchValue(value);
  if (fields.includes(field)) return;
  const { message, which } = aboutUnknownField(field, fields);
  throw new InvalidRequestError(
    `"data" ${message}. ${which} Set them in the dashboard, under Settings.`,
    'invalid_request',
    [{ path: 'data', message }],
  );
}

/**
 * One page of an account's events, newest first.
 *
 * @returns the page, which may be short although more follow, and the cursor of the next page, or null at the end
 * @throws InvalidRequestError for an invalid cursor
 */
export async function listEvents(
  deps: Pick<FindEventsDeps, 'endpoints' | 'eventLists'>,
  { limit, cursor, ...filter }: EventFilter & PageQuery,
): Promise<{ page: readonly ListedEvent[]; nextCursor: string | null }> {
  const from = cursor === undefined ? undefined : { ...decodeEventCursor('events', cursor), inclusive: false };
  const { events, next } = await deps.eventLists.page(filter, { order: 'newest first', limit, from });
  const heldNow = await asHeldNow(
    deps,
    events.flatMap(({ destinations }) => destinations),
  );
  const page = events.map((event) => ({ ...event, destinations: event.destinations.map(heldNow) }));
  return { page, nextCursor: next && encodeEventCursor('events', { ...next, endpointId: null }) };
}

/** The error for an event that does not exist or is not the caller's. */
export function eventNotFound(): NotFoundError {
  return new NotFoundError('There is no event with this id.', 'event_not_found');
}
