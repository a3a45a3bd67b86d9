import { InvalidRequestError } from '../domain/errors';
import type { IsAllowedHost } from '../platform/allowed-hosts';
import { MisdirectedError } from './http-errors';
import type { HttpMiddleware } from './request-state';

/** Refuses URLs that Node accepts but that have no valid path, such as `http://[::1/x`. */
export const requireAddress: HttpMiddleware = (ctx, next) => {
  if (!hasPath(ctx)) throw new InvalidRequestError('The address of the request is not valid.', 'malformed_request');
  return next();
};

function hasPath(ctx: { readonly path: unknown }): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

/** Headers whose second copy would be ignored here, but might be used by a proxy. */
const SINGLE = ['host', 'authorization', 'x-api-key', 'content-type'];

/** Refuses duplicates of headers that a request has once (RFC 9110, 5.3). */
export const requireSingleHeaders: HttpMiddleware = (ctx, next) => {
  const twice = SINGLE.find((name) => ctx.req.valuesOf(name).length > 1);
  if (twice !== undefined) {
    throw new InvalidRequestError(`Send the "${twice}" header once.`, 'malformed_request');
  }
  return next();
};

/**
 * Refuses requests under other servers' names, as from a page of another site whose name resolves to this server (DNS
 * rebinding).
 */
export function createRequireAllowedHost(isAllowed: IsAllowedHost): HttpMiddleware {
  return (ctx, next) => {
    const { host } = ctx.req.headers;
    if (host === undefined || isAllowed(host)) return next();
    throw new MisdirectedError(
      'This server does not answer for the name in the Host header. Its operator lists its names in ALLOWED_HOSTS.',
      'host_not_allowed',
    );
  };
}

/** Refuses HTTP/1.1 without a Host (RFC 9112, 3.2): here and not in Node, which would answer without a body. */
export const requireHost: HttpMiddleware = (ctx, next) => {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new InvalidRequestError('Send a Host header.', 'malformed_request');
  }
  return next();
};

/** The same outside of `/api/`. Under it, the answer to a missing or wrong key comes before this one. */
export const requireHostOfPages: HttpMiddleware = (ctx, next) => {
  return ctx.path.startsWith('/api/') ? next() : requireHost(ctx, next);
};
