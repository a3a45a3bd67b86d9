"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ROLES = void 0;
exports.startRole = startRole;
const delete_account_1 = require("../account-lifecycle/delete-account");
const compose_1 = require("../wiring/compose");
const compose_api_1 = require("../wiring/compose-api");
const config_1 = require("../config");
const sweeper_1 = require("../dispatch/sweeper");
const terminated_executions_1 = require("../dispatch/terminated-executions");
const endpoint_sweeper_1 = require("../endpoints/endpoint-sweeper");
const remove_orphans_1 = require("../events/remove-orphans");
const app_1 = require("../app");
const early_refusals_middleware_1 = require("../limits/early-refusals-middleware");
const server_1 = require("../http/server");
const http_server_1 = require("../platform/http-server");
const metrics_1 = require("../platform/metrics");
const mongo_1 = require("../platform/mongo");
const mongo_version_1 = require("../platform/mongo-version");
const periodic_1 = require("../platform/periodic");
const temporal_1 = require("../platform/temporal");
const run_replays_1 = require("../replays/run-replays");
const worker_1 = require("../worker");
/** `api` takes events in, `worker` delivers them, `all` does both in one process and is the fastest way. */
exports.ROLES = ['api', 'worker', 'all'];
const INDEXES_RETRY_MS = 2_000;
/**
 * Runs a role against the configured servers. Resolves as soon as the API listens: neither needs Temporal to be up.
 *
 * @throws ConfigError when a setting that the role needs is missing
 */
async function startRole(role, config, logger, { sweeperTiming, replayTiming, servesMetrics = true } = {}) {
    const { uri, address } = requireServers(config);
    const mongo = (0, mongo_1.createMongo)(uri);
    const temporal = (0, temporal_1.createTemporalLink)({ ...config.temporal, address }, logger);
    const platform = { config, logger, mongo, temporal };
    const parts = (0, compose_1.compose)(platform, role === 'all');
    let accepting = true;
    let indexed = false;
    const indexing = createIndexes(parts.ensureIndexes, logger);
    void indexing.done.then(() => warnOfUnpatchedMongo(mongo, logger));
    void indexing.done.then(() => (indexed = true));
    const { attempts, dispatcher } = parts;
    const worker = role === 'api' ? undefined : (0, worker_1.startWorker)({ ...parts.stores, temporal, logger, attempts });
    const needsTemporal = config.delivery.firstAttempt === 'workflow';
    const about = { temporal, logger, needsTemporal, indexesReady: indexing.done, sweeperTiming, replayTiming };
    const rounds = role === 'api' ? [] : startRounds(parts, about);
    const lifetime = { isAccepting: () => accepting, hasIndexes: () => indexed };
    const api = role === 'worker' ? undefined : (0, compose_api_1.composeApi)(platform, parts, lifetime);
    const { maxConnections = (0, http_server_1.defaultMaxConnections)() } = config.limits;
    const onRefused = () => parts.metrics.refusedConnections.inc();
    const at = { host: config.host, port: config.port, maxConnections, onRefused };
    const server = api && (await (0, server_1.listen)((0, app_1.createApp)(api.app), at, (0, early_refusals_middleware_1.createPeerLimits)(api.app.authenticate.authFailures)));
    const { registry } = parts.metrics;
    const metrics = servesMetrics ? await (0, metrics_1.serveMetrics)(registry, config, logger) : undefined;
    return {
        url: server?.url,
        metricsUrl: metrics?.url,
        registry,
        workerReady: worker?.ready() ?? Promise.resolve(),
        indexesReady: indexing.done,
        async close() {
            accepting = false;
            indexing.stop();
            await server?.close();
            await Promise.all([
                attempts.close(),
                parts.gate.close(),
                dispatcher.close(),
                ...rounds.map((round) => round.close()),
                worker?.close(),
            ]);
            await attempts.deps.sender.close();
            metrics?.close();
            await api?.close();
            await temporal.close();
            await mongo.close();
        },
    };
}
/** What a worker does again and again. Each has one owner among all workers, by a lease or a claim in MongoDB. */
function startRounds({ stores, owner, dispatcher, starter, gate, budget, startRun }, about) {
    const { sweeperTiming: timing, replayTiming, ...rest } = about;
    const common = { ...stores, ...rest, owner };
    return [
        (0, sweeper_1.createSweeper)({ ...common, dispatcher, starter, gate, ...(timing && { timing }) }),
        (0, terminated_executions_1.createTerminationRecorder)({ ...common, gate }),
        (0, run_replays_1.runReplays)({ ...common, budget, startRun }, replayTiming),
        (0, endpoint_sweeper_1.createEndpointSweeper)(common),
        (0, delete_account_1.runDeletions)(common),
        (0, remove_orphans_1.createOrphanRemoval)(common),
    ];
}
/** Says which release of MongoDB closes a hole of the server. Nothing depends on it: a server that tells no version is fine. */
async function warnOfUnpatchedMongo(mongo, logger) {
    const version = await mongo.version().catch(() => '');
    const release = (0, mongo_version_1.patchedRelease)(version);
    if (release === undefined)
        return;
    logger.warn({ version, patched: release }, `MongoDB ${version} lets anybody who reaches its port read its memory (CVE-2025-14847): run ${release} or later`);
}
function requireServers(config) {
    const { uri } = config.mongodb;
    const { address } = config.temporal;
    if (uri === undefined || address === undefined || config.encryptionKeys.length === 0) {
        throw new config_1.ConfigError('Set MONGODB_URI, TEMPORAL_ADDRESS and ENCRYPTION_KEY (see .env.example), or use `npm start`, which brings its own servers.');
    }
    return { uri, address };
}
/** Creates the indexes, as soon as MongoDB is up. Stopped before that, `done` never resolves. */
function createIndexes(work, logger) {
    const failure = 'the indexes could not be created yet';
    const stop = new AbortController();
    const done = new Promise((resolve) => {
        const trying = (0, periodic_1.runPeriodically)({ intervalMs: INDEXES_RETRY_MS, logger, failure }, async () => {
            await work();
            resolve();
            stop.abort();
        });
        stop.signal.addEventListener('abort', () => void trying.close());
    });
    return { done, stop: () => stop.abort() };
}
//# sourceMappingURL=start-role.js.map