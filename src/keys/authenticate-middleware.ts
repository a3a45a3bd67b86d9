import { productOfApiKey, productOfPath, PRODUCTS } from '../domain/api-key';
import type { ApiKey } from '../domain/api-key-record';
import { ForbiddenError, UnauthorizedError } from '../domain/errors';
import type { AddressLimiter } from '../limits/address-limiter';
import type { Limiter } from '../limits/limiter';
import { setLimitHeaders } from '../limits/middleware';
import { tooManyFailures } from '../limits/refusals';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import type { KeyCache } from './key-cache';

export interface AuthenticateDeps {
  readonly keys: KeyCache;
  readonly limiter: Limiter;
  /** Counts calls without a valid key, in this process only. Valid keys are never affected. */
  readonly authFailures: AddressLimiter;
  readonly clientAddress: (ctx: HttpContext) => string;
}

/**
 * Authenticates the key of `Authorization: Bearer <key>` (RFC 6750): 401 if it is missing, malformed, unknown, revoked
 * or expired; 403 if it is another product's, with a message that names the product it is not authorised for.
 */
export function createAuthenticate(deps: AuthenticateDeps): HttpMiddleware {
  return async (ctx, next) => {
    const header = ctx.get('Authorization');
    if (header === '') {
      const how = 'Send your API key in the header "Authorization: Bearer <API_KEY>".';
      return refuseKey(deps, ctx, new UnauthorizedError(how, 'missing_api_key'));
    }
    const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
    if (key === undefined || !productOfApiKey(key)) {
      const form =
        'The header must be "Authorization: Bearer <API_KEY>", with a key like svc_live_weh_ and 32 hexadecimal digits.';
      return refuseKey(deps, ctx, new UnauthorizedError(form, 'malformed_api_key'));
    }
    const record = await requireKey(deps, ctx, key);
    const product = productOfPath(ctx.path);
    if (product !== undefined && record.product !== product) {
      const view = await deps.limiter.peek(record.account_id);
      if (view) setLimitHeaders(ctx, view);
      throw new ForbiddenError(`This key is not authorized for ${PRODUCTS[product]}.`, 'wrong_product');
    }
    await next();
  };
}

/**
 * Finds the key of a request, and attaches it to the request.
 *
 * @throws UnauthorizedError for an unknown, revoked or expired key
 */
export async function requireKey(deps: AuthenticateDeps, ctx: HttpContext, key: string): Promise<ApiKey> {
  const account = deps.keys.lastKnownAccount(key);
  // While MongoDB is away, the 503 still carries limit headers: the last known ones.
  setLimitHeaders(ctx, (account && deps.limiter.lastKnown(account)) || deps.authFailures.peek(deps.clientAddress(ctx)));
  const found = await deps.keys.find(key, deps.clientAddress(ctx));
  if ('error' in found) return refuseKey(deps, ctx, found.error);
  const { record } = found;
  ctx.state.key = record;
  ctx.state.identify({ account_id: record.account_id, key_id: record._id });
  return record;
}

/** Counts a failure for the client's address. @throws the error, or TooManyRequestsError after too many failures */
export function refuseKey(deps: AuthenticateDeps, ctx: HttpContext, error: UnauthorizedError): never {
  const { view, limited, retryAfterSeconds } = deps.authFailures.count(deps.clientAddress(ctx));
  setLimitHeaders(ctx, view);
  throw limited ? tooManyFailures(view, retryAfterSeconds) : error;
}
