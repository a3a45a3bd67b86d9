"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDashboardApi = createDashboardApi;
exports.createDashboardRoutes = createDashboardRoutes;
const router_1 = __importDefault(require("@koa/router"));
const zod_1 = require("zod");
const not_found_1 = require("../http/not-found");
const operation_1 = require("../http/operation");
const errors_1 = require("../domain/errors");
const account_routes_1 = require("./account-routes");
const audit_routes_1 = require("./audit-routes");
const sign_in_routes_1 = require("./sign-in-routes");
const key_routes_1 = require("./key-routes");
const overview_routes_1 = require("./overview-routes");
const require_session_1 = require("./require-session");
const session_routes_1 = require("./session-routes");
const PUBLIC_API = '/api/v1/';
const PREFIX = '/dashboard/api';
/**
 * The dashboard's operations.
 *
 * @param addWebhooks adds the operations of the public API, to be served under `/dashboard/api` as well, by the same
 *   handlers
 */
function createDashboardApi(deps, addWebhooks) {
    const newApi = () => ({
        router: new router_1.default({ sensitive: true }),
        operations: [],
        audit: deps.audit,
    });
    const entry = newApi();
    const session = newApi();
    (0, sign_in_routes_1.addSignInRoutes)(entry, deps);
    (0, session_routes_1.addSessionRoutes)(session, deps);
    (0, key_routes_1.addKeyRoutes)(session, deps);
    (0, overview_routes_1.addOverviewRoutes)(session, deps);
    (0, audit_routes_1.addAuditRoutes)(session, deps);
    (0, account_routes_1.addAccountRoutes)(session, deps);
    addLiveOperation(session, deps.streams);
    addWebhooks({ ...session, mount: mountOf });
    return { entry, session };
}
/** `/api/v1/webhooks/…` is served as `/dashboard/api/webhooks/…`; what counts as a call of a key is not. */
function mountOf({ path, keyOnly }) {
    return keyOnly ? undefined : `${PREFIX}/${path.slice(PUBLIC_API.length)}`;
}
/** A request's way through the dashboard's API, to be run for paths under `/dashboard/api`. */
function createDashboardRoutes(deps, { entry, session }) {
    return [
        neverStored,
        requireSameOrigin,
        entry.router.routes(),
        (0, require_session_1.createRequireSession)(deps),
        session.router.routes(),
        (0, not_found_1.createNotFound)(session.router),
    ];
}
/** Answers hold what belongs to one person: no cache keeps them, no other site embeds them. */
const neverStored = (ctx, next) => {
    ctx.set({
        'Cache-Control': 'no-store',
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        'Cross-Origin-Resource-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
    });
    return next();
};
function addLiveOperation(api, streams) {
    (0, operation_1.addOperation)(api, {
        id: 'followChanges',
        method: 'get',
        path: `${PREFIX}/live`,
        tag: 'Live',
        summary: 'Follow changes',
        description: 'Server-sent events. `ready`: look at everything again; from here on changes are told. `change`: ids of the ' +
            "account's events, endpoints, replays and keys that changed. `end`: the session is over.",
        answers: { 200: { description: 'A stream of server-sent events.', schema: zod_1.z.unknown() } },
    }, (ctx) => streams.open(ctx));
}
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Refuses every unsafe request that does not say that it comes from a page of this very origin (cross-site request
 * forgery). Browsers say so by `Sec-Fetch-Site`, and over plain HTTP, where that is missing, by `Origin`.
 */
const requireSameOrigin = (ctx, next) => {
    if (SAFE_METHODS.has(ctx.method))
        return next();
    const site = ctx.get('Sec-Fetch-Site');
    const isOurs = site === '' ? hostOf(ctx.get('Origin')) === ctx.get('Host').toLowerCase() : site === 'same-origin';
    if (!isOurs) {
        throw new errors_1.ForbiddenError('This request comes from another site. Use the dashboard itself.', 'cross_site_request');
    }
    return next();
};
/** Host and port of an origin, as a Host header has them; undefined for none and for `null`. */
function hostOf(origin) {
    return URL.canParse(origin) ? new URL(origin).host || undefined : undefined;
}
//# sourceMappingURL=dashboard-api.js.map