import { UnauthorizedError } from '../domain/errors';
import { portalSuspended } from '../domain/portal-refusals';
import { isPortalCode } from '../domain/portal-token';
import { hashSecret, openToken } from './portal-secrets';
import type { PortalSessionStore } from './portal-session-store';

/** What a page gets for its code. */
export interface SwappedCode {
  readonly token: string;
  readonly endsAt: Date;
  /** The first page. */
  readonly page: string;
}

/**
 * Swaps a code for the token of its session, any number of times within the code's minute: a reload, or a page that is
 * mounted twice, must not fail.
 *
 * @throws UnauthorizedError for a code that is unknown, late or malformed
 * @throws ForbiddenError while the account is suspended
 */
export async function swapCode(
  { portalSessions }: { readonly portalSessions: Pick<PortalSessionStore, 'findByCode'> },
  code: string,
): Promise<SwappedCode> {
  const found = isPortalCode(code) ? await portalSessions.findByCode(hashSecret(code)) : null;
  if (!found) {
    throw new UnauthorizedError(
      'This link is not valid any more: it works for a minute. Open the page again from where you came.',
      'invalid_portal_code',
    );
  }
  const { session, account } = found;
  if (account.suspended_at) throw portalSuspended();
  return { token: openToken(session.sealed_token, code, session._id), endsAt: session.ends_at, page: session.page };
}
