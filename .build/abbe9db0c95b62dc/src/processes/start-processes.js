"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.startProcesses = startProcesses;
const node_cluster_1 = __importDefault(require("node:cluster"));
const node_events_1 = require("node:events");
const node_path_1 = require("node:path");
const node_readline_1 = require("node:readline");
const prom_client_1 = require("prom-client");
const metrics_1 = require("../platform/metrics");
const start_role_1 = require("./start-role");
/** A process that ends unexpectedly is replaced after this time. */
const RESTART_DELAY_MS = 1_000;
/**
 * Runs a role in as many processes as `PROCESSES` says. They share the API's port; leases in MongoDB give each sweep one
 * owner, as between hosts. One that ends unasked is replaced. They end with this process, however it ends.
 *
 * @param log where the processes' log lines go
 * @throws what `startRole` throws, in any of them
 */
async function startProcesses(role, config, logger, log = process.stdout) {
    if (config.processes === 1)
        return (0, start_role_1.startRole)(role, config, logger);
    const file = (0, node_path_1.join)(__dirname, 'role-process.js');
    node_cluster_1.default.setupPrimary({ exec: file, args: [role], serialization: 'advanced', silent: true });
    const running = new Set();
    let isClosing = false;
    const fork = () => {
        const child = startChild(config, log);
        running.add(child.worker);
        child.worker.once('exit', (code, signal) => {
            running.delete(child.worker);
            if (isClosing)
                return;
            logger.error({ code, signal }, 'a process ended; another one takes its place');
            setTimeout(() => isClosing || ignore(fork()), RESTART_DELAY_MS);
        });
        return child;
    };
    const close = async () => {
        isClosing = true;
        await Promise.all([...running].map((worker) => stopChild(worker)));
    };
    const children = Array.from({ length: config.processes }, fork);
    const all = async (what) => void (await Promise.all(children.map(what)));
    try {
        const urls = await Promise.all(children.map(({ url }) => url));
        // The sums of what they count.
        const counts = new prom_client_1.AggregatorRegistry();
        const source = { contentType: counts.contentType, metrics: () => counts.clusterMetrics() };
        const metrics = await (0, metrics_1.serveMetrics)(source, config, logger);
        return {
            url: urls[0],
            metricsUrl: metrics?.url,
            workerReady: all((child) => child.workerReady),
            indexesReady: all((child) => child.indexesReady),
            async close() {
                await close();
                metrics?.close();
            },
        };
    }
    catch (error) {
        await close();
        throw error;
    }
}
function startChild(config, log) {
    const worker = node_cluster_1.default.fork();
    for (const stream of [worker.process.stdout, worker.process.stderr]) {
        (0, node_readline_1.createInterface)({ input: stream }).on('line', (line) => log.write(`${line}\n`));
    }
    worker.send(config);
    const told = (kind) => new Promise((resolve) => {
        worker.on('message', (message) => message.kind === kind && resolve(message));
    });
    const failed = Promise.race([
        told('failed').then((message) => Promise.reject(errorOf(message))),
        (0, node_events_1.once)(worker, 'exit').then(() => Promise.reject(new Error('a process ended before it was ready'))),
    ]);
    const child = {
        worker,
        url: Promise.race([told('runs').then((message) => message.url), failed]),
        workerReady: told('worker-ready').then(() => undefined),
        indexesReady: told('indexes-ready').then(() => undefined),
    };
    ignore(child);
    return child;
}
/** A replacement that fails exits, and is replaced again. */
function ignore({ url }) {
    url.catch(() => undefined);
}
function errorOf(message) {
    const { text, code } = message;
    return Object.assign(new Error(text), { code });
}
async function stopChild(worker) {
    const exited = (0, node_events_1.once)(worker, 'exit');
    worker.process.kill('SIGTERM');
    await exited;
}
//# sourceMappingURL=start-processes.js.map