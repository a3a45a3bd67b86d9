import type Router from '@koa/router';
import { NotFoundError } from '../domain/errors';
import { MethodNotAllowedError } from './http-errors';
import type { HttpMiddleware, RequestState } from './request-state';

/** Answers what no route took: 405 where another method would be right, 404 elsewhere. */
export function createNotFound(router: Router<RequestState>): HttpMiddleware {
  return (ctx) => {
    const { path } = router.match(ctx.path, ctx.method);
    const allowed = [...new Set(path.flatMap(({ methods }) => methods))].sort();
    if (allowed.length > 0) throw new MethodNotAllowedError(ctx.method, allowed);
    throw new NotFoundError(
      'There is nothing at this address. The paths are listed in the documentation.',
      'not_found',
    );
  };
}
