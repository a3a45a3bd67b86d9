"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.TooManyRequestsError = exports.UnavailableError = exports.ConflictError = exports.NotFoundError = exports.ForbiddenError = exports.UnauthorizedError = exports.UnprocessableError = exports.InvalidRequestError = exports.AppError = void 0;
exports.firstDetails = firstDetails;
/** How many problems an error names: a body can have tens of thousands, and nobody reads them. */
const MAX_DETAILS = 20;
/** Of the path of a problem: it holds names that the caller chose. */
const MAX_PATH_LENGTH = 200;
/** The first 20 problems, without the ends of long paths. */
function firstDetails(details) {
    return details.slice(0, MAX_DETAILS).map(({ path, message }) => ({ path: shortened(path), message }));
}
function shortened(path) {
    return path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;
}
/**
 * An error that a caller may read. `message` and `code` are public; `logDetail` is for the log only.
 * Only `http/error-mapper.ts` knows which HTTP status each subclass becomes.
 */
class AppError extends Error {
    /** Stable, snake_case; callers may switch on it. Listed in docs/errors.md. */
    code;
    logDetail;
    constructor(message, code, logDetail) {
        super(message);
        this.name = new.target.name;
        this.code = code;
        this.logDetail = logDetail;
    }
}
exports.AppError = AppError;
/** The request is malformed: wrong type, missing field, out of range. */
class InvalidRequestError extends AppError {
    details;
    constructor(message, code = 'invalid_request', details = []) {
        super(message, code);
        this.details = details;
    }
}
exports.InvalidRequestError = InvalidRequestError;
/** Well-formed, and yet it can't be done: the reason is in the message. */
class UnprocessableError extends AppError {
    details;
    constructor(message, code, details = []) {
        super(message, code);
        this.details = details;
    }
}
exports.UnprocessableError = UnprocessableError;
/** No key, a malformed one, an unknown one or a revoked one. */
class UnauthorizedError extends AppError {
}
exports.UnauthorizedError = UnauthorizedError;
/** The key is valid, but not for this. */
class ForbiddenError extends AppError {
}
exports.ForbiddenError = ForbiddenError;
/** It does not exist, or it belongs to somebody else: callers can't tell which. */
class NotFoundError extends AppError {
}
exports.NotFoundError = NotFoundError;
/** The state of the thing, or a limit on their number, forbids it. */
class ConflictError extends AppError {
}
exports.ConflictError = ConflictError;
/** A part that is needed is away for now. */
class UnavailableError extends AppError {
    retryAfterSeconds;
    constructor(message, code, retryAfterSeconds, logDetail) {
        super(message, code, logDetail);
        this.retryAfterSeconds = retryAfterSeconds;
    }
}
exports.UnavailableError = UnavailableError;
/** A limit is exhausted; `fields` are the ones that the specification gives its body. */
class TooManyRequestsError extends AppError {
    retryAfterSeconds;
    fields;
    constructor(message, code, retryAfterSeconds, fields) {
        super(message, code);
        this.retryAfterSeconds = retryAfterSeconds;
        this.fields = fields;
    }
}
exports.TooManyRequestsError = TooManyRequestsError;
//# sourceMappingURL=errors.js.map