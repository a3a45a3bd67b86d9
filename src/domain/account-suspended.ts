import { ForbiddenError } from './errors';

/** What whoever acts for a suspended account is answered, in the API and in the dashboard. */
export function accountSuspended(): ForbiddenError {
  return new ForbiddenError(
    'The operator of this installation suspended this account. Nothing is accepted, and deliveries wait. Ask the operator.',
    'account_suspended',
  );
}
