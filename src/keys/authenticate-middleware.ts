import { productOfApiKey, productOfPath, PRODUCTS } from '../domain/api-key';
import type { ApiKey } from '../domain/api-key-record';
import { ForbiddenError, UnauthorizedError } from '../domain/errors';
import { notForPortal } from '../domain/portal-refusals';
import { isForPortal } from '../domain/portal-token';
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

/** Makes the session of a portal's token the caller. Throws UnauthorizedError if there is none. */
type FindPortalSession = (ctx: HttpContext, token: string) => Promise<void>;

/**
 * Authenticates the key of `Authorization: Bearer <key>` (RFC 6750): 401 if it is missing, malformed, unknown, revoked
 * or expired; 403 if it is another product's, with a message that names the product it is not authorised for. A token
 * of the portal stands for its session.
 */
export function createAuthenticate(deps: AuthenticateDeps, findPortalSession: FindPortalSession): HttpMiddleware {
  return async (ctx, next) => {
    const header = ctx.get('Authorization');
    if (header === '') {
      const how = 'Send your API key in the header "Authorization: Bearer <API_KEY>".';
      return refuseKey(deps, ctx, new UnauthorizedError(how, 'missing_api_key'));
    }
    const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
    if (key !== undefined && isForPortal(key)) {
      await requirePortal(deps, ctx, () => findPortalSession(ctx, key));
      return next();
    }
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

/** @throws UnauthorizedError without a session, ForbiddenError outside of what the portal may call */
async function requirePortal(deps: AuthenticateDeps, ctx: HttpContext, find: () => Promise<void>): Promise<void> {
  if (productOfPath(ctx.path) === undefined) throw notForPortal();
  try {
    await find();
  } catch (error) {
    throw error instanceof UnauthorizedError ? refuseKey(deps, ctx, error) : error;
  }
}

/** Counts a failure for the client's address. @throws the error, or TooManyRequestsError after too many failures */
export function refuseKey(
  deps: Pick<AuthenticateDeps, 'authFailures' | 'clientAddress'>,
  ctx: HttpContext,
  error: UnauthorizedError,
): never {
  const { view, limited, retryAfterSeconds } = deps.authFailures.count(deps.clientAddress(ctx));
  setLimitHeaders(ctx, view);
  throw limited ? tooManyFailures(view, retryAfterSeconds) : error;
}
