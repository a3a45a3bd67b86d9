import { ForbiddenError } from './errors';

/** The error for any action of a suspended account, in the API and in the dashboard. */
export function accountSuspended(): ForbiddenError {
  return new ForbiddenError(
    'The operator of this installation suspended this account. Nothing is accepted, and deliveries wait. Ask the operator.',
    'account_suspended',
  );
}
