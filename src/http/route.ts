import type Router from '@koa/router';
import type { z } from 'zod';
import type { AuditLog } from '../accounts/audit-store';
import type { AuditAction } from '../domain/audit-actions';
import type { ErrorCode } from '../domain/error-codes';
import type { AppError } from '../domain/errors';
import type { Scope } from '../domain/scopes';
import type { FindEndpointIds } from './name-endpoints';
import type { BodyLimits, Inspect } from './read-body';
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

/** A name in a path. */
export interface PathParam<Value> {
  /** Describes its text in the document. */
  readonly schema: z.ZodType;
  /** @throws AppError for a text that names nothing */
  readonly read: (text: string) => Value;
}

/** A group of operations in the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** An operation on a path, with one method. */
export interface Route {
  /** Unique among routes; the usage counts use it as their name. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In the OpenAPI format: `/api/v1/webhooks/events/{event_id}`. */
  readonly path: string;
  /** One for each name in the path. */
  readonly params?: Readonly<Record<string, PathParam<unknown>>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is optional: none is the same as `{}`. */
  readonly bodyIsOptional?: true;
  /** By default 256 KiB, with any number of values. */
  readonly bodyLimits?: Partial<BodyLimits>;
  /** Finds more problems of the body than its schema can. */
  readonly inspect?: Inspect;
  /** The handler reads the body itself, because something else comes before it, or needs its bytes. */
  readonly readsBody?: true;
  /** Refuses a caller before anything of the request is validated. */
  readonly guard?: (ctx: HttpContext) => void;
  /** The body of the answer to a GET that no document describes. */
  readonly answer?: z.ZodType;
  /** Its audit action; absent if it leaves no entry, or if the change itself writes it. */
  readonly audit?: AuditAction;
  /** Its entry is about what it answered, instead of what its path names. */
  readonly auditsAnswer?: true;
  /** The entry is written in the transaction of the change (`changeAudited`). */
  readonly recordsItself?: true;
}

/** The public description of an operation of the API. The schemas are the ones that validate. */
export interface Operation extends Route {
  /** The scopes that a key needs to call it, all of them; absent if it needs no key. */
  readonly scopes?: readonly Scope[];
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Additional headers that it reads, beyond those of every operation. */
  readonly headers?: z.ZodObject;
  readonly bodyExample?: unknown;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Additional statuses of errors, beyond those of every operation of its kind. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Examples of these errors, if they differ from others of their status. */
  readonly errorExamples?: Readonly<Record<number, ErrorExample>>;
  /** The keys that it accepts, in OpenAPI's form, if they differ from the default; `{}` means no key. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Only for management keys, which act for no account here. */
  readonly forInstallation?: true;
  /** What it reads is the same for every account: a management key need not name one. */
  readonly needsNoAccount?: true;
  /**
   * Only for API keys. The dashboard does not serve it, because its sessions have no limits to count the call against.
   */
  readonly keyOnly?: true;
}

/** An operation as its file defines it. An operation under `/api/v1` must name its scopes, or it does not compile. */
export type WrittenOperation = Operation &
  (
    | { readonly path: `/api/v1/${string}`; readonly scopes: readonly Scope[] }
    | { readonly path: '/api/cost-estimator' | '/api/cost-estimator/equivalents' | '/api/cost-estimator/sources' }
  );

/** The part of ids in examples after the prefix. */
export const EXAMPLE_ID = '4gq9k1m3v7z2x8c5b6n0t1r2s3';

/**
 * An id in a path.
 *
 * @param refuse what an id of another form gets: the same as an unknown one
 */
export function idParam(schema: z.ZodString, refuse: (text: string) => AppError): PathParam<string> {
  return {
    schema,
    read(text) {
      if (!schema.safeParse(text).success) throw refuse(text);
      return text;
    },
  };
}

/** A router, and the list of its routes. */
export interface RouteApi {
  readonly router: Router<RequestState, RequestContext>;
  readonly operations: Route[];
  readonly audit: AuditLog;
  /** The path under which this API serves a route, if not its own; undefined leaves it out. */
  readonly mount?: ((route: Route) => string | undefined) | undefined;
  readonly findEndpointIds: FindEndpointIds;
}

/** A router, and the list that documents its operations. */
export interface Api extends Omit<RouteApi, 'operations' | 'mount'> {
  readonly operations: Pick<Operation[], 'push'>;
  /** The path under which this API serves an operation, if not its own; undefined leaves it out. */
  readonly mount?: (operation: Operation) => string | undefined;
}
