import { EVENT_TYPE_RULE, isEventType, isOperationalType } from '../domain/event-pattern';
import { InvalidRequestError, NotFoundError, UnprocessableError } from '../domain/errors';

/** The last part of the path of the OpenAPI document, so no type can have this name. */
const DOCUMENT_NAME = 'openapi.json';

/**
 * The name of an event type that may not exist yet.
 *
 * @throws InvalidRequestError for what is no event type
 * @throws UnprocessableError for a name that Everpost uses
 */
export function readNewName(text: string): string {
  if (!isEventType(text)) {
    const message = `must be ${EVENT_TYPE_RULE}`;
    throw new InvalidRequestError(`"name" ${message}.`, 'invalid_request', [{ path: 'name', message }]);
  }
  if (isOperationalType(text) || text === DOCUMENT_NAME) {
    throw new UnprocessableError(`The name "${text}" is reserved: choose another one.`, 'reserved_event_type');
  }
  return text;
}

/** The error for a type that is not in the catalog. */
export function eventTypeNotFound(name: string): NotFoundError {
  return new NotFoundError(`There is no event type ${name} in the catalog.`, 'event_type_not_found');
}
