import type { ApiError, ErrorDetail, KnownErrorCode } from './schema.ts';

/** The fields of a refusal. Those of a 429 say when to come back. */
export interface ErrorBody extends Readonly<Partial<ApiError>> {
  readonly retry_after?: number;
  readonly reset_at?: string;
  readonly remaining?: number;
  /** A release may add some. */
  readonly [field: string]: unknown;
}

/** A call that the API refused, or that got no answer. It never holds the API key. */
export class EverpostError extends Error {
  /** Undefined if there was no answer. */
  readonly status: number | undefined;
  /** Stable; a release may add some. `unknown` if the answer has none. */
  readonly code: KnownErrorCode | 'unknown' | (string & {});
  readonly requestId: string | undefined;
  /** Each problem of the request and its place. */
  readonly details: readonly ErrorDetail[];
  /** When the same call can succeed, if the answer says so: after 429 and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** All fields of the answer; none if it is not the API's, such as a page of a proxy. */
  readonly body: ErrorBody;
  readonly headers: Headers;

  static {
    // On the prototype, because the stack is written before the error's fields exist.
    this.prototype.name = 'EverpostError';
  }

  /** @param body of the answer, parsed */
  constructor(status: number | undefined, body?: unknown, headers: Headers = new Headers(), options?: ErrorOptions) {
    const fields = (isFields(body) ? body : {}) as ErrorBody;
    super(textOf(fields.error) ?? `The API answered ${status}.`, options);
    this.status = status;
    this.code = textOf(fields.code) ?? 'unknown';
    this.requestId = textOf(fields.request_id) ?? headers.get('X-Request-Id') ?? undefined;
    this.details = Array.isArray(fields.details) ? fields.details : [];
    this.retryAfterSeconds = secondsOf(headers.get('Retry-After'));
    this.body = fields;
    this.headers = headers;
  }
}

/** No answer came. Whether the call had an effect is unknown; `cause` is the error of `fetch`. */
export class EverpostConnectionError extends EverpostError {
  static {
    this.prototype.name = 'EverpostConnectionError';
  }

  constructor(error: string, cause?: unknown, code = 'connection_failed') {
    super(undefined, { error, code }, new Headers(), { cause });
  }
}

/** No complete answer came in time. Whether the call had an effect is unknown. */
export class EverpostTimeoutError extends EverpostConnectionError {
  readonly timeoutMs: number;

  static {
    this.prototype.name = 'EverpostTimeoutError';
  }

  constructor(url: string, timeoutMs: number) {
    super(`There was no complete answer from ${new URL(url).origin} within ${timeoutMs} ms.`, undefined, 'timeout');
    this.timeoutMs = timeoutMs;
  }
}

/** The seconds that a `Retry-After` asks for: Everpost sends a number, and a proxy in between may send a date. */
export function secondsOf(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const untilDate = (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(untilDate) ? undefined : Math.max(0, untilDate);
}

function isFields(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
