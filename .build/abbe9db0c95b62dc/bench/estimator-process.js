"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
const node_crypto_1 = require("node:crypto");
const koa_1 = __importDefault(require("koa"));
const raw_body_1 = __importDefault(require("raw-body"));
const config_1 = require("../src/config");
const start_role_1 = require("../src/processes/start-role");
const logger_1 = require("../src/platform/logger");
/** The API as it is started in production, with a limit that nobody reaches. Its log goes where standard output goes. */
async function startEverpost(mongodbUri) {
    const config = (0, config_1.loadConfig)({
        PORT: '0',
        MONGODB_URI: mongodbUri,
        // The estimator needs no Temporal.
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        ENCRYPTION_KEY: (0, node_crypto_1.randomBytes)(32).toString('base64'),
        ESTIMATOR_PER_MINUTE: '1000000000',
    });
    const role = await (0, start_role_1.startRole)('api', config, (0, logger_1.createLogger)(config.logLevel));
    return role.url;
}
/** Koa and nothing else: the same bytes as Everpost's answers, made once. The POST reads its body. */
async function startBare(catalog, estimate) {
    const answers = { GET: Buffer.from(catalog), POST: Buffer.from(estimate) };
    const app = new koa_1.default();
    app.use(async (ctx) => {
        if (ctx.method === 'POST')
            await (0, raw_body_1.default)(ctx.req);
        ctx.type = 'application/json';
        ctx.body = ctx.method === 'POST' ? answers.POST : answers.GET;
    });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return `http://127.0.0.1:${server.address().port}`;
}
process.on('message', (task) => {
    if (task.kind === 'cpu') {
        const { user, system } = process.cpuUsage();
        process.send?.({ kind: 'cpu', microseconds: user + system });
        return;
    }
    const started = task.kind === 'bare' ? startBare(task.catalog, task.estimate) : startEverpost(task.mongodbUri);
    void started.then((url) => process.send?.({ kind: 'listening', url }));
});
process.on('disconnect', () => process.exit(0));
//# sourceMappingURL=estimator-process.js.map