import type { Socket } from 'node:net';
import { accountSuspended } from '../domain/account-suspended';
import { isCallRefusal, type CallRefusal } from '../domain/call-refusals';
import {
  InvalidRequestError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
  UnprocessableError,
} from '../domain/errors';
import { peerAddress } from '../http/client-address';
import type { Product } from '../domain/api-key';
import { ACCOUNT_HEADER, accountHeader } from '../http/account-header';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import { createConcurrencyLimit } from '../platform/concurrency-limit';
import { traceparentOf } from '../platform/tracing';
import type { AddressLimiter } from './address-limiter';
import type { Admission, Limiter, LimitView } from './limiter';
import { burstExceeded, quotaExceeded } from './refusals';

/** Writes the five limit headers (docs/spec.md, "Limits"). */
export function setLimitHeaders(ctx: HttpContext, view: LimitView): void {
  ctx.set(limitHeaders(view));
}

/** The five limit headers. */
function limitHeaders(view: LimitView): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(view.perMinute),
    'X-RateLimit-Remaining': String(view.remaining),
    'X-RateLimit-Reset': String(view.resetAtSeconds),
    'X-Quota-Used': String(view.quotaUsed),
    'X-Quota-Limit': view.quotaLimit === null ? 'unlimited' : String(view.quotaLimit),
  };
}

/** A key, and the account that it called for. */
interface CountedCaller {
  readonly accountId: string;
  readonly keyId: string;
  readonly product?: Product | undefined;
}

/** Counts the calls of keys by day, for their account to read. Times are by the database's clock. */
interface CallLog {
  /** @param calls below 0 if they were returned to the quota */
  noteCalls(caller: CountedCaller, calls: number, at: Date): void;
  noteRefusal(caller: CountedCaller, reason: CallRefusal, at: Date): void;
}

export interface AdmitDeps {
  readonly limiter: Limiter;
  readonly usage: CallLog;
  /** Counts the calls of management keys for no account, by key, in this process only. */
  readonly managementCalls: AddressLimiter;
  readonly clientAddress: (ctx: HttpContext) => string;
  /** Whether the operation counts the request itself, because only the body tells how many calls it is. */
  readonly countsItself: (ctx: HttpContext) => boolean;
}

/** Admits a call and counts it, or answers 429. A call that ends in 429 or 5xx later is returned to the quota. */
export function createAdmit(deps: AdmitDeps): HttpMiddleware {
  // A batch is many calls. One begins in each turn of the event loop, so a burst of them delays others by one, not by all.
  const slots = createConcurrencyLimit(1);
  return async (ctx, next) => {
    const { account, kind } = ctx.state.credential;
    if (kind === 'portal') admitSession(ctx);
    else if (account === undefined) admitForNoAccount(deps, ctx);
    else if (deps.countsItself(ctx)) {
      await slots.run(nextTurn);
      return admitLater(deps, ctx, account, next);
    } else admitCall(deps, ctx, 1, await deps.limiter.admit(account));
    return next();
  };
}

