import { ForbiddenError } from '../domain/errors';
import { notForPortal, roleForbids } from '../domain/portal-refusals';
import { readOnlyView } from '../domain/read-only-view';
import type { Scope } from '../domain/scopes';
import { readCall, type Call, type RouteContext } from './call';
import type { RequestState } from './request-state';
import type { Api, Operation, Route, RouteApi, WrittenOperation } from './route';

/** @returns the body of the answer, unless it set `ctx.body` itself */
type Handler<R extends Route> = (call: Call<R>) => unknown;

/**
 * Serves and documents an operation together, so that neither can be forgotten. A key without the scopes is refused
 * before the body is read. If the operation has one successful status, the answer has it.
 */
export function addOperation<const O extends WrittenOperation>(api: Api, operation: O, handler: Handler<O>): void {
  const path = api.mount ? api.mount(operation) : operation.path;
  if (path === undefined) return;
  const mounted = { ...operation, path };
  api.operations.push(mounted);
  serve(api, mounted, handler, {
    scopes: operation.scopes ?? [],
    status: onlyStatus(operation.answers),
    keyOnly: operation.keyOnly,
  });
}

/** Serves a route that no document describes. */
export function addRoute<const R extends Route>(api: RouteApi, route: R, handler: Handler<R>): void {
  const path = api.mount ? api.mount(route) : route.path;
  if (path === undefined) return;
  const mounted = { ...route, path };
  api.operations.push(mounted);
  serve(api, mounted, handler);
}

/** The successful status of an operation that has one; undefined if its handler chooses among several. */
function onlyStatus(answers: Operation['answers']): number | undefined {
  const successful = Object.keys(answers).filter((status) => status.startsWith('2'));
  return successful.length === 1 ? Number(successful[0]) : undefined;
}

interface ServeOptions {
  readonly scopes?: readonly Scope[];
  readonly status?: number | undefined;
  readonly keyOnly?: true | undefined;
}

/** An audited route gets its entry in the log. */
function serve(
  { router, audit, findEndpointIds }: Pick<RouteApi, 'router' | 'audit' | 'findEndpointIds'>,
  route: Route,
  handler: Handler<Route>,
  { scopes = [], status, keyOnly }: ServeOptions = {},
): void {
  const { method, audit: action, auditsAnswer } = route;
  const pattern = patternOf(route);
  router[method](pattern, async (ctx) => {
    ctx.state.route = pattern;
    if (keyOnly) refusePortal(ctx.state);
    if (scopes.length > 0) requireScopes(ctx.state, scopes);
    route.guard?.(ctx);
    const call = await readCall(ctx, route, findEndpointIds);
    if (status !== undefined) ctx.status = status;
    const body = await handler(call);
    if (body !== undefined) ctx.body = body;
    // Not before: until it is found, an id in the path is whatever a client put there.
    ctx.state.identify(idsOf(ctx));
    // Before the answer is sent: without an audit entry nothing is answered, and no secret is revealed.
    if (action !== undefined) {
      const { accountId, actor, address } = ctx.state.caller;
      await audit.record({ accountId, actor, address, action, object: objectOf(ctx, auditsAnswer) });
    }
  });
}

/** A key, before its call is counted, or the caller of a session. */
type CallerState = Partial<Pick<RequestState, 'credential' | 'caller'>>;

/** The path as the router writes it. @throws RangeError for a name that no parameter reads */
function patternOf({ id, path, params = {} }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
    if (!(name in params)) throw new RangeError(`${id} has no parameter ${name}`);
    return `:${name}`;
  });
}

/** Fields of log lines that name the caller. */
const CALLER_IDS = ['account_id', 'key_id', 'session_id'];

/** The ids in the path that its log lines name. */
function idsOf({ params }: RouteContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => name.endsWith('_id') && !CALLER_IDS.includes(name)),
  );
}

/** Id of the route's object: from its path, or of what it created. */
function objectOf(ctx: RouteContext, auditsAnswer = false): string | null {
  const [named] = auditsAnswer ? [] : Object.values(ctx.params);
  const body = ctx.body as { id?: string | number; job_id?: string } | null | undefined;
  const id = named ?? body?.id ?? body?.job_id;
  return id === undefined ? null : String(id);
}

/** @throws ForbiddenError for a session of the portal */
function refusePortal({ credential }: CallerState): void {
  if (credential?.kind === 'portal') throw notForPortal();
}

/** @throws ForbiddenError unless the caller has all of the scopes; it names those that a key lacks */
function requireScopes({ credential, caller }: CallerState, scopes: readonly Scope[]): void {
  const held = (credential ?? caller!).scopes;
  const missing = scopes.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  if (!credential) throw readOnlyView();
  if (credential.kind === 'portal') throw roleForbids();
  throw new ForbiddenError(
    `This key lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}. ` +
      'The scopes of a key never change: use a key that was created with what this call needs.',
    'missing_scope',
  );
}
