"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startMongod = startMongod;
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const mongo_admin_1 = require("../src/platform/mongo-admin");
const free_port_1 = require("./free-port");
const local_stack_error_1 = require("./local-stack-error");
const progress_1 = require("./progress");
const server_process_1 = require("./server-process");
const HEALTHY_TIMEOUT_MS = 60_000;
/** A checkpoint of a large cache on a slow disk takes a while; a kill would only mean recovery at the next start. */
const STOP_TIMEOUT_MS = 30_000;
/** mongod's own exit codes. */
const EXIT_REASONS = {
    'exit code 14': 'its data can not be read; see the log',
    'exit code 48': 'its port is taken',
    'exit code 62': 'its data was written by another version of MongoDB; use that version (MONGOD_BINARY) or another EVERPOST_DATA_DIR',
    'exit code 100': 'another mongod uses the same data folder',
};
/**
 * Starts mongod on 127.0.0.1 and waits until it is a writable primary. Can be repeated on the same data folder,
 * also on another port.
 *
 * @throws LocalStackError with one line that says what to do
 */
async function startMongod(options) {
    if (options.port !== 0) {
        if (!(await (0, free_port_1.isPortFree)(options.port)))
            throw portTaken(options.port);
        return startOn(options.port, options);
    }
    return (0, free_port_1.onFreePorts)(async () => startOn(await (0, free_port_1.freePort)(), options));
}
function portTaken(port) {
    return new free_port_1.PortTakenError(`Port ${port}, meant for MongoDB, is taken. Set MONGODB_PORT to a free one.`);
}
async function startOn(port, options) {
    const { binary, dataDir } = options;
    (0, node_fs_1.mkdirSync)(dataDir, { recursive: true, mode: 0o700 });
    const logFile = (0, node_path_1.join)(dataDir, 'mongod.log');
    const server = await (0, server_process_1.spawnServer)({
        binary,
        args: mongodArguments(dataDir, port),
        logFile,
        stopTimeoutMs: STOP_TIMEOUT_MS,
        onSpawn: options.onSpawn,
    });
    try {
        const ready = () => (0, server_process_1.waitUntilHealthy)(server, 'mongod', () => (0, mongo_admin_1.preparePrimary)(port), HEALTHY_TIMEOUT_MS);
        await (0, progress_1.withProgress)(options.onProgress, () => 'Starting mongod', ready);
    }
    catch (error) {
        await server.kill();
        const end = server.ended() ?? '';
        if (end === 'exit code 48')
            throw portTaken(port);
        const known = EXIT_REASONS[end];
        if (known)
            throw new local_stack_error_1.LocalStackError(`mongod did not start: ${known}. Log: ${logFile}`);
        throw new local_stack_error_1.LocalStackError(`${error.message}. Log: ${logFile}`);
    }
    return { uri: (0, mongo_admin_1.embeddedMongoUri)(port), port, pid: server.pid, process: server, stop: server.stop, kill: server.kill };
}
function mongodArguments(dataDir, port) {
    return [
        ...['--dbpath', dataDir, '--bind_ip', '127.0.0.1', '--port', String(port), ...mongo_admin_1.REPLICA_SET_ARGUMENTS],
        // Modest: it shares the machine with everything else. Its default is half of the memory.
        ...['--wiredTigerCacheSizeGB', '0.5', '--oplogSize', '512'],
        // No socket file: one in /tmp would collide between stacks. No metrics recorder: it writes all the time.
        ...['--nounixsocket', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
        // Nobody compresses on loopback, and zlib leaked memory before 8.0.17 (CVE-2025-14847).
        ...['--networkMessageCompressors', 'disabled'],
        ...['--logpath', (0, node_path_1.join)(dataDir, 'mongod.log'), '--logappend'],
    ];
}
//# sourceMappingURL=mongod.js.map