import { ATTEMPTS_COLLECTION, type Attempt } from '../../../src/stores/attempt-store';
import { isFinished } from '../../../src/domain/delivery-state';
import { EVENTS_COLLECTION, type StoredEvent } from '../../../src/stores/event-store';
import type { Mongo } from '../../../src/platform/mongo';

/** A delivery of which an attempt is claimed and not answered. */
export interface ClaimedAttempt {
  readonly eventId: number;
  readonly endpointId: string;
  /** Names the claim: another process's, or of another attempt, has another name. */
  readonly claim: string;
  /** Whether it came with the promise: the process that accepted the event makes the attempt. */
  readonly promised: boolean;
}

/** The attempts in flight by the record: right after a kill, they are what the dead process may have been sending. */
export async function claimedAttempts({ db }: Mongo): Promise<ClaimedAttempt[]> {
  const open = await db
    .collection<Attempt>(ATTEMPTS_COLLECTION)
    .find({ answer: { $exists: false } })
    .toArray();
  const promised = await db
    .collection<StoredEvent>(EVENTS_COLLECTION)
    .find({ 'destinations.claimed_until': { $type: 'date' } })
    .toArray();
  return [
    ...open.map(({ _id: id, event_id: eventId, endpoint_id: endpointId, claimed_by: by }) => ({
      eventId,
      endpointId,
      claim: `${id} ${by}`,
      promised: false,
    })),
    ...promised.flatMap(({ _id: eventId, destinations }) =>
      destinations
        .filter(({ claimed_until: until, state }) => until && !isFinished(state))
        .map(({ endpoint_id: endpointId, claimed_by: by }) => ({
          eventId,
          endpointId,
          claim: `${eventId} ${endpointId} ${by}`,
          promised: true,
        })),
    ),
  ];
}
