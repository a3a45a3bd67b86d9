import { findEvent } from '../events/find-events';
import type { RehearsalStore } from '../rehearsals/rehearsal-store';
import { MAX_ATTEMPTS_AT_ONCE, type ErasedDataStore } from '../stores/erased-data-store';
import type { EventStore } from '../stores/event-store';
import { unfinishedOf, wakeCancelled, type WakeDeps } from './wake-cancelled';

/** What erasing one event needs. */
export interface EraseEventDeps extends WakeDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly erasedData: Pick<ErasedDataStore, 'eraseEvents' | 'eraseAttempts'>;
  readonly rehearsals: Pick<RehearsalStore, 'removeAllOf'>;
}

/**
 * Erases the data of one event, with all that was derived from it, and what its receivers answered. Its unfinished
 * deliveries are cancelled first, in the same write. A second call changes nothing.
 *
 * @throws NotFoundError when the account has no such event
 */
export async function eraseEvent(deps: EraseEventDeps, accountId: string, eventId: number): Promise<void> {
  const event = await findEvent(deps, accountId, eventId);
  await deps.erasedData.eraseEvents(accountId, [eventId]);
  await Promise.all([
    // A worker erases the rest of a longer history.
    deps.erasedData.eraseAttempts([eventId], MAX_ATTEMPTS_AT_ONCE),
    // They may hold bodies of the event.
    deps.rehearsals.removeAllOf(accountId),
  ]);
  await wakeCancelled(deps, unfinishedOf([event]));
}
