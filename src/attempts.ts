import type { ActivityDeps } from '../activities';
import { createAttemptDelivery, type AttemptDelivery } from '../activities/attempt-delivery';

/** The attempts of this process: those of its worker, and those that go express. */
export interface Attempts extends AttemptDelivery {
  readonly deps: Omit<ActivityDeps, 'heartbeat'>;
}

export function createAttempts(deps: Omit<ActivityDeps, 'heartbeat'>): Attempts {
  return { deps, ...createAttemptDelivery(deps) };
}
