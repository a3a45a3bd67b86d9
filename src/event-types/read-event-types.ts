import { isEventType } from '../domain/event-pattern';
import { NotFoundError } from '../domain/errors';
import { notACursor, type PageQuery } from '../platform/cursor';
import { eventTypeNotFound } from './event-type-name';
import type { EventType, EventTypeFilter, EventTypeStore, ListedEventType } from './event-type-store';

/** What reading the catalog needs. */
export interface ReadCatalogDeps {
  readonly eventTypes: Pick<EventTypeStore, 'find' | 'findVersion' | 'page' | 'all'>;
}

/**
 * Finds an event type.
 *
 * @param version an earlier one; undefined for the current one
 * @throws NotFoundError if there is no such type, or no such version
 */
export async function getEventType(
  { eventTypes }: ReadCatalogDeps,
  name: string,
  version?: number,
): Promise<Omit<EventType, 'revision'>> {
  const type = await eventTypes.find(name);
  if (!type) throw eventTypeNotFound(name);
  if (version === undefined || version === type.version) return type;
  const past = await eventTypes.findVersion(name, version);
  if (past) return past;
  throw new NotFoundError(
    `The event type ${name} has no version ${version}, or no longer. Its current one is ${type.version}.`,
    'event_type_not_found',
  );
}

/** The same for those who send and receive events: an archived type is none. */
export async function getTypeInUse(
  ...[deps, name]: Parameters<typeof getEventType>
): Promise<Omit<EventType, 'revision'>> {
  const type = await getEventType(deps, name);
  if (type.archived) throw eventTypeNotFound(name);
  return type;
}

/**
 * One page of the event types that match, by name.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
export async function listEventTypes(
  { eventTypes }: ReadCatalogDeps,
  filter: EventTypeFilter,
  { limit, cursor }: PageQuery,
): Promise<{ readonly page: readonly ListedEventType[]; readonly nextCursor: string | null }> {
  const found = await eventTypes.page(filter, limit + 1, cursor === undefined ? undefined : nameOf(cursor));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: found.length > limit && last ? cursorOf(last._id) : null };
}

const LIST = 'event_types';

function cursorOf(name: string): string {
  return Buffer.from(`${LIST} ${name}`).toString('base64url');
}

function nameOf(cursor: string): string {
  const [list, name, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (list !== LIST || name === undefined || !isEventType(name) || rest.length > 0) throw notACursor();
  return name;
}

/** All types in use, by name. The limits of the catalog are those of this list. */
export function allEventTypes({ eventTypes }: ReadCatalogDeps): Promise<readonly EventType[]> {
  return eventTypes.all();
}
