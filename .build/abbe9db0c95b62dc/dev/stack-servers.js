"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.reclaimServers = reclaimServers;
exports.startStackServers = startStackServers;
const node_path_1 = require("node:path");
const find_server_1 = require("./find-server");
const mongod_1 = require("./mongod");
const orphans_1 = require("./orphans");
const supervise_1 = require("./supervise");
const temporal_server_1 = require("./temporal-server");
/** How servers of this data folder are recognised after their parent was killed. */
function signatures(dataDir) {
    return [
        {
            name: 'Temporal',
            pairs: [
                ['server', 'start-dev'],
                ['--db-filename', (0, node_path_1.join)(dataDir, 'temporal', temporal_server_1.TEMPORAL_DATABASE)],
            ],
        },
        {
            name: 'mongod',
            pairs: [
                ['--replSet', 'everpost'],
                ['--dbpath', (0, node_path_1.join)(dataDir, 'mongodb')],
            ],
        },
    ];
}
/** Ends what a killed stack left running on this data folder. The caller holds the folder. */
async function reclaimServers(dataDir, onProgress) {
    await (0, orphans_1.endOrphans)(signatures(dataDir), ({ name, pid }) => onProgress(`Stopping ${name} (process ${pid}), which a killed stack left behind on this data folder …`));
}
/** Starts the servers that are not configured elsewhere, both at once, and keeps them running. */
async function startStackServers(options) {
    const { mongodb, temporal } = options.config;
    const [mongodbUri, server] = await Promise.all([
        mongodb.uri ?? startOwnMongod(options),
        temporal.address === undefined ? startOwnTemporal(options) : { address: temporal.address, uiUrl: undefined },
    ]);
    return { mongodbUri, temporalAddress: server.address, temporalUiUrl: server.uiUrl };
}
async function startOwnMongod({ config, dataDir, onProgress, onSpawn, onStarted, }) {
    const { binary: configuredPath, port } = config.mongodb;
    const binary = await (0, find_server_1.findServer)('mongod', { configuredPath, cacheDir: config.cacheDir, onProgress });
    const shared = { binary, dataDir: (0, node_path_1.join)(dataDir, 'mongodb'), onProgress, onSpawn };
    const { first, stop } = await (0, supervise_1.supervise)({
        name: 'mongod',
        start: () => (0, mongod_1.startMongod)({ ...shared, port }),
        restart: (before) => (0, mongod_1.startMongod)({ ...shared, port: before.port }),
        onProgress,
    });
    onStarted('mongod', stop);
    return first.uri;
}
async function startOwnTemporal({ config, dataDir, onProgress, onSpawn, onStarted }) {
    const { binary: configuredPath, namespace, port, uiPort, retentionMs } = config.temporal;
    const binary = await (0, find_server_1.findServer)('temporal', { configuredPath, cacheDir: config.cacheDir, onProgress });
    const shared = { binary, dataDir: (0, node_path_1.join)(dataDir, 'temporal'), namespace, retentionMs, onProgress, onSpawn };
    const { first, stop } = await (0, supervise_1.supervise)({
        name: 'Temporal',
        start: () => (0, temporal_server_1.startTemporalServer)({ ...shared, port, uiPort }),
        restart: (before) => (0, temporal_server_1.startTemporalServer)({ ...shared, port: before.port, uiPort: before.uiPort }),
        onProgress,
    });
    onStarted('Temporal', stop);
    return first;
}
//# sourceMappingURL=stack-servers.js.map