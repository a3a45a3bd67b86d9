import { asHeldNow, type HeldNowDeps } from '../deliveries/held-now';
import { readHistory, type AnsweredAttempt, type ReadHistoryDeps } from '../deliveries/read-history';
import { eventNotFound } from './event-id';
import type { EventStore, StoredEvent } from '../record/event-store';

/** What `getEvent` needs. */
export interface GetEventDeps extends ReadHistoryDeps, HeldNowDeps {
  readonly events: EventStore;
}

/** An event with its attempt history. */
export interface EventWithHistory {
  readonly event: StoredEvent;
  readonly attempts: readonly AnsweredAttempt[];
}

/**
 * Finds an account's event with its attempts.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
export async function getEvent(deps: GetEventDeps, accountId: string, eventId: number): Promise<EventWithHistory> {
  const event = await deps.events.find(eventId);
  if (!event || event.account_id !== accountId) throw eventNotFound();
  const [attempts, destinationNow] = await Promise.all([readHistory(deps, event), asHeldNow(deps, event.destinations)]);
  return { event: { ...event, destinations: event.destinations.map(destinationNow) }, attempts };
}
