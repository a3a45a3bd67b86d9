import { setTimeout as wait } from 'node:timers/promises';
import type { StoredEvent } from '../record/event-store';
import type { Attempt, StoredAnswer } from '../record/attempt-store';
import type { DeliveryStore } from '../record/delivery-store';

/** What `readHistory` needs. */
export interface ReadHistoryDeps {
  readonly deliveries: Pick<DeliveryStore, 'listAttempts'>;
}

/** An attempt that was answered. */
export type AnsweredAttempt = Attempt & { readonly answer: StoredAnswer };

const LOOKS = 5;
const PAUSE_MS = 50;

/**
 * Reads the attempts that an event's state knows of, in the order they were made. State and answer are written side by
 * side; whoever reads between the two looks again, so that nobody is shown a delivered event without the attempt.
 */
export async function readHistory(
  deps: ReadHistoryDeps,
  event: Pick<StoredEvent, '_id' | 'destinations'>,
): Promise<readonly AnsweredAttempt[]> {
  for (let look = 1; ; look += 1) {
    const attempts = await deps.deliveries.listAttempts(event._id);
    const isWhole = event.destinations.every(
      ({ endpoint_id: endpointId, run, attempt_count: count }) =>
        count === 0 || attempts.some((it) => it.endpoint_id === endpointId && it.run === run && it.number >= count),
    );
    if (isWhole || look === LOOKS) return attempts;
    await wait(PAUSE_MS);
  }
}
