import { ATTEMPTS_COLLECTION, type Attempt } from '../../../src/deliveries/attempt-store';
import type { Mongo } from '../../../src/platform/mongo';

/** A delivery of which an attempt is claimed and not answered. */
export interface ClaimedAttempt {
  readonly eventId: number;
  readonly endpointId: string;
}

/** What is in flight, by the record itself: asked right after a kill, it tells what the dead may have been sending. */
export async function claimedAttempts({ db }: Mongo): Promise<ClaimedAttempt[]> {
  const attempts = db.collection<Attempt>(ATTEMPTS_COLLECTION);
  const open = attempts.find({ answer: { $exists: false } }, { projection: { event_id: 1, endpoint_id: 1 } });
  return open.map(({ event_id: eventId, endpoint_id: endpointId }) => ({ eventId, endpointId })).toArray();
}
