"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.mapErrors = exports.WRITE_UNAVAILABLE = exports.READ_UNAVAILABLE = void 0;
exports.answerOf = answerOf;
const errors_1 = require("../domain/errors");
const mongo_1 = require("../platform/mongo");
const http_errors_1 = require("./http-errors");
/** Retry-After of a 503: long enough for an election, short enough for a restart. */
const UNAVAILABLE_RETRY_SECONDS = 2;
/** The one place that knows which HTTP status an error is. */
function statusOf(error) {
    if (error instanceof errors_1.InvalidRequestError)
        return 400;
    if (error instanceof errors_1.UnauthorizedError)
        return 401;
    if (error instanceof errors_1.ForbiddenError)
        return 403;
    if (error instanceof errors_1.NotFoundError)
        return 404;
    if (error instanceof http_errors_1.MethodNotAllowedError)
        return 405;
    if (error instanceof errors_1.ConflictError)
        return 409;
    if (error instanceof http_errors_1.PayloadTooLargeError)
        return 413;
    if (error instanceof http_errors_1.UnsupportedMediaTypeError)
        return 415;
    if (error instanceof http_errors_1.MisdirectedError)
        return 421;
    if (error instanceof errors_1.UnprocessableError)
        return 422;
    if (error instanceof errors_1.TooManyRequestsError)
        return 429;
    if (error instanceof errors_1.UnavailableError)
        return 503;
    return 500;
}
/** The messages for MongoDB being away. A read leaves nothing in doubt. */
exports.READ_UNAVAILABLE = 'The database does not answer right now. Try again in a moment.';
exports.WRITE_UNAVAILABLE = 'The database does not confirm anything right now. Whether this was done is not known: try again in a moment. An event ' +
    'with the same "idempotency_key" is never accepted twice.';
/** The error as a caller may see it: nothing internal, whatever was thrown. */
function publicError(error, isRead = false) {
    if (error instanceof errors_1.AppError)
        return error;
    if ((0, mongo_1.isMongoUnavailable)(error)) {
        const message = isRead ? exports.READ_UNAVAILABLE : exports.WRITE_UNAVAILABLE;
        return new errors_1.UnavailableError(message, 'service_unavailable', UNAVAILABLE_RETRY_SECONDS);
    }
    return new InternalError('Something went wrong on our side. It is safe to try again with a back-off.', 'internal_error');
}
class InternalError extends errors_1.AppError {
}
/** Turns whatever was thrown into what a caller may see of it. */
function answerOf(thrown) {
    const error = publicError(thrown);
    const details = 'details' in error ? error.details : [];
    return {
        status: statusOf(error),
        error: error.message,
        code: error.code,
        ...(details.length > 0 && { details: [...details] }),
    };
}
/** Turns whatever was thrown into the answer that every error has (docs/spec.md, "Errors"). */
const mapErrors = async (ctx, next) => {
    try {
        await next();
    }
    catch (thrown) {
        const error = publicError(thrown, ctx.method === 'GET' || ctx.method === 'HEAD');
        const { status, details, ...named } = answerOf(error);
        ctx.state.errorCode = error.code;
        // A part of ours that refuses says why in its code, which the access log has: a flood of refusals writes no stacks.
        if (status >= 500 && !(thrown instanceof errors_1.UnavailableError))
            ctx.state.log.error({ err: thrown, code: error.code }, 'the request failed');
        else if (error.logDetail)
            ctx.state.log[status >= 500 ? 'warn' : 'info']({ code: error.code }, error.logDetail);
        if ('retryAfterSeconds' in error)
            ctx.set('Retry-After', String(error.retryAfterSeconds));
        if (error instanceof http_errors_1.MethodNotAllowedError)
            ctx.set('Allow', error.allowed.join(', '));
        if (error instanceof errors_1.UnauthorizedError)
            ctx.set('WWW-Authenticate', 'Bearer');
        ctx.status = status;
        ctx.body = {
            ...named,
            ...(error instanceof errors_1.TooManyRequestsError && error.fields),
            request_id: ctx.state.requestId,
            ...(details && { details }),
        };
    }
};
exports.mapErrors = mapErrors;
//# sourceMappingURL=error-mapper.js.map