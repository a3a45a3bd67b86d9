import { accountParams } from '../account-lifecycle/params';
import { addOperation } from '../http/operation';
import type { HttpContext } from '../http/request-state';
import type { Api } from '../http/route';
import { openPortal, type OpenPortalDeps } from './open-portal';
import { portalSessionBody, portalSessionView } from './schema';
import { portalUrl } from './start-portal-session';

/** What the operation that opens the portal needs. */
export interface PortalRouteDeps extends OpenPortalDeps {
  /** The URL under which browsers reach this server; undefined if not configured. */
  readonly publicUrl: string | undefined;
}

/** Adds the operation that opens the portal for a customer. */
export function addPortalRoutes(api: Api, deps: PortalRouteDeps): void {
  addOperation(
    api,
    {
      id: 'createPortalSession',
      method: 'post',
      path: '/api/v1/accounts/{external_id}/portal-sessions',
      scopes: ['portal:write'],
      forInstallation: true,
      tag: { name: 'Portal', description: "Your customers' own pages: their endpoints, events and deliveries." },
      summary: 'Open the portal',
      description:
        'Starts a session of the portal for a customer of yours, whom you have signed in. Send the browser to `url`, or ' +
        'frame it; or use `token` in pages of your own. Calls of the session do not use up the quota of the account.',
      params: accountParams,
      body: portalSessionBody,
      bodyExample: { role: 'manager', subject: 'user_42' },
      recordsItself: true,
      answers: {
        201: {
          description: 'The session. Nothing shows its token again.',
          schema: portalSessionView,
          example: {
            url: 'https://hooks.example.com/portal#h1Xf0Y3pQy7mC5Zt2vN8kR4sW6bD9gJ1aL0eU-iOqTw',
            token: 'svc_portal_Zt2vN8kR4sW6bD9gJ1aL0eU-iOqTwh1Xf0Y3pQy7mC5',
            expires_at: '2026-11-21T13:00:00.000Z',
          },
        },
      },
      errors: { 403: 'The account is suspended.', 404: 'There is no such account.' },
      errorExamples: { 404: { error: 'There is no account cus_42.', code: 'account_not_found' } },
    },
    async ({ params, body, caller: { actor, address }, ctx }) => {
      const { role, subject, page, expires_in_s: lifetimeSeconds } = body;
      const started = await openPortal(
        deps,
        params.external_id,
        { role, subject, page, lifetimeSeconds },
        { actor, address },
      );
      return {
        url: portalUrl(deps.publicUrl ?? addressOf(ctx), started),
        token: started.token,
        expires_at: started.endsAt.toISOString(),
      };
    },
  );
}

/** The address that this request was sent to: TLS ends at a proxy, which says so. */
function addressOf(ctx: HttpContext): string {
  const isSecure = ctx.get('X-Forwarded-Proto').toLowerCase() === 'https';
  return `${isSecure ? 'https' : 'http'}://${ctx.get('Host')}`;
}
