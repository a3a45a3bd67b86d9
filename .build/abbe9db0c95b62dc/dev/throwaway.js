"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startThrowawayStack = startThrowawayStack;
const node_crypto_1 = require("node:crypto");
const config_1 = require("../src/config");
const throwaway_servers_1 = require("./throwaway-servers");
/**
 * Starts a stack's servers on free ports in a folder of its own, for a demo, a benchmark or an end-to-end test.
 * Nothing of it stays behind, also when this process is killed. The user's own settings for deliveries, ports and
 * servers have no influence; only where binaries are found does.
 */
async function startThrowawayStack(options = {}) {
    const users = (0, config_1.loadConfig)();
    const defaults = (0, config_1.loadConfig)({ NODE_ENV: 'development' });
    const found = {
        cacheDir: users.cacheDir,
        mongodb: { ...defaults.mongodb, binary: users.mongodb.binary },
        temporal: { ...defaults.temporal, namespace: 'default', binary: users.temporal.binary },
    };
    const { folder, mongod, temporal, reaper, close } = await (0, throwaway_servers_1.startThrowawayServers)({
        config: found,
        webUi: options.webUi ?? false,
        durableTemporal: options.durableTemporal ?? false,
        onProgress: options.onProgress ?? (() => undefined),
    });
    const config = {
        ...defaults,
        ...found,
        host: '127.0.0.1',
        port: 0,
        metricsPort: 0,
        dataDir: folder,
        mongodb: { ...found.mongodb, uri: mongod.uri, port: mongod.port },
        temporal: { ...found.temporal, address: temporal.address, connection: {}, port: temporal.port },
        encryptionKeys: [(0, node_crypto_1.randomBytes)(32).toString('base64')],
    };
    return { config: options.adjust?.(config) ?? config, mongod, temporal, reaper, close };
}
//# sourceMappingURL=throwaway.js.map