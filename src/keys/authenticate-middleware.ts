import { productOfApiKey, productOfPath, PRODUCTS } from '../domain/api-key';
import { ForbiddenError, UnauthorizedError } from '../domain/errors';
import type { KeyCache } from './key-cache';
import type { AuthFailureLimiter } from '../limits/auth-failures';
import type { Limiter } from '../limits/limiter';
import { setLimitHeaders } from '../limits/middleware';
import { tooManyFailures } from '../limits/refusals';
import type { HttpContext, HttpMiddleware } from '../http/request-state';

export interface AuthenticateDeps {
  readonly keys: KeyCache;
  readonly limiter: Limiter;
  readonly authFailures: AuthFailureLimiter;
  readonly clientAddress: (ctx: HttpContext) => string;
}

/**
 * Finds the key of `Authorization: Bearer <key>` (RFC 6750): 401 when it is missing, malformed, unknown, revoked or
 * expired; 403 when it is another product's; the message names the product it is not authorised for.
 */
export function createAuthenticate(deps: AuthenticateDeps): HttpMiddleware {
  const refuse = (ctx: HttpContext, error: UnauthorizedError): never => {
    const failure = deps.authFailures.count(deps.clientAddress(ctx));
    setLimitHeaders(ctx, failure.view);
    if (failure.limited) throw tooManyFailures(failure.view, failure.retryAfterSeconds);
    throw error;
  };
  return async (ctx, next) => {
    const header = ctx.get('Authorization');
    if (header === '') {
      const how = 'Send your API key in the header "Authorization: Bearer <API_KEY>".';
      return refuse(ctx, new UnauthorizedError(how, 'missing_api_key'));
    }
    const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
    if (key === undefined || !productOfApiKey(key)) {
      const form =
        'The header must be "Authorization: Bearer <API_KEY>", with a key like svc_live_weh_ and 32 hexadecimal digits.';
      return refuse(ctx, new UnauthorizedError(form, 'malformed_api_key'));
    }
    const account = deps.keys.lastKnownAccount(key);
    // Should MongoDB be away, the 503 still carries limit headers: the last ones that were known.
    setLimitHeaders(
      ctx,
      (account && deps.limiter.lastKnown(account)) || deps.authFailures.peek(deps.clientAddress(ctx)),
    );
    const found = await deps.keys.find(key);
    if ('error' in found) return refuse(ctx, found.error);

    const { record } = found;
    ctx.state.key = record;
    ctx.state.identify({ account_id: record.account_id, key_id: record._id });
    const product = productOfPath(ctx.path);
    if (product !== undefined && record.product !== product) {
      const view = await deps.limiter.peek(record.account_id);
      if (view) setLimitHeaders(ctx, view);
      throw new ForbiddenError(`This key is not authorized for ${PRODUCTS[product]}.`, 'wrong_product');
    }
    await next();
  };
}
