import { ForbiddenError } from '../domain/errors';
import type { HttpMiddleware } from '../http/request-state';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses every unsafe request that does not say that it comes from a page of this very origin (cross-site request
 * forgery). Browsers say so by `Sec-Fetch-Site`, and over plain HTTP, where that is missing, by `Origin`.
 */
export const requireSameOrigin: HttpMiddleware = (ctx, next) => {
  if (SAFE_METHODS.has(ctx.method)) return next();
  const site = ctx.get('Sec-Fetch-Site');
  const isOurs = site === '' ? hostOf(ctx.get('Origin')) === ctx.get('Host').toLowerCase() : site === 'same-origin';
  if (!isOurs) {
    throw new ForbiddenError('This request comes from another site. Use the dashboard itself.', 'cross_site_request');
  }
  return next();
};

/** Host and port of an origin, as a Host header has them; undefined for none and for `null`. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host || undefined : undefined;
}
