import type { RetrySchedule } from '../domain/retry-schedule';
import { reasonToHold, type Endpoint } from '../stores/endpoint-store';
import type { Destination } from '../stores/event-store';
import type { EndpointCapacity } from './endpoint-capacity';

/** Where an event's insert places a destination: `due`, claimed by this process or not, or `held`. */
export type Place = Pick<Destination, 'dispatch' | 'next_attempt_at'> &
  Partial<Pick<Destination, 'held_for' | 'held_at' | 'claimed_by' | 'claimed_until'>>;

/** A destination to place. */
export interface NewPlace {
  readonly endpoint: Endpoint;
  /** Its own schedule; undefined for that of the installation. */
  readonly own: RetrySchedule | undefined;
  /** The database's clock. */
  readonly now: Date;
}

/** What placing a destination needs. */
export interface PlaceDeps {
  readonly capacity: Pick<EndpointCapacity, 'hangs'>;
  readonly schedule: RetrySchedule;
  /** Names this process in claims. */
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * Decides what an event's insert stores for a destination: when its first attempt is due, whether this process makes it,
 * or whether it is held.
 *
 * @param claims whether this process makes the first attempt, if it is due now
 */
export function placeOf(
  { capacity, schedule, owner, leaseMs }: PlaceDeps,
  { endpoint, own, now }: NewPlace,
  claims: boolean,
): Place {
  const [delayMs = 0] = own ?? schedule;
  const due = { dispatch: 'due', next_attempt_at: new Date(now.getTime() + delayMs) } as const;
  // The execution waits first, and meets the gate afterwards.
  if (delayMs > 0) return due;
  const reason = reasonToHold(endpoint, capacity.hangs(endpoint._id));
  if (reason) return { dispatch: 'held', held_for: reason, held_at: now, next_attempt_at: null };
  return claims ? { ...due, claimed_by: owner, claimed_until: new Date(now.getTime() + leaseMs) } : due;
}
