"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.requireHost = exports.requireSingleHeaders = exports.requireAddress = void 0;
exports.createRequireAllowedHost = createRequireAllowedHost;
const errors_1 = require("../domain/errors");
const http_errors_1 = require("./http-errors");
/** Refuses addresses that Node accepts but that have no valid path, such as `http://[::1/x`. */
const requireAddress = (ctx, next) => {
    if (!hasPath(ctx))
        throw new errors_1.InvalidRequestError('The address of the request is not valid.', 'malformed_request');
    return next();
};
exports.requireAddress = requireAddress;
function hasPath(ctx) {
    try {
        return typeof ctx.path === 'string';
    }
    catch {
        return false;
    }
}
/** Headers of which a second copy would be ignored here, and might be used by a proxy. */
const SINGLE = ['host', 'authorization', 'content-type'];
/** Refuses a second header of those that a request has once (RFC 9110, 5.3). */
const requireSingleHeaders = (ctx, next) => {
    const twice = SINGLE.find((name) => (ctx.req.headersDistinct[name]?.length ?? 0) > 1);
    if (twice !== undefined) {
        throw new errors_1.InvalidRequestError(`Send the "${twice}" header once.`, 'malformed_request');
    }
    return next();
};
exports.requireSingleHeaders = requireSingleHeaders;
/**
 * Refuses requests for other servers' names: a page of another site whose name points to this server (DNS rebinding).
 */
function createRequireAllowedHost(isAllowed) {
    return (ctx, next) => {
        const { host } = ctx.req.headers;
        if (host === undefined || isAllowed(host))
            return next();
        throw new http_errors_1.MisdirectedError('This server does not answer for the name in the Host header. Its operator lists its names in ALLOWED_HOSTS.', 'host_not_allowed');
    };
}
/** Refuses HTTP/1.1 without a Host (RFC 9112, 3.2): here, and not in Node, which would answer without a body. */
const requireHost = (ctx, next) => {
    if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
        throw new errors_1.InvalidRequestError('Send a Host header.', 'malformed_request');
    }
    return next();
};
exports.requireHost = requireHost;
//# sourceMappingURL=require-host.js.map