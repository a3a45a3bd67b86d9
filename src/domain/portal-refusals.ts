import { ForbiddenError, UnauthorizedError } from './errors';

/** For a token of the portal that stands for no session: it has ended, or its account is gone. */
export function portalSessionEnded(): UnauthorizedError {
  return new UnauthorizedError(
    'This session has ended, or there is none. Open the page again from where you came.',
    'portal_session_ended',
  );
}

/** For any call of a session whose account is suspended. The customer knows no operator. */
export function portalSuspended(): ForbiddenError {
  return new ForbiddenError(
    'This account is suspended. Nothing is accepted, and deliveries wait.',
    'account_suspended',
  );
}

/** For what only keys may call. */
export function notForPortal(): ForbiddenError {
  return new ForbiddenError("A portal session can't call this.", 'portal_not_allowed');
}

/** For what the role of the session does not include. */
export function roleForbids(): ForbiddenError {
  return new ForbiddenError('Your role does not include this.', 'missing_scope');
}
