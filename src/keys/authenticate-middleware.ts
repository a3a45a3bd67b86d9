import { MANAGEMENT_KEY_PATTERN, productOfApiKey, productOfPath, PRODUCTS } from '../domain/api-key';
import { isManagementKey, managementScopesOf, type AnyKey, type ApiKey } from '../domain/api-key-record';
import { isExternalAccountId, isOwnAccountId } from '../domain/external-id';
import { ForbiddenError, InvalidRequestError, UnauthorizedError } from '../domain/errors';
import { notForPortal } from '../domain/portal-refusals';
import { isForPortal } from '../domain/portal-token';
import { scopesOf } from '../domain/scopes';
import { accountNotFound } from '../accounts/manage-accounts';
import type { AddressLimiter } from '../limits/address-limiter';
import type { Limiter } from '../limits/limiter';
import { setLimitHeaders } from '../limits/middleware';
import { tooManyFailures } from '../limits/refusals';
import { ACCOUNT_HEADER, accountHeader } from '../http/account-header';
import type { Credential, HttpContext, HttpMiddleware } from '../http/request-state';
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
 * or expired; 403 if it is another product's, with a message that names the product it is not authorised for. A
 * management key acts for the account of the header `Everpost-Account`. A token of the portal stands for its session.
 */
export function createAuthenticate(deps: AuthenticateDeps, findPortalSession: FindPortalSession): HttpMiddleware {
  return async (ctx, next) => {
    const key = readKey(deps, ctx);
    if (isForPortal(key)) await requirePortal(deps, ctx, () => findPortalSession(ctx, key));
    else if (MANAGEMENT_KEY_PATTERN.test(key)) await authenticateManagementKey(deps, ctx, key);
    else await authenticateApiKey(deps, ctx, key);
    await next();
  };
}

/** The key of the request. @throws UnauthorizedError if it is missing or malformed */
function readKey(deps: AuthenticateDeps, ctx: HttpContext): string {
  const header = ctx.get('Authorization');
  if (header === '') {
    const how = 'Send your API key in the header "Authorization: Bearer <API_KEY>".';
    return refuseKey(deps, ctx, new UnauthorizedError(how, 'missing_api_key'));
  }
  const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (key === undefined || !(productOfApiKey(key) || MANAGEMENT_KEY_PATTERN.test(key) || isForPortal(key))) {
    const form =
      'The header must be "Authorization: Bearer <API_KEY>", with a key like svc_live_weh_ and 32 hexadecimal digits.';
    return refuseKey(deps, ctx, new UnauthorizedError(form, 'malformed_api_key'));
  }
  return key;
}

async function authenticateApiKey(deps: AuthenticateDeps, ctx: HttpContext, key: string): Promise<void> {
  const record = await requireKey(deps, ctx, key);
  setCredential(ctx, {
    ...{ kind: 'key', id: record._id, actor: { type: 'key', id: record._id, name: record.label } },
    ...{ product: record.product, scopes: scopesOf(record), account: record.account_id },
    expiresAt: record.expires_at,
  });
  const product = productOfPath(ctx.path);
  if (product !== undefined && record.product !== product) {
    const view = await deps.limiter.peek(record.account_id);
    if (view) setLimitHeaders(ctx, view);
    throw new ForbiddenError(`This key is not authorized for ${PRODUCTS[product]}.`, 'wrong_product');
  }
}

/** What belongs to the installation: here the header has no meaning. */
const OF_THE_INSTALLATION = /^\/api\/v1\/(accounts|event-types)(\/|$)/;
/** What a management key can call without naming an account. */
const OF_THE_KEY = /^\/api\/v1\/keys\/self\/?$/;

async function authenticateManagementKey(deps: AuthenticateDeps, ctx: HttpContext, key: string): Promise<void> {
  const isOfInstallation = OF_THE_INSTALLATION.test(ctx.path);
  const account = isOfInstallation ? undefined : accountHeader(ctx);
  const record = await findKey(deps, ctx, key, account);
  if (!isManagementKey(record)) throw new TypeError('a management key has another form than the keys of accounts');
  setCredential(ctx, {
    ...{ kind: 'management', id: record._id, actor: { type: 'management_key', id: record._id, name: record.label } },
    ...{ scopes: managementScopesOf(record), account, expiresAt: record.expires_at },
  });
  if (account === undefined && !isOfInstallation && !OF_THE_KEY.test(ctx.path)) {
    throw new InvalidRequestError(
      `A management key acts for an account: name it in the header "${ACCOUNT_HEADER}", by its external_id or its id.`,
      'account_required',
    );
  }
  if (account !== undefined && !isOwnAccountId(account) && !isExternalAccountId(account))
    throw accountNotFound(account);
}

function setCredential(ctx: HttpContext, credential: Credential): void {
  ctx.state.credential = credential;
  ctx.state.identify({
    ...(credential.account !== undefined && { account_id: credential.account }),
    key_id: credential.id,
  });
}

/**
 * Finds the account's key of a request.
 *
 * @throws UnauthorizedError for an unknown, revoked or expired key
 */
export async function requireKey(deps: AuthenticateDeps, ctx: HttpContext, key: string): Promise<ApiKey> {
  const record = await findKey(deps, ctx, key, deps.keys.lastKnownAccount(key));
  if (isManagementKey(record)) throw new TypeError('a key of an account has another form than a management key');
  ctx.state.identify({ account_id: record.account_id, key_id: record._id });
  return record;
}

/** @param account whose last known limits the answer has while MongoDB is away */
async function findKey(
  deps: AuthenticateDeps,
  ctx: HttpContext,
  key: string,
  account: string | undefined,
): Promise<AnyKey> {
  // While MongoDB is away, the 503 still carries limit headers: the last known ones.
  setLimitHeaders(ctx, (account && deps.limiter.lastKnown(account)) || deps.authFailures.peek(deps.clientAddress(ctx)));
  const found = await deps.keys.find(key, deps.clientAddress(ctx));
  return 'error' in found ? refuseKey(deps, ctx, found.error) : found.record;
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
