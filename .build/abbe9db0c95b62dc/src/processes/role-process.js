"use strict";
// One of the processes of `startProcesses`. It gets the settings from the one that started it, and ends with it.
Object.defineProperty(exports, "__esModule", { value: true });
const node_events_1 = require("node:events");
const prom_client_1 = require("prom-client");
const logger_1 = require("../platform/logger");
const start_role_1 = require("./start-role");
const worker_1 = require("../worker");
async function main(role) {
    const [config] = (await (0, node_events_1.once)(process, 'message'));
    const logger = (0, logger_1.createLogger)(config.logLevel);
    (0, worker_1.installTemporalRuntime)(logger);
    const running = await (0, start_role_1.startRole)(role, config, logger, { servesMetrics: false });
    prom_client_1.AggregatorRegistry.setRegistries(running.registry);
    // It is what answers the one that started us.
    void new prom_client_1.AggregatorRegistry();
    const stop = () => void running.close().finally(() => process.exit());
    process.once('SIGTERM', stop);
    tell({ kind: 'runs', url: running.url });
    void running.workerReady.then(() => tell({ kind: 'worker-ready' }));
    void running.indexesReady.then(() => tell({ kind: 'indexes-ready' }));
}
function tell(message) {
    if (process.connected)
        process.send(message);
}
// Ctrl-C reaches every process of the terminal: the one that started us stops us.
process.on('SIGINT', () => undefined);
// The one that started us was killed. Before Node's own listener, which exits: that flushes the log, and sonic-boom 4.2
// tries for ever to write into a pipe that nobody reads, with everything that this process has of MongoDB.
process.prependOnceListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));
main(process.argv[2]).catch((error) => {
    const { message: text, code } = error;
    tell({ kind: 'failed', text, code });
    process.exit(1);
});
//# sourceMappingURL=role-process.js.map