"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.UnsupportedMediaTypeError = exports.PayloadTooLargeError = exports.MisdirectedError = exports.MethodNotAllowedError = void 0;
const errors_1 = require("../domain/errors");
/** The path exists, but not with this method. */
class MethodNotAllowedError extends errors_1.AppError {
    allowed;
    constructor(method, allowed) {
        super(`${method} is not allowed here. Allowed: ${allowed.join(', ')}.`, 'method_not_allowed');
        this.allowed = allowed;
    }
}
exports.MethodNotAllowedError = MethodNotAllowedError;
/** The Host header names another server. */
class MisdirectedError extends errors_1.AppError {
}
exports.MisdirectedError = MisdirectedError;
/** The body is larger than 256 KiB. */
class PayloadTooLargeError extends errors_1.AppError {
}
exports.PayloadTooLargeError = PayloadTooLargeError;
/** The body is not `application/json`, or it is compressed. */
class UnsupportedMediaTypeError extends errors_1.AppError {
}
exports.UnsupportedMediaTypeError = UnsupportedMediaTypeError;
//# sourceMappingURL=http-errors.js.map