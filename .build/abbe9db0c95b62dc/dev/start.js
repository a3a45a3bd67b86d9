"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_path_1 = require("node:path");
const config_1 = require("../src/config");
const main_1 = require("../src/main");
const logger_1 = require("../src/platform/logger");
const worker_1 = require("../src/worker");
const banner_1 = require("./banner");
const data_dir_1 = require("./data-dir");
const local_stack_error_1 = require("./local-stack-error");
const stack_1 = require("./stack");
const stack_log_1 = require("./stack-log");
/** A terminal's Ctrl-C may reach us twice, directly and through npm; a person's second one comes later. */
const SAME_CTRL_C_MS = 500;
function say(line) {
    process.stderr.write(`${line}\n`);
}
/** `npm start`: the whole product on one machine. */
async function main() {
    const config = (0, config_1.loadConfig)();
    const folder = await (0, data_dir_1.takeDataDir)(config.dataDir);
    const logFile = (0, node_path_1.join)(folder.path, 'everpost.log');
    const log = (0, stack_log_1.createStackLog)(logFile, say);
    const logger = (0, logger_1.createLogger)(config.logLevel, log);
    (0, worker_1.installTemporalRuntime)(logger);
    const stack = (0, stack_1.createLocalStack)({ config, dataDir: folder.path, logger, log, onProgress: say });
    const signals = stopOnSignals(stack, folder);
    try {
        const running = await stack.start();
        const { apiUrl, temporalUiUrl, temporalAddress, mongodbUri } = running;
        folder.announce({ apiUrl, temporalUiUrl, temporalAddress, mongodbUri, inboxUrl: running.inbox.pageUrl });
        process.stdout.write((0, banner_1.renderBanner)(running, { dataDir: folder.path, logFile }));
        (0, main_1.warnOfOpenNetworks)(config, logger);
    }
    catch (error) {
        // Stopped in the middle of the start: no failure, and the signal's handler ends the process.
        if (signals.wasAsked())
            return;
        await stack.stop();
        await folder.release();
        throw error;
    }
}
function stopOnSignals(stack, folder) {
    let askedAt;
    async function stop(exitCode) {
        askedAt = Date.now();
        say('Stopping. Deliveries under way get 35 s; Ctrl-C again ends them at once, and the next start repeats them.');
        await stack.stop();
        await folder.release();
        say('Stopped.');
        process.exit(exitCode);
    }
    function onSignal() {
        if (askedAt === undefined) {
            stop(0).catch((error) => fail(error));
        }
        else if (Date.now() - askedAt > SAME_CTRL_C_MS) {
            stack.kill();
            say('Ended at once.');
            process.exit(1);
        }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
        process.on(signal, onSignal);
    process.on('uncaughtException', (error) => {
        say(`Everpost has to stop: ${error.stack}`);
        if (askedAt === undefined)
            stop(1).catch(fail);
    });
    // Whoever reads our output may leave before we do.
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', () => undefined);
    return { wasAsked: () => askedAt !== undefined };
    function fail(error) {
        say(`Stopping failed: ${String(error)}`);
        stack.kill();
        process.exit(1);
    }
}
main().catch((error) => {
    const isExpected = error instanceof local_stack_error_1.LocalStackError || error instanceof config_1.ConfigError;
    say(isExpected ? error.message : `Everpost could not start: ${error instanceof Error ? error.stack : String(error)}`);
    process.exit(1);
});
//# sourceMappingURL=start.js.map