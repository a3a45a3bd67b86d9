import type { ErrorCode } from './error-codes';

/** One problem of a request: its place (`events[0]`, `data`, `query.limit`) and what would be right. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

/** How many problems an error lists: a body can have tens of thousands. */
const MAX_DETAILS = 20;
/** The longest path of a problem, which contains names that the caller chose. */
const MAX_PATH_LENGTH = 200;

/** The first 20 problems, with long paths cut. */
export function firstDetails(details: readonly ErrorDetail[]): ErrorDetail[] {
  return details.slice(0, MAX_DETAILS).map(({ path, message }) => ({ path: shortenedPath(path), message }));
}

/** A path with names that the caller chose, cut after 200 characters. */
export function shortenedPath(path: string): string {
  return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}

/**
 * An error for callers. `message` and `code` are public; `logDetail` is only for the log. Only `http/error-mapper.ts`
 * knows the HTTP status of each subclass.
 */
export abstract class AppError extends Error {
  /** Stable, snake_case; callers may branch on it. Listed in docs/errors.md. */
  readonly code: ErrorCode;
  readonly logDetail: string | undefined;

  constructor(message: string, code: ErrorCode, logDetail?: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.logDetail = logDetail;
  }
}

/** The request is malformed: wrong type, missing field, out of range. */
export class InvalidRequestError extends AppError {
  readonly details: readonly ErrorDetail[];

  constructor(message: string, code: ErrorCode = 'invalid_request', details: readonly ErrorDetail[] = []) {
    super(message, code);
    this.details = details;
  }
}

/** Well-formed, but it can't be done: the message says why. */
export class UnprocessableError extends AppError {
  readonly details: readonly ErrorDetail[];

  constructor(message: string, code: ErrorCode, details: readonly ErrorDetail[] = []) {
    super(message, code);
    this.details = details;
  }
}

/** No key, or a malformed, unknown or revoked one. */
export class UnauthorizedError extends AppError {}

/** The key is valid, but not for this operation. */
export class ForbiddenError extends AppError {}

/** It does not exist, or it belongs to another account: callers can't tell which. */
export class NotFoundError extends AppError {}

/** The state of the resource, or a limit on their number, forbids it. */
export class ConflictError extends AppError {}

/** It is no longer what the caller's condition names. */
export class PreconditionFailedError extends AppError {}

/** A required part is away for now. */
export class UnavailableError extends AppError {
  readonly retryAfterSeconds: number;

  constructor(message: string, code: ErrorCode, retryAfterSeconds: number, logDetail?: string) {
    super(message, code, logDetail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * A limit is used up. `fields` are the ones that the specification gives its body, by default those of a burst: 0 remain,
 * because none of what is left is available to this call.
 */
export class TooManyRequestsError extends AppError {
  readonly retryAfterSeconds: number;
  readonly fields: Readonly<Record<string, string | number>>;

  constructor(
    message: string,
    code: ErrorCode,
    retryAfterSeconds: number,
    fields: Readonly<Record<string, string | number>> = { retry_after: retryAfterSeconds, remaining: 0 },
  ) {
    super(message, code);
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
  }
}
