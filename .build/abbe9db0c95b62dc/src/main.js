"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.warnOfOpenNetworks = warnOfOpenNetworks;
const config_1 = require("./config");
const logger_1 = require("./platform/logger");
const secret_box_1 = require("./platform/secret-box");
const start_processes_1 = require("./processes/start-processes");
const start_role_1 = require("./processes/start-role");
const worker_1 = require("./worker");
/** `node dist/src/main.js <role>`: the production entry. */
async function main(role) {
    if (!start_role_1.ROLES.includes(role))
        throw new config_1.ConfigError(`Name a role: ${start_role_1.ROLES.join(', ')}.`);
    const config = (0, config_1.loadConfig)();
    const logger = (0, logger_1.createLogger)(config.logLevel);
    (0, worker_1.installTemporalRuntime)(logger);
    warnOfOpenNetworks(config, logger);
    const running = await (0, start_processes_1.startProcesses)(role, config, logger);
    // The ids say nothing of the keys. During a rotation they show which process has which.
    const { keyIds } = (0, secret_box_1.createSecretBox)(config.encryptionKeys);
    logger.info({ role, url: running.url, metrics: running.metricsUrl, key_ids: keyIds }, 'everpost runs');
    const stop = (signal) => {
        logger.info({ signal }, 'stopping');
        running.close().then(() => process.exit(0), (error) => {
            logger.error({ err: error }, 'stopping failed');
            process.exit(1);
        });
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
}
/** Says loudly which doors are open. */
function warnOfOpenNetworks({ delivery }, logger) {
    const { allowHttp, allowCidrs } = delivery.policy;
    if (allowHttp || allowCidrs.length > 0) {
        logger.warn({ allowHttp, allowCidrs }, 'DELIVERIES MAY GO TO PRIVATE NETWORKS OR OVER PLAIN HTTP: every key holder can reach them');
    }
}
if (require.main === module) {
    main(process.argv[2]).catch((error) => {
        const text = error instanceof config_1.ConfigError ? error.message : error;
        console.error(text);
        process.exit(1);
    });
}
//# sourceMappingURL=main.js.map