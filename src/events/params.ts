import { eventIdView } from '../deliveries/schema';
import { InvalidRequestError } from '../domain/errors';
import { eventNotFound } from './find-events';

/** The path of one event. */
export const eventParams = {
  event_id: { schema: eventIdView.meta({ description: 'The event id.', example: 1001 }), read: parseEventId },
};

/**
 * Parses the id in a path.
 *
 * @throws InvalidRequestError unless it is an integer
 * @throws NotFoundError for an integer that no event can have
 */
function parseEventId(text: string): number {
  if (!/^-?[0-9]+$/.test(text)) {
    const detail = { path: 'event_id', message: 'must be an integer' };
    throw new InvalidRequestError('"event_id" must be an integer.', 'invalid_request', [detail]);
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw eventNotFound();
  return id;
}
