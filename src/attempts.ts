import type { ActivityDeps } from '../activities';
import { createAttemptDelivery, type AttemptDelivery } from '../activities/attempt-delivery';
import { createDestinationCap } from '../activities/destination-cap';
import { MAX_PER_DESTINATION } from './domain/delivery-contract';

/** The attempts of this process: those of its worker, and first attempts that go express. */
export interface Attempts extends AttemptDelivery {
  readonly deps: Omit<ActivityDeps, 'heartbeat'>;
}

export function createAttempts(own: Omit<ActivityDeps, 'cap' | 'heartbeat'>): Attempts {
  const deps = { ...own, cap: createDestinationCap(MAX_PER_DESTINATION) };
  return { deps, ...createAttemptDelivery(deps) };
}
