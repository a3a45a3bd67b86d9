import { InvalidRequestError, NotFoundError } from '../domain/errors';

/**
 * Reads the id in a path.
 *
 * @throws InvalidRequestError unless it is an integer
 * @throws NotFoundError for an integer that no event can have
 */
export function parseEventId(text = ''): number {
  if (!/^-?[0-9]+$/.test(text)) {
    const detail = { path: 'event_id', message: 'must be an integer' };
    throw new InvalidRequestError('"event_id" must be an integer.', 'invalid_request', [detail]);
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw eventNotFound();
  return id;
}

/** What is said of an event that is not there, or not the caller's. */
export function eventNotFound(): NotFoundError {
  return new NotFoundError('There is no event with this id.', 'event_not_found');
}
