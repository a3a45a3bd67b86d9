"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.TEMPORAL_DATABASE = void 0;
exports.startTemporalServer = startTemporalServer;
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const delivery_contract_1 = require("../src/domain/delivery-contract");
const free_port_1 = require("./free-port");
const local_stack_error_1 = require("./local-stack-error");
const progress_1 = require("./progress");
const server_process_1 = require("./server-process");
const temporal_namespace_1 = require("./temporal-namespace");
const HEALTHY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 15_000;
/** The database's file inside the data folder. */
exports.TEMPORAL_DATABASE = 'temporal.sqlite';
/**
 * Starts Temporal's dev server on 127.0.0.1 and waits until it answers, its namespace exists and our search
 * attributes can be used. Can be repeated on the same data folder: every execution goes on.
 *
 * @throws LocalStackError with one line that says what to do
 */
async function startTemporalServer(options) {
    // Also for the ports that it picks itself, for its inner services: where one of those is taken, it ends by a panic.
    return (0, free_port_1.onFreePorts)(() => startOnce(options));
}
async function startOnce(options) {
    const port = await usablePort(options.port, 'Temporal', 'TEMPORAL_PORT');
    const uiPort = options.uiPort === undefined
        ? undefined
        : await usablePort(options.uiPort, "Temporal's Web UI", 'TEMPORAL_UI_PORT');
    (0, node_fs_1.mkdirSync)(options.dataDir, { recursive: true, mode: 0o700 });
    const logFile = (0, node_path_1.join)(options.dataDir, 'temporal.log');
    const server = await (0, server_process_1.spawnServer)({
        binary: options.binary,
        args: temporalArguments(options, port, uiPort),
        logFile,
        stopTimeoutMs: STOP_TIMEOUT_MS,
        onSpawn: options.onSpawn,
    });
    const address = `127.0.0.1:${port}`;
    try {
        const ready = () => (0, server_process_1.waitUntilHealthy)(server, 'Temporal', () => (0, temporal_namespace_1.prepareNamespace)(address, options.namespace, options.retentionMs), HEALTHY_TIMEOUT_MS);
        await (0, progress_1.withProgress)(options.onProgress, () => 'Starting Temporal', ready);
    }
    catch (error) {
        await server.kill();
        // The last one: the log goes on from start to start.
        const log = server.logTail();
        const said = [...log.matchAll(/^Error: (.*)$/gm)].at(-1)?.[1];
        const StartError = log.includes('address already in use') ? free_port_1.PortTakenError : local_stack_error_1.LocalStackError;
        throw new StartError(`${error.message}${said ? `: ${said}` : ''}. Log: ${logFile}`);
    }
    const uiUrl = uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`;
    return { address, port, uiPort, uiUrl, pid: server.pid, process: server, stop: server.stop, kill: server.kill };
}
async function usablePort(port, what, setting) {
    if (port === 0)
        return (0, free_port_1.freePort)();
    if (await (0, free_port_1.isPortFree)(port))
        return port;
    throw new local_stack_error_1.LocalStackError(`Port ${port}, meant for ${what}, is taken. Set ${setting} to a free one.`);
}
function temporalArguments(options, port, uiPort) {
    const database = (0, node_path_1.join)(options.dataDir, exports.TEMPORAL_DATABASE);
    (0, node_fs_1.mkdirSync)((0, node_path_1.dirname)(database), { recursive: true });
    return [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'],
        ...(options.inMemory ? [] : ['--db-filename', database]),
        ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
        ...['--namespace', options.namespace],
        // Measured: 31 → 52 deliveries a second. A crash of the process loses nothing; one of the machine its last second,
        // which the reconciler makes good.
        ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
        // One noisy tenant must not hold the others up.
        ...['--dynamic-config-value', 'matching.enableFairness=true'],
        // Nobody here uses its HTTP API, which a page of another site could reach by a name of its own (DNS rebinding).
        ...['--dynamic-config-value', 'frontend.httpAllowedHosts=["127.0.0.1:*","localhost:*"]'],
        // As every other server has it. The dev server would read all search attributes from its database again for each call:
        // ten queries a delivery (measured in one hour: 50 → 62 deliveries a second, 17.7 → 12.9 CPU seconds for 1,000).
        ...['--dynamic-config-value', 'system.forceSearchAttributesCacheRefreshOnRead=false'],
        ...delivery_contract_1.SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ];
}
//# sourceMappingURL=temporal-server.js.map