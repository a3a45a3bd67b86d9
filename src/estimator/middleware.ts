import { accountSuspended } from '../domain/account-suspended';
import { productOfApiKey } from '../domain/api-key';
import { UnauthorizedError } from '../domain/errors';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import { unknownKey, type KeyCache } from '../keys/key-cache';
import type { AddressLimiter } from '../limits/address-limiter';
import type { Limiter } from '../limits/limiter';
import { setLimitHeaders } from '../limits/middleware';
import { burstExceeded, tooManyFailures } from '../limits/refusals';
import type { UsageLog } from '../keys/usage-log';
import { ESTIMATOR_OPERATIONS, ESTIMATOR_PATH } from './schema';

export interface EstimatorAccessDeps {
  readonly keys: KeyCache;
  /** Windows of accounts, of the estimator's own: its calls take nothing from the other APIs', nor from the quota. */
  readonly limiter: Limiter;
  /** Windows of callers without a key. */
  readonly anonymous: AddressLimiter;
  readonly authFailures: AddressLimiter;
  readonly usage: UsageLog;
  readonly clientAddress: (ctx: HttpContext) => string;
}

/**
 * Lets anybody in, by address; with `x-api-key`, by the account of the key, whatever its product, and the call is
 * logged as the account's usage. 401 for a key that is none: a caller who has one would not notice that it stopped
 * working.
 */
export function createEstimatorAccess(deps: EstimatorAccessDeps): HttpMiddleware {
  return async (ctx, next) => {
    const key = ctx.req.headers['x-api-key'];
    if (key === undefined) admitAddress(deps, ctx);
    else await admitKey(deps, ctx, String(key));
    await next();
  };
}

function admitAddress({ anonymous, clientAddress }: EstimatorAccessDeps, ctx: HttpContext): void {
  const { limited, view, retryAfterSeconds } = anonymous.count(clientAddress(ctx));
  setLimitHeaders(ctx, view);
  if (limited) throw burstExceeded(view, retryAfterSeconds);
}

async function admitKey(deps: EstimatorAccessDeps, ctx: HttpContext, key: string): Promise<void> {
  if (!productOfApiKey(key)) {
    const form = 'The header x-api-key must be a key like svc_live_weh_ and 32 hexadecimal digits, or be left out.';
    return refuse(deps, ctx, new UnauthorizedError(form, 'malformed_api_key'));
  }
  const address = deps.clientAddress(ctx);
  const lastKnown = deps.keys.lastKnownAccount(key);
  // Should MongoDB be away, the 503 still carries limit headers: the last ones that were known.
  setLimitHeaders(ctx, (lastKnown && deps.limiter.lastKnown(lastKnown)) || deps.authFailures.peek(address));
  const found = await deps.keys.find(key);
  if ('error' in found) return refuse(deps, ctx, found.error);
  const { record } = found;
  const admission = await deps.limiter.admit(record.account_id);
  if (!admission) return refuse(deps, ctx, unknownKey());
  ctx.state.key = record;
  ctx.state.identify({ account_id: record.account_id, key_id: record._id });
  setLimitHeaders(ctx, admission.view);
  if (!admission.admitted && admission.reason === 'suspended') throw accountSuspended();
  if (!admission.admitted) throw burstExceeded(admission.view, admission.retryAfterSeconds);
  // The router takes a slash at the end as well.
  const isServed = ctx.path === ESTIMATOR_PATH || ctx.path === `${ESTIMATOR_PATH}/`;
  const operation = isServed ? ESTIMATOR_OPERATIONS[ctx.method] : undefined;
  if (operation !== undefined) deps.usage.note(record, operation, admission.now);
}

function refuse(deps: EstimatorAccessDeps, ctx: HttpContext, error: UnauthorizedError): never {
  const failure = deps.authFailures.count(deps.clientAddress(ctx));
  setLimitHeaders(ctx, failure.view);
  if (failure.limited) throw tooManyFailures(failure.view, failure.retryAfterSeconds);
  throw error;
}
