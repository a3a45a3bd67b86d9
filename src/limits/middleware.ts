import { TooManyRequestsError, UnauthorizedError } from '../domain/errors';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import type { Limiter, LimitView } from './limiter';

/** Writes the five limit headers (api-spec, "Limits"). */
export function setLimitHeaders(ctx: HttpContext, view: LimitView): void {
  ctx.set({
    'X-RateLimit-Limit': String(view.perMinute),
    'X-RateLimit-Remaining': String(view.remaining),
    'X-RateLimit-Reset': String(view.resetAtSeconds),
    'X-Quota-Used': String(view.quotaUsed),
    'X-Quota-Limit': view.quotaLimit === null ? 'unlimited' : String(view.quotaLimit),
  });
}

/** Lets a call in and counts it, or answers 429. A call that ends in 5xx is taken back. */
export function createAdmit(limiter: Limiter): HttpMiddleware {
  return async (ctx, next) => {
    const accountId = ctx.state.key.account_id;
    const admission = await limiter.admit(accountId);
    if (!admission)
      throw new UnauthorizedError('The account of this API key does not exist any more.', 'invalid_api_key');
    setLimitHeaders(ctx, admission.view);
    if (!admission.admitted) {
      throw admission.reason === 'quota'
        ? quotaExceeded(admission)
        : burstExceeded(admission.view, admission.retryAfterSeconds);
    }
    const { endpointsVersion, now } = admission;
    ctx.state.caller = { accountId, endpointsVersion, now };
    ctx.res.once('close', () => {
      if (ctx.res.statusCode < 500) return;
      limiter.refund(accountId, now).catch((error: unknown) => ctx.state.log.debug({ err: error }, 'no refund'));
    });
    await next();
  };
}

/** The specification's body of a burst 429. */
export function burstExceeded(view: LimitView, retryAfterSeconds: number): TooManyRequestsError {
  return new TooManyRequestsError(
    `More than ${view.perMinute} calls in a minute. Wait ${retryAfterSeconds} s, then double the wait with each try.`,
    'rate_limit_exceeded',
    retryAfterSeconds,
    { retry_after: retryAfterSeconds, remaining: 0 },
  );
}

function quotaExceeded(denied: {
  view: LimitView;
  retryAfterSeconds: number;
  quotaResetsAt: Date;
}): TooManyRequestsError {
  const { view, retryAfterSeconds, quotaResetsAt } = denied;
  return new TooManyRequestsError(
    `The monthly quota of ${view.quotaLimit} calls is used up. It starts anew at ${quotaResetsAt.toISOString()}.`,
    'quota_exceeded',
    retryAfterSeconds,
    { quota_limit: view.quotaLimit ?? 0, quota_used: view.quotaUsed, reset_at: quotaResetsAt.toISOString() },
  );
}
