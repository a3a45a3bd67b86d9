import type { DefaultState, Middleware, ParameterizedContext } from 'koa';
import type { ApiKey } from '../keys/store';
import type { Logger } from '../platform/logger';

/** What the middlewares learn about a request, one after the other. */
export interface RequestState extends DefaultState {
  /** `X-Request-Id` of the answer, and of every log line about it. */
  requestId: string;
  log: Logger;
  /** Set by `mapErrors`: the code of the error that was answered. */
  errorCode?: string;
  /** Set by `authenticate`: behind it there is always a key. */
  key: ApiKey;
  /** Set by `admit`. */
  caller: RequestCaller;
}

/** Whose call it is, and what the limiter said when it let the call in. */
export interface RequestCaller {
  readonly accountId: string;
  readonly endpointsVersion: number;
  /** The database's clock. */
  readonly now: Date;
}

export type HttpContext = ParameterizedContext<RequestState>;
export type HttpMiddleware = Middleware<RequestState>;
