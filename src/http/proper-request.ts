import { InvalidRequestError } from '../domain/errors';
import type { HttpMiddleware } from './request-state';

/** Refuses addresses that Node lets through and nothing can make a path of, such as `http://[::1/x`. */
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

/** Refuses HTTP/1.1 without a Host (RFC 9112, 3.2): here, and not in Node, which would answer without a body. */
export const requireHost: HttpMiddleware = (ctx, next) => {
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new InvalidRequestError('Send a Host header.', 'malformed_request');
  }
  return next();
};
