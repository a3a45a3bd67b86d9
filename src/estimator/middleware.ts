import { accountSuspended } from '../domain/account-suspended';
import { productOfApiKey } from '../domain/api-key';
import { UnauthorizedError } from '../domain/errors';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import { refuseKey, requireKey, type AuthenticateDeps } from '../keys/authenticate-middleware';
import { unknownKey } from '../keys/key-cache';
import type { AddressLimiter } from '../limits/address-limiter';
import { setLimitHeaders } from '../limits/middleware';
import { burstExceeded } from '../limits/refusals';
import type { UsageLog } from '../keys/usage-log';
import { ESTIMATOR_OPERATIONS } from './schema';

/**
 * `limiter` belongs to the estimator: its calls don't count against the windows of the other APIs, or against the
 * quota.
 */
export interface EstimatorAccessDeps extends AuthenticateDeps {
  /** Windows of callers without a key. */
  readonly anonymous: AddressLimiter;
  readonly usage: UsageLog;
}

/**
 * Admits anyone, limited by address. With `x-api-key` the call is limited by the key's account, whatever the key's
 * product, and counted as the account's usage. An invalid key gets 401: otherwise its owner would not notice that it
 * stopped working.
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
    return refuseKey(deps, ctx, new UnauthorizedError(form, 'malformed_api_key'));
  }
  const record = await requireKey(deps, ctx, key);
  const admission = await deps.limiter.admit(record.account_id);
  if (!admission) return refuseKey(deps, ctx, unknownKey());
  setLimitHeaders(ctx, admission.view);
  if (!admission.admitted && admission.reason === 'suspended') throw accountSuspended();
  if (!admission.admitted) throw burstExceeded(admission.view, admission.retryAfterSeconds);
  // The router also accepts a trailing slash.
  const operation = ESTIMATOR_OPERATIONS[`${ctx.method} ${ctx.path.replace(/\/$/, '')}`];
  if (operation !== undefined)
    deps.usage.note(
      { accountId: record.account_id, keyId: record._id, product: record.product },
      operation,
      admission.now,
    );
}
