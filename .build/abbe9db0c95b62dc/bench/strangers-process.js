"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_crypto_1 = require("node:crypto");
const node_fs_1 = require("node:fs");
const config_1 = require("../src/config");
const start_role_1 = require("../src/processes/start-role");
const logger_1 = require("../src/platform/logger");
/** Limits that nobody reaches: what a call costs that is not refused for being one too many. */
const NO_LIMIT = '1000000000';
async function start(mongodbUri) {
    const config = (0, config_1.loadConfig)({
        PORT: '0',
        MONGODB_URI: mongodbUri,
        // No stranger comes so far.
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        ENCRYPTION_KEY: (0, node_crypto_1.randomBytes)(32).toString('base64'),
        ESTIMATOR_PER_MINUTE: NO_LIMIT,
        AUTH_FAILURES_PER_MINUTE: NO_LIMIT,
        LOG_LEVEL: 'error',
    });
    const role = await (0, start_role_1.startRole)('api', config, (0, logger_1.createLogger)(config.logLevel));
    await role.indexesReady;
    return role.url;
}
/** Nanoseconds that the main thread, which is the event loop, was on a processor; other load does not count. Linux. */
function threadNanoseconds() {
    return Number((0, node_fs_1.readFileSync)(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
}
/** What is alive, buffers included, once all else is collected. */
function liveBytes() {
    for (let pass = 0; pass < 3; pass += 1)
        globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
}
process.on('message', (task) => {
    if (task.kind === 'cpu')
        process.send?.({ kind: 'cpu', nanoseconds: threadNanoseconds() });
    else if (task.kind === 'heap')
        process.send?.({ kind: 'heap', bytes: liveBytes() });
    else
        void start(task.mongodbUri).then((url) => process.send?.({ kind: 'listening', url }));
});
process.on('disconnect', () => process.exit(0));
//# sourceMappingURL=strangers-process.js.map