"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.STRANGER_ROUTES = exports.SESSION_ROUTES = void 0;
const app_1 = require("../src/app");
/** Ways to sign in, and the estimator: strangers may use them, so they read what strangers send, up to a limit. */
const ENTRY_BYTES = 4 * 1_024;
const ESTIMATE_BYTES = 64 * 1_024;
const routeOf = (operation, reads, isPublic) => ({
    name: `${operation.method.toUpperCase()} ${operation.path}`,
    method: operation.method.toUpperCase(),
    path: operation.path.replaceAll(/\{\w+\}/g, '1'),
    reads,
    isPublic,
});
const pageOf = (path, method = 'GET') => ({
    name: `${method} ${path}`,
    method,
    path,
    reads: 0,
    isPublic: method === 'GET',
});
// Only what is served is asked for; no handler runs here.
const api = (0, app_1.createApi)({ endpoints: {}, events: {} });
const pages = (0, app_1.createSessionApi)({ dashboard: {} });
/** Operations that need a session. */
exports.SESSION_ROUTES = pages.session.operations.map((operation) => routeOf(operation, 0, false));
/** Every route: those of operations by themselves, and what else `src/app.ts` serves. */
exports.STRANGER_ROUTES = [
    ...api.operations.map((operation) => {
        const isPublic = operation.security !== undefined;
        return routeOf(operation, isPublic && operation.body ? ESTIMATE_BYTES : 0, isPublic);
    }),
    ...pages.entry.operations.map((operation) => routeOf(operation, operation.body ? ENTRY_BYTES : 0, operation.body === undefined)),
    ...exports.SESSION_ROUTES,
    ...['/', '/dashboard', '/estimator', '/docs', '/docs/swagger-ui-bundle.js', '/openapi.json'].map((path) => pageOf(path)),
    ...['/healthz', '/readyz', '/favicon.svg'].map((path) => pageOf(path)),
    ...['/dashboard', '/nothing', '/api/v1/nothing', '/dashboard/api/nothing'].map((path) => pageOf(path, 'POST')),
];
//# sourceMappingURL=stranger-routes.js.map