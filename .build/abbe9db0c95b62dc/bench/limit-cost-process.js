"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
const koa_1 = __importDefault(require("koa"));
const manage_accounts_1 = require("../src/accounts/manage-accounts");
const account_store_1 = require("../src/accounts/account-store");
const tiers_1 = require("../src/domain/tiers");
const authenticate_middleware_1 = require("../src/keys/authenticate-middleware");
const error_mapper_1 = require("../src/http/error-mapper");
const manage_keys_1 = require("../src/keys/manage-keys");
const key_cache_1 = require("../src/keys/key-cache");
const key_store_1 = require("../src/keys/key-store");
const auth_failures_1 = require("../src/limits/auth-failures");
const limiter_1 = require("../src/limits/limiter");
const middleware_1 = require("../src/limits/middleware");
const limit_store_1 = require("../src/limits/limit-store");
const clock_1 = require("../src/platform/clock");
const logger_1 = require("../src/platform/logger");
const mongo_1 = require("../src/platform/mongo");
const audit_actions_1 = require("../src/domain/audit-actions");
const ACCOUNTS = 1_000;
const AT_ONCE = 50;
/** A server with one route twice: bare, and behind what every call of the key-scoped API passes. */
async function serve(mongodbUri) {
    const logger = (0, logger_1.createLogger)('warn');
    const mongo = (0, mongo_1.createMongo)(mongodbUri);
    const stores = { accounts: (0, account_store_1.createAccountStore)(mongo.db), keys: (0, key_store_1.createKeyStore)(mongo.db) };
    const tiers = (0, tiers_1.mergeTiers)([{ id: 'bench', name: 'Bench', monthlyQuota: null, perMinute: 10_000_000 }]);
    const deps = { ...stores, tiers, clock: clock_1.systemClock };
    const keys = [];
    for (let index = 0; index < ACCOUNTS; index += AT_ONCE) {
        const made = Array.from({ length: AT_ONCE }, async (_, offset) => {
            const account = await (0, manage_accounts_1.createAccount)(deps, { email: `limit-${index + offset}@example.com`, tier: 'bench' }, audit_actions_1.BY_COMMAND_LINE);
            return (await (0, manage_keys_1.createKey)(deps, { accountId: account._id, product: 'weh', label: 'bench' }, audit_actions_1.BY_COMMAND_LINE)).key;
        });
        keys.push(...(await Promise.all(made)));
    }
    const limiter = (0, limiter_1.createLimiter)((0, limit_store_1.createLimitStore)(mongo.db, tiers));
    const authenticate = (0, authenticate_middleware_1.createAuthenticate)({
        keys: (0, key_cache_1.createKeyCache)({ keys: stores.keys, logger }),
        limiter,
        authFailures: (0, auth_failures_1.createAuthFailureLimiter)({ perMinute: 600, clock: clock_1.systemClock }),
        clientAddress: () => 'bench',
    });
    const admit = (0, middleware_1.createAdmit)({ limiter, countsItself: () => false, clientAddress: () => 'bench' });
    const app = new koa_1.default();
    app.use(async (ctx, next) => {
        Object.assign(ctx.state, { log: logger, identify: () => undefined });
        await next();
    });
    app.use(error_mapper_1.mapErrors);
    app.use((ctx, next) => (ctx.path === '/bare' ? answer(ctx) : next()));
    app.use(authenticate);
    app.use(admit);
    app.use(answer);
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return { port: server.address().port, keys };
}
function answer(ctx) {
    ctx.body = { status: 'ok' };
}
process.once('message', ({ mongodbUri }) => {
    void serve(mongodbUri).then((listening) => process.send?.({ kind: 'listening', ...listening }));
});
process.on('disconnect', () => process.exit(0));
//# sourceMappingURL=limit-cost-process.js.map