"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.createApp = createApp;
exports.createApi = createApi;
exports.createSessionApi = createSessionApi;
const router_1 = __importDefault(require("@koa/router"));
const koa_1 = __importDefault(require("koa"));
const routes_1 = require("./endpoints/routes");
const secret_routes_1 = require("./endpoints/secret-routes");
const state_routes_1 = require("./endpoints/state-routes");
const verify_routes_1 = require("./endpoints/verify-routes");
const cross_origin_1 = require("./http/cross-origin");
const middleware_1 = require("./estimator/middleware");
const routes_2 = require("./estimator/routes");
const schema_1 = require("./estimator/schema");
const replay_routes_1 = require("./events/replay-routes");
const routes_3 = require("./deliveries/routes");
const batch_routes_1 = require("./events/batch-routes");
const routes_4 = require("./events/routes");
const test_event_routes_1 = require("./events/test-event-routes");
const routes_5 = require("./keys/routes");
const dashboard_api_1 = require("./dashboard-api/dashboard-api");
const static_files_1 = require("./dashboard-api/static-files");
const routes_6 = require("./listen/routes");
const routes_7 = require("./replays/routes");
const middleware_2 = require("./limits/middleware");
const authenticate_middleware_1 = require("./keys/authenticate-middleware");
const error_mapper_1 = require("./http/error-mapper");
const docs_page_1 = require("./openapi/docs-page");
const early_refusals_middleware_1 = require("./limits/early-refusals-middleware");
const health_1 = require("./http/health");
const not_found_1 = require("./http/not-found");
const openapi_1 = require("./openapi/openapi");
const require_host_1 = require("./http/require-host");
const request_context_1 = require("./http/request-context");
const unread_body_1 = require("./http/unread-body");
/** The HTTP API. A request's way, top to bottom. */
function createApp(deps) {
    const { router, operations } = createApi(deps);
    const app = new koa_1.default();
    app.use((0, request_context_1.createRequestContext)(deps));
    app.use(unread_body_1.discardUnreadBody);
    app.use(error_mapper_1.mapErrors);
    app.use(require_host_1.requireAddress);
    app.use(onlyUnder('/api', (0, early_refusals_middleware_1.createEarlyRefusals)({ clientAddress: deps.authenticate.clientAddress, limiterOf: strangersOf(deps) })));
    app.use(require_host_1.requireSingleHeaders);
    app.use((0, health_1.createHealth)(deps.health));
    // Behind it: load balancers ask for the health of an address by whatever name.
    app.use((0, require_host_1.createRequireAllowedHost)(deps.isAllowedHost));
    app.use((0, docs_page_1.createDocsPage)((0, openapi_1.buildOpenApi)(operations, deps.publicUrl)));
    app.use((0, static_files_1.createStaticFiles)(deps.webPage));
    app.use(onlyUnder('/api/v1', (0, authenticate_middleware_1.createAuthenticate)(deps.authenticate)));
    app.use(onlyUnder('/api/v1', (0, middleware_2.createAdmit)({ ...deps.authenticate, countsItself: batch_routes_1.isEventBatch })));
    app.use(onlyUnder(schema_1.ESTIMATOR_PATH, cross_origin_1.allowAnyOrigin));
    app.use(onlyUnder(schema_1.ESTIMATOR_PATH, (0, middleware_1.createEstimatorAccess)(deps.estimator.access)));
    app.use(require_host_1.requireHost);
    app.use((0, not_found_1.createRequireMethod)(operations));
    for (const step of (0, dashboard_api_1.createDashboardRoutes)(deps.dashboard, createSessionApi(deps))) {
        app.use(onlyUnder('/dashboard/api', step));
    }
    app.use(router.routes());
    app.use((0, not_found_1.createNotFound)(router));
    // What gets here failed while the answer was being sent; the client is gone.
    app.on('error', (error) => deps.logger.debug({ err: error }, 'an answer could not be sent'));
    return app;
}
/** The operations: what the router serves and what the OpenAPI document says are the same. */
function createApi(deps) {
    const router = new router_1.default({ sensitive: true });
    const api = { router, operations: [], audit: deps.audit };
    (0, routes_5.addKeyRoutes)(api, deps.endpoints);
    addWebhookRoutes(api, deps);
    (0, routes_2.addEstimatorRoutes)(api, deps.estimator);
    return api;
}
/** The operations of the dashboard, with those of the API that sessions can call too. */
function createSessionApi(deps) {
    return (0, dashboard_api_1.createDashboardApi)(deps.dashboard, (api) => addWebhookRoutes(api, deps));
}
/** The operations under `/api/v1/webhooks`; the dashboard serves them a second time, to its sessions. */
function addWebhookRoutes(api, deps) {
    (0, routes_1.addEndpointRoutes)(api, deps.endpoints);
    (0, state_routes_1.addEndpointStateRoutes)(api, deps.endpoints);
    (0, test_event_routes_1.addTestEventRoute)(api, deps.endpoints);
    (0, verify_routes_1.addVerifyRoute)(api, deps.endpoints);
    (0, secret_routes_1.addSecretRoutes)(api, deps.endpoints);
    (0, routes_4.addEventRoutes)(api, deps.events);
    (0, batch_routes_1.addEventBatchRoute)(api, deps.events);
    (0, routes_3.addDeliveryRoutes)(api, deps.deliveries);
    (0, replay_routes_1.addEventDeliveryRoutes)(api, deps.deliveries);
    (0, routes_7.addReplayRoutes)(api, deps.replays);
    (0, routes_6.addListenRoutes)(api, deps.listen);
}
/** Whose calls a refusal's headers count: the estimator's, or those without a valid key. */
function strangersOf({ authenticate, estimator }) {
    return (path) => (path.startsWith(schema_1.ESTIMATOR_PATH) ? estimator.access.anonymous : authenticate.authFailures);
}
/** Runs a middleware for a path and all below it. */
function onlyUnder(prefix, middleware) {
    return (ctx, next) => (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next());
}
//# sourceMappingURL=app.js.map