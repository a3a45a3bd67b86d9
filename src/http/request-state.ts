import type { DefaultState, Middleware, ParameterizedContext } from 'koa';
import type { Actor } from '../domain/audit-actions';
import type { ApiKey } from '../domain/api-key-record';
import type { Logger } from '../platform/logger';

/** What the middlewares learn about a request, one by one. */
export interface RequestState extends DefaultState {
  /** `X-Request-Id` of the answer, and of every log line about it. */
  readonly requestId: string;
  /** Its lines say whose request it is, as far as that is known. */
  readonly log: Logger;
  /** Tells whose request it is: ids for every later line of its log. */
  identify(ids: Readonly<Record<string, string>>): void;
  /** Set by what serves the request: the pattern of its path, for metrics and the access log. */
  route?: string;
  /** Set by `mapErrors`: the code of the error that was answered. */
  errorCode?: string;
  /** Set by `authenticate`: behind it there is always a key. */
  key: ApiKey;
  /** Set by `admit`, and by the dashboard's session. */
  caller: RequestCaller;
  /** Set by `admit` for an operation that counts itself: counts so many calls, all or none, and then sets `caller`. */
  countCalls: (calls: number) => Promise<void>;
}

/** Whose call it is: of a key that the limiter let in, or of a dashboard's session. */
export interface RequestCaller {
  readonly accountId: string;
  readonly actor: Actor;
  /** The client's address. */
  readonly address: string;
  readonly endpointsVersion: number;
  /** The database's clock. */
  readonly now: Date;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
