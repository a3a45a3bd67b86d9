import type { ErrorCode } from '../domain/error-codes';
import {
  AppError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PreconditionFailedError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableError,
  type ErrorDetail,
} from '../domain/errors';
import { isMongoUnavailable } from '../platform/mongo-unavailable';
import {
  MethodNotAllowedError,
  MisdirectedError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
} from './http-errors';
import type { HttpMiddleware } from './request-state';

/** Retry-After of a 503: long enough for an election, short enough for a restart. */
const UNAVAILABLE_RETRY_SECONDS = 2;

/** The one place that maps errors to HTTP statuses. */
function statusOf(error: AppError): number {
  if (error instanceof InvalidRequestError) return 400;
  if (error instanceof UnauthorizedError) return 401;
  if (error instanceof ForbiddenError) return 403;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof MethodNotAllowedError) return 405;
  if (error instanceof ConflictError) return 409;
  if (error instanceof PreconditionFailedError) return 412;
  if (error instanceof PayloadTooLargeError) return 413;
  if (error instanceof UnsupportedMediaTypeError) return 415;
  if (error instanceof MisdirectedError) return 421;
  if (error instanceof UnprocessableError) return 422;
  if (error instanceof TooManyRequestsError) return 429;
  if (error instanceof UnavailableError) return 503;
  return 500;
}

/** The messages for an unavailable MongoDB. A failed read leaves nothing in doubt. */
export const READ_UNAVAILABLE = 'The database does not answer right now. Try again in a moment.';
export const WRITE_UNAVAILABLE =
  "The database can't confirm writes right now. It is unknown whether this was done: try again in a moment. An event " +
  'with the same "idempotency_key" is never accepted twice.';

/** The public form of an error: nothing internal, whatever was thrown. */
function publicError(error: unknown, isRead = false): AppError {
  if (error instanceof AppError) return error;
  if (isMongoUnavailable(error)) {
    const message = isRead ? READ_UNAVAILABLE : WRITE_UNAVAILABLE;
    return new UnavailableError(message, 'service_unavailable', UNAVAILABLE_RETRY_SECONDS);
  }
  return new InternalError(
    'Something went wrong on our side. It is safe to try again with a back-off.',
    'internal_error',
  );
}

class InternalError extends AppError {}

/** The status and the body of an error. */
export interface ErrorAnswer {
  readonly status: number;
  readonly error: string;
  readonly code: ErrorCode;
  readonly details?: ErrorDetail[];
}

/** Turns a thrown value into its public answer. */
export function answerOf(thrown: unknown): ErrorAnswer {
  const error = publicError(thrown);
  const details = 'details' in error ? (error.details as readonly ErrorDetail[]) : [];
  return {
    status: statusOf(error),
    error: error.message,
    code: error.code,
    ...(details.length > 0 && { details: [...details] }),
  };
}

/** Turns a thrown value into the answer that every error has (docs/spec.md, "Errors"). */
export const mapErrors: HttpMiddleware = async (ctx, next) => {
  try {
    await next();
  } catch (thrown) {
    const error = publicError(thrown, ctx.method === 'GET' || ctx.method === 'HEAD');
    const { status, details, ...named } = answerOf(error);
    ctx.state.errorCode = error.code;
    // The code of our own refusal says why, and the access log has it: a flood of refusals writes no stacks.
    if (status >= 500 && !(thrown instanceof UnavailableError))
      ctx.state.log.error({ err: thrown, code: error.code }, 'the request failed');
    else if (error.logDetail) ctx.state.log[status >= 500 ? 'warn' : 'info']({ code: error.code }, error.logDetail);
    if ('retryAfterSeconds' in error) ctx.set('Retry-After', String(error.retryAfterSeconds));
    if (error instanceof MethodNotAllowedError) ctx.set('Allow', error.allowed.join(', '));
    if (error instanceof UnauthorizedError) ctx.set('WWW-Authenticate', 'Bearer');
    ctx.status = status;
    ctx.body = {
      ...named,
      ...(error instanceof TooManyRequestsError && error.fields),
      request_id: ctx.state.requestId,
      ...(details && { details }),
    };
  }
};
