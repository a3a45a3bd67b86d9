import type Router from '@koa/router';
import { MethodNotAllowedError } from './http-errors';
import type { HttpMiddleware, RequestState } from './request-state';

/**
 * Serves a router's routes without parameters by one look-up. The router itself tries the pattern of every route for
 * every request; what is not found here is left to it. Such a path is nobody's parameter: `events/batch` with another
 * method is 405, not an event whose id is "batch".
 */
export function createDirectRoutes(router: Router<RequestState>): HttpMiddleware {
  const routes = new Map<string, { pattern: string; handle: HttpMiddleware }>();
  const allowed = new Map<string, string[]>();
  for (const { methods, path, paramNames, stack } of router.stack) {
    const [handle] = stack;
    if (typeof path !== 'string' || paramNames.length > 0 || stack.length !== 1 || !handle) continue;
    for (const method of methods) {
      routes.set(`${method} ${path}`, { pattern: path, handle: handle as HttpMiddleware });
    }
    allowed.set(path, [...(allowed.get(path) ?? []), ...methods].toSorted());
  }
  return (ctx, next) => {
    const route = routes.get(`${ctx.method} ${ctx.path}`);
    if (!route) {
      const methods = allowed.get(ctx.path);
      if (methods) throw new MethodNotAllowedError(ctx.method, methods);
      return next();
    }
    // As the router leaves it, for the access log and for handlers.
    Object.assign(ctx, { _matchedRoute: route.pattern, params: {} });
    return route.handle(ctx, next);
  };
}
