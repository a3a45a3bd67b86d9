"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startThrowawayServers = startThrowawayServers;
const node_crypto_1 = require("node:crypto");
const node_fs_1 = require("node:fs");
const promises_1 = require("node:fs/promises");
const node_os_1 = require("node:os");
const node_path_1 = require("node:path");
const find_server_1 = require("./find-server");
const mongod_1 = require("./mongod");
const reaper_1 = require("./reaper");
const temporal_server_1 = require("./temporal-server");
/** Enough memory for a database, its journal and some thousands of events. */
const WANTED_MEMORY_BYTES = 3e9;
/**
 * Starts a mongod and a Temporal server on free ports, both at once.
 * Nothing of them stays behind, also when this process is killed.
 */
async function startThrowawayServers(options) {
    const folder = (0, node_path_1.join)(fastFolder(), `everpost-${(0, node_crypto_1.randomBytes)(6).toString('hex')}`);
    await (0, promises_1.mkdir)(folder, { mode: 0o700 });
    const reaper = (0, reaper_1.startReaper)(folder);
    const onSpawn = (server) => {
        reaper.watch(server.pid);
        void server.exited.then(() => reaper.forget(server.pid));
    };
    const started = await Promise.allSettled([
        startThrowawayMongod(folder, options, onSpawn),
        startThrowawayTemporal(folder, options, onSpawn),
    ]);
    const close = async () => {
        // Killed, not stopped: nobody needs their last checkpoint.
        for (const result of started)
            if (result.status === 'fulfilled')
                await result.value.kill();
        await (0, promises_1.rm)(folder, { recursive: true, force: true });
        reaper.dismiss();
    };
    const [mongod, temporal] = started;
    if (mongod.status === 'fulfilled' && temporal.status === 'fulfilled') {
        return { folder, mongod: mongod.value, temporal: temporal.value, reaper, close };
    }
    await close();
    throw [mongod, temporal].find((result) => result.status === 'rejected').reason;
}
async function startThrowawayMongod(folder, options, onSpawn) {
    const { config, onProgress } = options;
    const { binary: configuredPath } = config.mongodb;
    const binary = await (0, find_server_1.findServer)('mongod', { configuredPath, cacheDir: config.cacheDir, onProgress });
    return (0, mongod_1.startMongod)({ binary, dataDir: (0, node_path_1.join)(folder, 'mongodb'), port: 0, onProgress, onSpawn });
}
async function startThrowawayTemporal(folder, options, onSpawn) {
    const { config, onProgress } = options;
    const { binary: configuredPath, namespace } = config.temporal;
    const binary = await (0, find_server_1.findServer)('temporal', { configuredPath, cacheDir: config.cacheDir, onProgress });
    return (0, temporal_server_1.startTemporalServer)({
        binary,
        dataDir: (0, node_path_1.join)(folder, 'temporal'),
        inMemory: options.durableTemporal !== true,
        port: 0,
        uiPort: options.webUi ? 0 : undefined,
        namespace,
        onProgress,
        onSpawn,
    });
}
/** Linux's memory disk when there is room: throw-away data needs no real one. */
function fastFolder() {
    const memory = '/dev/shm';
    if (!(0, node_fs_1.existsSync)(memory))
        return (0, node_os_1.tmpdir)();
    const { bavail, bsize } = (0, node_fs_1.statfsSync)(memory);
    return bavail * bsize > WANTED_MEMORY_BYTES ? memory : (0, node_os_1.tmpdir)();
}
//# sourceMappingURL=throwaway-servers.js.map