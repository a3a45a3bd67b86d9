import { isFinished } from '../domain/delivery-state';
import {
  MAX_SECONDS,
  positionOf,
  type DeliveryFilter,
  type EventFilter,
  type EventListStore,
  type EventPosition,
  type EventRange,
  type ListedEvent,
} from './list-events-store';
import type { DeliveryOf, Destination } from './event-store';
import { decodeCursor, encodeCursor, notACursor } from '../platform/cursor';

/** A delivery with the fields of its event that lists show. */
export type ListedDelivery = DeliveryOf<ListedEvent>;

/** A position in a list of deliveries: ordered by their event's position, then by endpoint. */
export interface DeliveryPosition extends EventPosition {
  /** Null after all deliveries of the event. */
  readonly endpointId: string | null;
}

/** Selects deliveries, all of an account or those that match. */
export type DeliveryListFilter = Omit<EventFilter, 'status' | 'delivery'> & DeliveryFilter;

/** The part of a list of deliveries to read. */
export type DeliveryRange = Omit<EventRange, 'from'> & { readonly from?: DeliveryPosition | undefined };

/** A page of deliveries. */
export interface DeliveryPage {
  readonly deliveries: readonly ListedDelivery[];
  /** Null if nothing follows the page. A short page may have more after it. */
  readonly next: DeliveryPosition | null;
}

export type DeliveryListStore = ReturnType<typeof createDeliveryListStore>;

/** Lists deliveries of an account, using the lists of its events. */
export function createDeliveryListStore(eventLists: Pick<EventListStore, 'page'>) {
  return {
    async page(
      { accountId, eventId, type, after, before, ...delivery }: DeliveryListFilter,
      { order, limit, from }: DeliveryRange,
    ): Promise<DeliveryPage> {
      const page = await eventLists.page(
        { accountId, eventId, type, after, before, delivery },
        // The event at the position may have more deliveries after it, or none.
        { order, limit: limit + 1, from: from && { ...from, inclusive: from.endpointId !== null } },
      );
      const fitting = page.events
        .flatMap((event) => deliveriesOf(event, delivery, order))
        .filter((it) => !from || isBehind(it, from, order));
      const deliveries = fitting.slice(0, limit);
      const last = deliveries.at(-1);
      if (fitting.length > limit && last) {
        return { deliveries, next: { ...positionOf(last.event), endpointId: last.destination.endpoint_id } };
      }
      return { deliveries, next: page.next && { ...page.next, endpointId: null } };
    },
  };
}

function deliveriesOf(event: ListedEvent, filter: DeliveryFilter, order: EventRange['order']): ListedDelivery[] {
  const sign = order === 'newest first' ? -1 : 1;
  return event.destinations
    .filter((destination) => fits(destination, filter))
    .sort((one, other) => (one.endpoint_id < other.endpoint_id ? -sign : sign))
    .map((destination) => ({ event, destination }));
}

/** Whether this destination matches: the query only found events with some matching destination. */
function fits(it: Destination, filter: DeliveryFilter): boolean {
  const { endpointId, states, completedFrom, completedTo, replayJob } = filter;
  if (replayJob !== undefined && it.replay_job !== replayJob) return false;
  if (endpointId !== undefined && it.endpoint_id !== endpointId) return false;
  if (states && !states.includes(it.state)) return false;
  if (!completedFrom && !completedTo) return true;
  const at = isFinished(it.state) ? it.completed_at : null;
  return at !== null && (!completedFrom || at >= completedFrom) && (!completedTo || at <= completedTo);
}

function isBehind({ event, destination }: ListedDelivery, from: DeliveryPosition, order: EventRange['order']): boolean {
  if (event._id !== from.eventId || from.endpointId === null) return true;
  return order === 'newest first'
    ? destination.endpoint_id < from.endpointId
    : destination.endpoint_id > from.endpointId;
}

type EventList = 'events' | 'deliveries';

/** Makes an opaque cursor, of a list of events or of their deliveries. */
export function encodeEventCursor(
  list: EventList,
  { seconds, ordinal, eventId, endpointId }: DeliveryPosition,
): string {
  const id = [ordinal, eventId, endpointId ?? ''].join('.');
  return encodeCursor(list, { createdAt: new Date(seconds * 1_000), id });
}

/** @throws InvalidRequestError for anything that `encodeEventCursor` did not make for this list */
export function decodeEventCursor(list: EventList, cursor: string): DeliveryPosition {
  const { createdAt, id } = decodeCursor(list, cursor);
  const [, ordinal, event, endpointId] = /^(\d{1,10})\.(\d{1,16})\.([a-z0-9_]{0,40})$/.exec(id) ?? [];
  const seconds = createdAt.getTime() / 1_000;
  const isPossible = [seconds, Number(ordinal)].every((part) => Number.isInteger(part) && part <= MAX_SECONDS);
  const eventId = Number(event);
  if (!isPossible || !Number.isSafeInteger(eventId)) throw notACursor();
  return { seconds, ordinal: Number(ordinal), eventId, endpointId: endpointId || null };
}
