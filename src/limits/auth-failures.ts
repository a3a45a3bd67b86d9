import type { Clock } from '../platform/clock';
import { createAddressLimiter, type AddressLimiter } from './address-limiter';

/** Counts failed authentications by client address, so that guessing keys ends in 429. */
export type AuthFailureLimiter = AddressLimiter;

/** In this process alone: a valid key is never affected, so there is nothing that processes would have to agree on. */
export function createAuthFailureLimiter(deps: { perMinute: number; clock: Clock }): AuthFailureLimiter {
  return createAddressLimiter({ ...deps, quotaLimit: 0 });
}
