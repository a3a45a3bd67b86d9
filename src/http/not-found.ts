import type Router from '@koa/router';
import { NotFoundError } from '../domain/errors';
import { MethodNotAllowedError } from './http-errors';
import type { Operation } from './route';
import type { HttpContext, HttpMiddleware, RequestContext, RequestState } from './request-state';

const READ = ['GET', 'HEAD'];

/**
 * Answers 405 for other methods on paths without parameters, before the router runs: `GET …/events/batch` is not a
 * request for an event with the id "batch".
 */
export function createRequireMethod(operations: readonly Operation[]): HttpMiddleware {
  const allowed = new Map<string, string[]>();
  for (const { path, method } of operations) {
    if (path.includes('{')) continue;
    const methods = method === 'get' ? READ : [method.toUpperCase()];
    allowed.set(path, [...(allowed.get(path) ?? []), ...methods].toSorted());
  }
  return (ctx, next) => {
    // The router accepts a slash at the end.
    const methods = allowed.get(ctx.path.replace(/\/$/, ''));
    if (methods && !methods.includes(ctx.method)) throw new MethodNotAllowedError(ctx.method, methods);
    return next();
  };
}

/** @throws MethodNotAllowedError unless the request only reads */
export function requireRead(ctx: HttpContext): void {
  if (!READ.includes(ctx.method)) throw new MethodNotAllowedError(ctx.method, READ);
}

/** Answers requests without a route: 405 if another method exists for the path, otherwise 404. */
export function createNotFound(router: Router<RequestState, RequestContext>): HttpMiddleware {
  return (ctx) => {
    const { path } = router.match(ctx.path, ctx.method);
    const allowed = [...new Set(path.flatMap(({ methods }) => methods))].sort();
    if (allowed.length > 0) throw new MethodNotAllowedError(ctx.method, allowed);
    throw new NotFoundError(
      'There is nothing at this address. The paths are at /docs and in /openapi.json.',
      'not_found',
    );
  };
}
