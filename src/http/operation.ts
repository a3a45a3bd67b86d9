import type Router from '@koa/router';
import { z } from 'zod';
import type { AuditAction } from '../domain/audit-actions';
import type { AuditLog } from '../accounts/audit-store';
import { scopesOf, type Scope } from '../domain/scopes';
import { ForbiddenError } from '../domain/errors';
import type { ApiKey } from '../domain/api-key-record';
import { requireNoBody, validate } from './read-body';
import type { HttpContext, RequestState } from './request-state';

/** One answer of an operation that is not an error. */
export interface Answer {
  readonly description: string;
  /** `application/json` unless given. */
  readonly mediaType?: string;
  /** Left out for an answer without a body. */
  readonly schema?: z.ZodType;
  /** Headers beyond the ones that every answer carries: name and what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly example?: unknown;
}

/** What is served at a path, by one method. */
export interface Route {
  /** Unique among routes; the log of usage names them by it. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As the OpenAPI document writes it: `/api/v1/webhooks/events/{event_id}`. */
  readonly path: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body of the answer to a GET that no document shows. */
  readonly answer?: z.ZodType;
  /** Its name in the audit log; absent where it leaves no entry, or the change itself writes it. */
  readonly audit?: AuditAction;
  /** The entry is written in the transaction of the change (`changeAudited`). */
  readonly recordsItself?: true;
}

/** What a caller may read about an operation of the API. The schemas are the ones that validate. */
export interface Operation extends Route {
  /** The scopes that a key needs to call it, all of them; absent where it takes no key. */
  readonly scopes?: readonly Scope[];
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  /** Headers that it reads, beyond the ones that every operation reads. */
  readonly headers?: z.ZodObject;
  /** The body may be left out. */
  readonly bodyIsOptional?: true;
  readonly bodyExample?: unknown;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Statuses of errors, beyond the ones that every operation of its kind can have. */
  readonly errors?: Readonly<Record<number, string>>;
  /** What these errors look like, where it is not what the others of their status look like. */
  readonly errorExamples?: Readonly<Record<number, { readonly error: string; readonly code: string }>>;
  /** Which keys it takes, in OpenAPI's form, where it is not the usual one; `{}` is no key. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /**
   * Only for API keys: the dashboard does not serve it, because its sessions have no limits to count the call against.
   */
  readonly keyOnly?: true;
}

/** An operation as its file writes it. An operation under `/api/v1` must name its scopes, or it does not compile. */
export type WrittenOperation = Operation &
  (
    | { readonly path: `/api/v1/${string}`; readonly scopes: readonly Scope[] }
    | { readonly path: '/api/cost-estimator' }
  );

/** The part after the prefix of ids that examples show. */
export const EXAMPLE_ID = '4gq9k1m3v7z2x8c5b6n0t1r2s3';

/** Where routes are added: the router that serves them, and the list of them. */
export interface RouteApi {
  readonly router: Router<RequestState>;
  readonly operations: Route[];
  readonly audit: AuditLog;
}

/** Where operations are added: the router that serves them, and the list that documents them. */
export interface Api extends Omit<RouteApi, 'operations'> {
  readonly operations: Pick<Operation[], 'push'>;
  /** Where this API serves an operation, if not at its own path; undefined leaves it out. */
  readonly mount?: (operation: Operation) => string | undefined;
}

type RouteContext = HttpContext & { params: Record<string, string> };
type Handler = (ctx: RouteContext) => Promise<void> | void;

/**
 * Serves and documents an operation in one go, so that neither can be forgotten. A key without the scopes is refused
 * before the body is read.
 */
export function addOperation(api: Api, operation: WrittenOperation, handler: Handler): void {
  const path = api.mount ? api.mount(operation) : operation.path;
  if (path === undefined) return;
  // Mounted operations are called with a session, which has no key: a person may do all that the account can.
  const scopes = api.mount ? [] : (operation.scopes ?? []);
  api.operations.push({ ...operation, path });
  serve(api, { ...operation, path }, handler, scopes);
}

/** Serves a route that no document shows. */
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
    // Callers mean what they send: a route refuses what it would ignore.
    if (!query) validate(z.strictObject({}), { ...ctx.query }, 'query');
    if (!body && method !== 'get') await requireNoBody(ctx);
    await handler(ctx);
    // Before the answer is sent: without its entry in the log nothing is answered, and no secret is revealed.
    if (action !== undefined) {
      const { accountId, actor, address } = ctx.state.caller;
      await audit.record({ accountId, actor, address, action, object: objectOf(ctx) });
    }
  });
}

/** Id of what a route was about: in its path, or what it created. */
function objectOf(ctx: RouteContext): string | null {
  const [named] = Object.values(ctx.params);
  const body = ctx.body as { id?: string | number; job_id?: string } | null | undefined;
  const id = named ?? body?.id ?? body?.job_id;
  return id === undefined ? null : String(id);
}

/** @throws ForbiddenError that names what is missing, unless the key holds all of these scopes */
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
