import type { ActivityDeps } from '../activities';
import { createAttemptDelivery, type AttemptDelivery } from '../activities/attempt-delivery';
import { createDestinationCap } from '../activities/destination-cap';

/** The attempts of this process: those of its worker, and first attempts that go express. */
export interface Attempts extends AttemptDelivery {
  readonly deps: Omit<ActivityDeps, 'heartbeat'>;
}

/** Requests under way to one endpoint from this process. */
const MAX_PER_DESTINATION = 64;

export function createAttempts(own: Omit<ActivityDeps, 'cap' | 'heartbeat'>): Attempts {
  const deps = { ...own, cap: createDestinationCap(MAX_PER_DESTINATION) };
  return { deps, ...createAttemptDelivery(deps) };
}
