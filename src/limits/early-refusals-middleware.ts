import type { Socket } from 'node:net';
import type { AddressLimiter } from './address-limiter';
import { limitHeaders, setLimitHeaders } from './middleware';
import { peerAddress } from '../http/client-address';
import type { HttpContext, HttpMiddleware } from '../http/request-state';

type Strangers = Pick<AddressLimiter, 'peek'>;

interface EarlyRefusalDeps {
  readonly clientAddress: (ctx: HttpContext) => string;
  /** The limiter of strangers that the path belongs to. */
  readonly limiterOf: (path: string) => Strangers;
}

/**
 * Gives every refusal its limit headers (docs/spec.md, "Limits"): one from before anybody knew whose
 * request it is has those of the client's address.
 */
export function createEarlyRefusals({ clientAddress, limiterOf }: EarlyRefusalDeps): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
        setLimitHeaders(ctx, limiterOf(ctx.path).peek(clientAddress(ctx)));
      }
      throw error;
    }
  };
}

/** Limit headers of an answer to what never became a request. */
export function createPeerLimits(strangers: Strangers) {
  return (peer: Pick<Socket, 'remoteAddress'>): Record<string, string> =>
    limitHeaders(strangers.peek(peerAddress(peer)));
}
