"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRequireMethod = createRequireMethod;
exports.createNotFound = createNotFound;
const errors_1 = require("../domain/errors");
const http_errors_1 = require("./http-errors");
/**
 * Answers 405 for other methods of paths without parameters, before the router runs: `GET …/events/batch` is not the
 * event whose id is "batch".
 */
function createRequireMethod(operations) {
    const allowed = new Map();
    for (const { path, method } of operations) {
        if (path.includes('{'))
            continue;
        const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
        allowed.set(path, [...(allowed.get(path) ?? []), ...methods].toSorted());
    }
    return (ctx, next) => {
        const methods = allowed.get(ctx.path);
        if (methods && !methods.includes(ctx.method))
            throw new http_errors_1.MethodNotAllowedError(ctx.method, methods);
        return next();
    };
}
/** Answers what no route took: 405 where another method would be right, 404 elsewhere. */
function createNotFound(router) {
    return (ctx) => {
        const { path } = router.match(ctx.path, ctx.method);
        const allowed = [...new Set(path.flatMap(({ methods }) => methods))].sort();
        if (allowed.length > 0)
            throw new http_errors_1.MethodNotAllowedError(ctx.method, allowed);
        throw new errors_1.NotFoundError('There is nothing at this address. The paths are listed in the documentation.', 'not_found');
    };
}
//# sourceMappingURL=not-found.js.map