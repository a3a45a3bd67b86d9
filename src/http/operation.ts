import type Router from '@koa/router';
import { z } from 'zod';
import type { AuditAction } from '../domain/audit-actions';
import type { AuditLog } from '../accounts/audit-store';
import { scopesOf, type Scope } from '../domain/scopes';
import type { ErrorCode } from '../domain/error-codes';
import { ForbiddenError } from '../domain/errors';
import type { ApiKey } from '../domain/api-key-record';
import { requireNoBody, validate } from './read-body';
import type { HttpContext, RequestContext, RequestState } from './request-state';

/** An error as an operation's documentation shows it. */
export interface ErrorExample {
  readonly error: string;
  readonly code: ErrorCode;
}

/** A successful answer of an operation. */
export interface Answer {
  readonly description: string;
  /** `application/json` by default. */
  readonly mediaType?: string;
  /** Absent for an answer without a body. */
  readonly schema?: z.ZodType;
  /** Additional headers, beyond those of every answer: name and description. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}

/** An operation on a path, with one method. */
export interface Route {
  /** Unique among routes; the usage counts use it as their name. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** In the OpenAPI format: `/api/v1/webhooks/events/{event_id}`. */
  readonly path: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body of the answer to a GET that no document describes. */
  readonly answer?: z.ZodType;
  /** Its audit action; absent if it leaves no entry, or if the change itself writes it. */
  readonly audit?: AuditAction;
  /** The entry is written in the transaction of the change (`changeAudited`). */
  readonly recordsItself?: true;
}

/** The public description of an operation of the API. The schemas are the ones that validate. */
export interface Operation extends Route {
  /** The scopes that a key needs to call it, all of them; absent if it needs no key. */
  readonly scopes?: readonly Scope[];
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  /** Additional headers that it reads, beyond those of every operation. */
  readonly headers?: z.ZodObject;
  /** The body is optional. */
  readonly bodyIsOptional?: true;
  readonly bodyExample?: unknown;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Additional statuses of errors, beyond those of every operation of its kind. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Examples of these errors, if they differ from others of their status. */
  readonly errorExamples?: Readonly<Record<number, ErrorExample>>;
  /** The keys that it accepts, in OpenAPI's form, if they differ from the default; `{}` means no key. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /**
   * Only for API keys. The dashboard does not serve it, because its sessions have no limits to count the call against.
   */
  readonly keyOnly?: true;
}

/** An operation as its file defines it. An operation under `/api/v1` must name its scopes, or it does not compile. */
export type WrittenOperation = Operation &
  (
    | { readonly path: `/api/v1/${string}`; readonly scopes: readonly Scope[] }
    | { readonly path: '/api/cost-estimator' | '/api/cost-estimator/equivalents' }
  );

/** The part of ids in examples after the prefix. */
export const EXAMPLE_ID = '4gq9k1m3v7z2x8c5b6n0t1r2s3';

/** A router, and the list of its routes. */
export interface RouteApi {
  readonly router: Router<RequestState, RequestContext>;
  readonly operations: Route[];
  readonly audit: AuditLog;
}

/** A router, and the list that documents its operations. */
export interface Api extends Omit<RouteApi, 'operations'> {
  readonly operations: Pick<Operation[], 'push'>;
  /** The path under which this API serves an operation, if not its own; undefined leaves it out. */
  readonly mount?: (operation: Operation) => string | undefined;
}

// Made once: zod compiles a schema at its first use, which costs twenty times a later one.
const noParameters = z.strictObject({});

type RouteContext = HttpContext & { params: Record<string, string> };
type Handler = (ctx: RouteContext) => Promise<void> | void;

/**
 * Serves and documents an operation together, so that neither can be forgotten. A key without the scopes is refused
 * before the body is read.
 */
export function addOperation(api: Api, operation: WrittenOperation, handler: Handler): void {
  const path = api.mount ? api.mount(operation) : operation.path;
  if (path === undefined) return;
  // Mounted operations are called with a session, which has no key: a user may do everything that the account can.
  const scopes = api.mount ? [] : (operation.scopes ?? []);
  api.operations.push({ ...operation, path });
  serve(api, { ...operation, path }, handler, scopes);
}

/** Serves a route that no document describes. */
export function addRoute(api: RouteApi, route: Route, handler: Handler): void {
  api.operations.push(route);
  serve(api, route, handler);
}

/** An audited route gets its entry in the log. */
function serve(
  { router, audit }: Pick<RouteApi, 'router' | 'audit'>,
  { path, method, query, body, audit: action }: Route,
  handler: Handler,
  scopes: readonly Scope[] = [],
): void {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
  router[method](pattern, async (ctx) => {
    ctx.state.route = pattern;
    if (scopes.length > 0) requireScopes(ctx.state.key, scopes);
    // A route refuses parameters that it would ignore.
    if (!query) validate(noParameters, { ...ctx.query }, 'query');
    if (!body) await requireNoBody(ctx);
    await handler(ctx);
    // Not before: until it is found, an id in the path is whatever a client put there.
    ctx.state.identify(idsOf(ctx));
    // Before the answer is sent: without an audit entry nothing is answered, and no secret is revealed.
    if (action !== undefined) {
      const { accountId, actor, address } = ctx.state.caller;
      await audit.record({ accountId, actor, address, action, object: objectOf(ctx) });
    }
  });
}

/** The ids in the path that its log line names. */
const LOGGED_ID = /^(event|endpoint|delivery|job)_id$/;

function idsOf({ params }: RouteContext): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => LOGGED_ID.test(name)));
}

/** Id of the route's object: from its path, or of what it created. */
function objectOf(ctx: RouteContext): string | null {
  const [named] = Object.values(ctx.params);
  const body = ctx.body as { id?: string | number; job_id?: string } | null | undefined;
  const id = named ?? body?.id ?? body?.job_id;
  return id === undefined ? null : String(id);
}

/** @throws ForbiddenError that names the missing scopes, unless the key has all of them */
function requireScopes(key: ApiKey, scopes: readonly Scope[]): void {
  const held = scopesOf(key);
  const missing = scopes.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  throw new ForbiddenError(
    `This key lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}. ` +
      'The scopes of a key never change: use a key that was created with what this call needs.',
    'missing_scope',
  );
}
