import { asHeldNow, type HeldNowDeps } from '../deliveries/held-now';
import type { EventStatus } from '../domain/delivery-state';
import { decodeEventCursor, encodeEventCursor } from '../record/event-cursor';
import type { EventListStore, ListedEvent } from '../record/list-events-store';

/** What `listEvents` needs. */
export interface ListEventsDeps extends HeldNowDeps {
  readonly eventLists: Pick<EventListStore, 'page'>;
}

export interface ListEventsQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly type?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly status?: EventStatus | undefined;
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
}

/**
 * One page of an account's events, newest first.
 *
 * @returns the page, which may be short although more follow, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listEvents(
  deps: ListEventsDeps,
  accountId: string,
  { limit, cursor, ...filter }: ListEventsQuery,
): Promise<{ page: readonly ListedEvent[]; nextCursor: string | null }> {
  const from = cursor === undefined ? undefined : { ...decodeEventCursor('events', cursor), inclusive: false };
  const { events, next } = await deps.eventLists.page({ accountId, ...filter }, { order: 'newest first', limit, from });
  const now = await asHeldNow(
    deps,
    events.flatMap(({ destinations }) => destinations),
  );
  const page = events.map((event) => ({ ...event, destinations: event.destinations.map(now) }));
  return { page, nextCursor: next && encodeEventCursor('events', { ...next, endpointId: null }) };
}
