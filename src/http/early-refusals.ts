import type { Socket } from 'node:net';
import type { AddressLimiter } from '../limits/address-limiter';
import { limitHeaders, setLimitHeaders } from '../limits/middleware';
import { ESTIMATOR_PATH } from '../estimator/served-operations';
import type { AuthenticateDeps } from './authenticate';
import { peerAddress } from './client-address';
import type { HttpMiddleware } from './request-state';

interface EarlyRefusalDeps {
  readonly authenticate: Pick<AuthenticateDeps, 'authFailures' | 'clientAddress'>;
  readonly estimator: { readonly access: { readonly anonymous: AddressLimiter } };
}

/**
 * Gives every refusal its limit headers (api-spec, "Limits": "on every response"): one from before anybody knew whose
 * request it is has those of the client's address.
 */
export function createEarlyRefusals({ authenticate, estimator }: EarlyRefusalDeps): HttpMiddleware {
  const { authFailures, clientAddress } = authenticate;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
        const limiter = ctx.path.startsWith(ESTIMATOR_PATH) ? estimator.access.anonymous : authFailures;
        setLimitHeaders(ctx, limiter.peek(clientAddress(ctx)));
      }
      throw error;
    }
  };
}

/** Limit headers of an answer to what never became a request. */
export function createPeerLimits({ authFailures }: EarlyRefusalDeps['authenticate']) {
  return (peer: Pick<Socket, 'remoteAddress'>): Record<string, string> =>
    limitHeaders(authFailures.peek(peerAddress(peer)));
}
