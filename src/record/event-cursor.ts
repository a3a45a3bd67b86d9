import type { DeliveryPosition } from './list-deliveries-store';
import { decodeCursor, encodeCursor, notACursor } from '../platform/cursor';
import { MAX_SECONDS } from './list-events-store';

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
  const fits = [seconds, Number(ordinal)].every((part) => Number.isInteger(part) && part <= MAX_SECONDS);
  const eventId = Number(event);
  if (!fits || !Number.isSafeInteger(eventId)) throw notACursor();
  return { seconds, ordinal: Number(ordinal), eventId, endpointId: endpointId || null };
}
