import type { DefaultContext, DefaultState, Middleware, ParameterizedContext } from 'koa';
import type { Actor } from '../domain/audit-actions';
import type { BodyShape } from '../domain/body-form';
import type { EventTypeMode } from '../domain/event-type-modes';
import type { ErrorCode } from '../domain/error-codes';
import type { Product } from '../domain/api-key';
import type { Scope } from '../domain/scopes';
import type { IncomingRequest } from '../platform/incoming-request';
import type { Logger } from '../platform/logger';
import type { Span } from '../platform/tracing';

/** What the middlewares find out about a request. */
export interface RequestState extends DefaultState {
  /** `X-Request-Id` of the answer, and of every log line about it. */
  readonly requestId: string;
  /** The time since the request arrived, in milliseconds. */
  readonly ageMs: () => number;
  /** Its lines name the account and the key, as far as they are known. */
  readonly log: Logger;
  /** Adds ids of the caller to every later line of its log. */
  identify(ids: Readonly<Record<string, string>>): void;
  /** Set by `traceRequest`: its span, which records nothing while tracing is off. */
  span?: Span;
  /** Set by whatever serves the request: the pattern of its path, for metrics and the access log. */
  route?: string;
  /** Set by `mapErrors`: the code of the error in the answer. */
  errorCode?: ErrorCode;
  /** Set by `authenticate`: after it there is always one. */
  credential: Credential;
  /** Set by `admit`, and by the dashboard's session. */
  caller: RequestCaller;
  /**
   * Set by `admit` for an operation that counts itself: counts this many calls, all or none, and then sets `caller`.
   */
  countCalls: (calls: number) => Promise<void>;
}

/** Whom a bearer token stands for. */
export interface Credential {
  readonly kind: 'key' | 'management' | 'portal';
  /** Id of the key, or of the portal's session. */
  readonly id: string;
  readonly actor: Actor;
  /** The product of an account's key. */
  readonly product?: Product;
  /** What the key may do. */
  readonly scopes: readonly Scope[];
  /**
   * The account that it is of, or acts for: its id, or the `external_id` that the header `Everpost-Account` names.
   * Undefined for a management key without that header.
   */
  readonly account: string | undefined;
  readonly expiresAt: Date | undefined;
}

/** The caller: a key that the limiter admitted, or a session of the dashboard or the portal. */
export interface RequestCaller {
  readonly accountId: string;
  readonly actor: Actor;
  /** The client's address. */
  readonly address: string;
  /** What the key may do. A session may do everything. */
  readonly scopes: readonly Scope[];
  readonly endpointsVersion: number;
  /** The fields of `data` by which the account's events are found. */
  readonly searchFields: readonly string[];
  /** The shape of bodies of the account's endpoints without their own; undefined for the envelope. */
  readonly defaultBody: BodyShape | undefined;
  /** What an ingest does with types that the catalog does not know; undefined: as the installation says. */
  readonly eventTypes: EventTypeMode | undefined;
  /** How many days the account's finished events are kept; undefined: as long as the installation keeps them. */
  readonly retentionDays: number | undefined;
  /** The database's clock. */
  readonly now: Date;
  /** The trace that the request belongs to; absent if it belongs to none. */
  readonly traceparent?: string | undefined;
}

/** The server creates no other requests (`createLimitedServer`). */
export interface RequestContext extends DefaultContext {
  readonly req: IncomingRequest;
}

export type HttpContext = ParameterizedContext<RequestState, RequestContext>;
export type HttpMiddleware = Middleware<RequestState, RequestContext>;
