import { createAttemptDelivery, type AttemptDelivery, type AttemptDeps } from '../../activities/attempt-delivery';

/** The attempts of this process: those of its worker, and those that go express. */
export interface Attempts extends AttemptDelivery {
  readonly deps: AttemptDeps;
}

export function createAttempts(deps: AttemptDeps): Attempts {
  return { deps, ...createAttemptDelivery(deps) };
}