/** A session of the portal was counted when it was found: it has limits of its own, and uses up no quota. */
function admitSession(ctx: HttpContext): void {
  const { caller, span } = ctx.state;
  ctx.state.caller = { ...caller, traceparent: span && traceparentOf(span) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Admits a call of a management key that acts for no account, so that no account's limits apply. */
function admitForNoAccount({ managementCalls, clientAddress }: AdmitDeps, ctx: HttpContext): void {
  const { id, actor, scopes } = ctx.state.credential;
  const { limited, view, retryAfterSeconds } = managementCalls.count(id);
  setLimitHeaders(ctx, view);
  if (limited) throw burstExceeded(view, retryAfterSeconds);
  ctx.state.caller = {
    ...{ accountId: NO_ACCOUNT, actor, address: clientAddress(ctx), scopes },
    ...{ endpointsVersion: 0, searchFields: [], defaultBody: undefined, eventTypes: undefined },
    ...{ retentionDays: undefined, now: new Date() },
  };
}

/** No account has this id: a query for what such a caller owns finds nothing. */
const NO_ACCOUNT = '';

/**
 * The operation says how many calls the request is, once it has read the body. A caller without a call left is refused
 * before that. A request that fails before that counts as one call, and so does one with more calls than are left.
 */
async function admitLater(
  deps: AdmitDeps,
  ctx: HttpContext,
  account: string,
  next: () => Promise<unknown>,
): Promise<void> {
  if (isExhausted(deps.limiter.lastKnown(account))) requireAdmitted(deps, ctx, 1, await deps.limiter.check(account));
  let isCounted = false;
  ctx.state.countCalls = async (calls) => {
    const decision = await deps.limiter.admitWhole(account, calls);
    isCounted = true;
    if (decision && decision.counted > 0 && !decision.admission.admitted) {
      deps.usage.noteCalls(countedCaller(ctx, decision.admission), decision.counted, decision.admission.now);
      setLimitHeaders(ctx, decision.admission.view);
      refuseImpossible(decision.admission.view, calls);
    }
    admitCall(deps, ctx, calls, decision && decision.admission);
  };
  try {
    await next();
  } catch (error) {
    if (!isCounted && !(error instanceof TooManyRequestsError)) {
      admitCall(deps, ctx, 1, await deps.limiter.admit(account));
    }
    throw error;
  }
}

/** Whether no call is left, in this minute or this month. */
function isExhausted(view: LimitView | undefined): boolean {
  if (!view) return false;
  return view.remaining === 0 || (view.quotaLimit !== null && view.quotaUsed >= view.quotaLimit);
}

/** @throws UnprocessableError for more calls at once than any window or month allows */
function refuseImpossible({ perMinute, quotaLimit }: LimitView, calls: number): void {
  const [limit, period] = quotaLimit !== null && quotaLimit < perMinute ? [quotaLimit, 'month'] : [perMinute, 'minute'];
  if (calls <= limit) return;
  throw new UnprocessableError(
    `${calls} events count as ${calls} calls, and your tier allows ${limit} a ${period}: send at most ${limit} in a batch.`,
    'batch_exceeds_limit',
  );
}

/** @throws TooManyRequestsError unless the calls were admitted */
function admitCall(deps: AdmitDeps, ctx: HttpContext, calls: number, admission: Decision): void {
  const { limiter, clientAddress, usage } = deps;
  const admitted = requireAdmitted(deps, ctx, calls, admission);
  const { accountId, endpointsVersion, searchFields, defaultBody, eventTypes, retentionDays, now } = admitted;
  const { credential, span } = ctx.state;
  const traceparent = span && traceparentOf(span);
  const counted = countedCaller(ctx, admitted);
  ctx.state.identify({ account_id: accountId });
  ctx.state.caller = {
    accountId,
    actor: credential.actor,
    address: clientAddress(ctx),
    scopes: credential.scopes,
    endpointsVersion,
    searchFields,
    defaultBody,
    eventTypes,
    retentionDays,
    now,
    traceparent,
  };
  usage.noteCalls(counted, calls, now);
  ctx.res.once('close', () => {
    if (ctx.res.statusCode !== 429 && ctx.res.statusCode < 500) return;
    const { errorCode } = ctx.state;
    if (isCallRefusal(errorCode)) usage.noteRefusal(counted, errorCode, now);
    usage.noteCalls(counted, -calls, now);
    limiter
      .refund(accountId, now, calls)
      .catch((error: unknown) => ctx.state.log.debug({ err: error }, 'could not refund the quota'));
  });
}

type Decision = Admission | null;

/**
 * Writes the headers, and counts a refusal.
 *
 * @returns the admission
 * @throws TooManyRequestsError for calls that are not admitted, ForbiddenError for a suspended account
 */
function requireAdmitted(
  { usage }: AdmitDeps,
  ctx: HttpContext,
  calls: number,
  admission: Decision,
): Extract<Admission, { admitted: true }> {
  if (!admission) throw noAccount(ctx);
  setLimitHeaders(ctx, admission.view);
  if (admission.admitted) {
    requireNamedAccount(ctx, admission);
    return admission;
  }
  if (admission.reason === 'suspended') throw accountSuspended();
  const isQuota = admission.reason === 'quota';
  usage.noteRefusal(countedCaller(ctx, admission), isQuota ? 'quota_exceeded' : 'rate_limit_exceeded', admission.now);
  throw isQuota
    ? quotaExceeded(admission.view, { ...admission, resetsAt: admission.quotaResetsAt }, calls)
    : burstExceeded(admission.view, admission.retryAfterSeconds, calls);
}

function countedCaller(ctx: HttpContext, { accountId }: { readonly accountId: string }): CountedCaller {
  const { id: keyId, product } = ctx.state.credential;
  return { accountId, keyId, product };
}

function noAccount(ctx: HttpContext): NotFoundError | UnauthorizedError {
  if (ctx.state.credential.kind === 'management') {
    return new NotFoundError(`The header "${ACCOUNT_HEADER}" names no account.`, 'account_not_found');
  }
  return new UnauthorizedError('The account of this API key does not exist any more.', 'invalid_api_key');
}

/** @throws InvalidRequestError for an account's key with the name of another account */
function requireNamedAccount(
  ctx: HttpContext,
  { accountId, externalId }: { accountId: string; externalId: string | undefined },
): void {
  const named = accountHeader(ctx);
  if (named === undefined || named === accountId || named === externalId) return;
  throw new InvalidRequestError(
    `This key belongs to another account than the header "${ACCOUNT_HEADER}" names. Leave the header out, or use a ` +
      'management key.',
    'account_not_allowed',
  );
}

type Strangers = Pick<AddressLimiter, 'peek'>;

interface EarlyRefusalDeps {
  readonly clientAddress: (ctx: HttpContext) => string;
  /** The limiter for calls without a valid key on this path. */
  readonly limiterOf: (path: string) => Strangers;
}

/**
 * Gives every refusal its limit headers (docs/spec.md, "Limits"). A refusal before authentication has those of the
 * client's address.
 */
export function createEarlyRefusals({ clientAddress, limiterOf }: EarlyRefusalDeps): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
        setLimitHeaders(ctx, limiterOf(ctx.path).peek(clientAddress(ctx)));
      }
      throw error;
    }
  };
}

/** Limit headers of an answer to bytes that never became a request. */
export function createPeerLimits(strangers: Strangers) {
  return (peer: Pick<Socket, 'remoteAddress'>): Record<string, string> =>
    limitHeaders(strangers.peek(peerAddress(peer)));
}
