import { z } from 'zod';
import { nameEndpoints, type FindEndpointIds } from './name-endpoints';
import { readBody, readOptionalBody, requireNoBody, validate } from './read-body';
import type { HttpContext, RequestCaller } from './request-state';
import type { PathParam, Route } from './route';

/** A request with the names of its path. */
export type RouteContext = HttpContext & { params: Record<string, string> };

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a route declares, validated: its handler parses nothing. What it doesn't declare is undefined. */
export interface Call<R extends Route> {
  readonly query: R extends { readonly query: infer Query } ? Output<Query> : undefined;
  readonly params: R extends { readonly params: infer Params }
    ? { readonly [Name in keyof Params]: Params[Name] extends PathParam<infer Value> ? Value : never }
    : undefined;
  readonly body: R extends { readonly readsBody: true }
    ? undefined
    : R extends { readonly body: infer Body }
      ? Output<Body>
      : undefined;
  /** Whoever the middlewares before found. */
  readonly caller: RequestCaller;
  readonly ctx: RouteContext;
}

// Made once: zod compiles a schema at its first use, which costs twenty times a later one.
const noParameters = z.strictObject({});

/**
 * Reads what a route declares. A route refuses parameters and bodies that it would ignore.
 *
 * @param findIds finds our ids of the endpoints that it names by the caller's own
 * @throws InvalidRequestError for a query or a body that does not fit its schema, and the error of a path's name
 */
export async function readCall<R extends Route>(
  ctx: RouteContext,
  route: R,
  findIds: FindEndpointIds,
): Promise<Call<R>> {
  const query = validate(route.query ?? noParameters, { ...ctx.query }, 'query');
  const params = Object.fromEntries(
    Object.entries(route.params ?? {}).map(([name, { read }]) => [name, read(ctx.params[name] ?? '')]),
  );
  const body = await bodyOf(ctx, route);
  await nameEndpoints({ query, params, body }, (externalIds) => findIds(ctx.state.caller.accountId, externalIds));
  // The log and the audit log read the path.
  if (typeof params['endpoint_id'] === 'string') ctx.params['endpoint_id'] = params['endpoint_id'];
  return { query, params, body, caller: ctx.state.caller, ctx } as unknown as Call<R>;
}

async function bodyOf(ctx: RouteContext, route: Route): Promise<unknown> {
  const { body, bodyIsOptional, bodyLimits, inspect, readsBody } = route;
  if (!body) return requireNoBody(ctx);
  if (readsBody) return undefined;
  if (bodyIsOptional) return (await readOptionalBody(ctx, body)).value;
  return (await readBody(ctx, body, { ...bodyLimits, ...(inspect && { inspect }) })).value;
}
