"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLocalStack = createLocalStack;
const start_processes_1 = require("../src/processes/start-processes");
const check_ports_1 = require("./check-ports");
const encryption_key_1 = require("./encryption-key");
const first_account_1 = require("./first-account");
const local_stack_error_1 = require("./local-stack-error");
const progress_1 = require("./progress");
const stack_inbox_1 = require("./stack-inbox");
const stack_servers_1 = require("./stack-servers");
const HEALTHY_TIMEOUT_MS = 60_000;
function createLocalStack({ config, dataDir, logger, log, onProgress }) {
    const processes = new Set();
    const closers = [];
    let stopping;
    function onSpawn(server) {
        processes.add(server);
        void server.exited.then(() => processes.delete(server));
        if (stopping)
            void server.kill();
    }
    /** Lower ranks are closed first. */
    function closeLater(rank, what, close) {
        closers.push({ rank, what, close });
        if (stopping)
            throw new local_stack_error_1.LocalStackError('It was stopped while it was starting.');
    }
    async function start() {
        await (0, stack_servers_1.reclaimServers)(dataDir, onProgress);
        await (0, check_ports_1.checkPorts)(config);
        const keys = await (0, encryption_key_1.encryptionKeys)(dataDir, config.encryptionKeys);
        const servers = await (0, stack_servers_1.startStackServers)({
            ...{ config, dataDir, onProgress, onSpawn },
            onStarted: (name, stop) => closeLater(name === 'Temporal' ? 3 : 4, name, stop),
        });
        const stackInbox = await (0, stack_inbox_1.startStackInbox)({
            dataDir,
            mongodbUri: servers.mongodbUri,
            encryptionKeys: keys,
            onProgress,
        });
        closeLater(2, 'the inbox', stackInbox.close);
        const { inbox, caPem } = stackInbox;
        const role = await startAll(roleConfig(config, servers, keys, { caPem, port: inbox.port }), logger, log);
        closeLater(1, 'the API and the worker', role.close);
        const healthy = () => untilHealthy(role.url, role.workerReady);
        await (0, progress_1.withProgress)(onProgress, () => 'Waiting for the API and the worker', healthy);
        const firstAccount = await (0, first_account_1.createFirstAccount)(servers.mongodbUri, config.limits.tiers);
        const setupUrl = await (0, first_account_1.createOperatorLink)(servers.mongodbUri, role.url);
        return { ...servers, apiUrl: role.url, metricsUrl: role.metricsUrl, inbox, firstAccount, setupUrl };
    }
    async function closeInOrder() {
        for (const { what, close } of closers.sort((a, b) => a.rank - b.rank)) {
            await (0, progress_1.withProgress)(onProgress, () => `Stopping ${what}`, close);
        }
        await Promise.all([...processes].map((server) => server.stop()));
    }
    return {
        start,
        stop: () => (stopping ??= closeInOrder()),
        kill: () => processes.forEach((server) => void server.kill()),
    };
}
/** The settings with what the stack brings itself. */
function roleConfig(config, servers, encryptionKeysNow, inbox) {
    const { mongodb, temporal, delivery, dashboard } = config;
    return {
        ...config,
        mongodb: { ...mongodb, uri: servers.mongodbUri },
        temporal: {
            ...temporal,
            address: servers.temporalAddress,
            // TLS and API keys are for the configured server; ours has none.
            connection: temporal.address === undefined ? {} : temporal.connection,
        },
        delivery: {
            ...delivery,
            // That one port and nothing beside it: a key holder must not reach anything else on this machine.
            policy: { ...delivery.policy, allowTargets: [...delivery.policy.allowTargets, `127.0.0.1:${inbox.port}`] },
            extraCaPem: [...delivery.extraCaPem, inbox.caPem],
        },
        dashboard: { ...dashboard, temporalUiUrl: dashboard.temporalUiUrl ?? servers.temporalUiUrl },
        encryptionKeys: encryptionKeysNow,
    };
}
async function startAll(config, logger, log) {
    try {
        const role = await (0, start_processes_1.startProcesses)('all', config, logger, log);
        return { ...role, url: role.url };
    }
    catch (error) {
        if (error.code === 'EADDRINUSE')
            throw (0, check_ports_1.portTaken)(config.port, 'the API', 'PORT');
        throw error;
    }
}
async function untilHealthy(apiUrl, workerReady) {
    const timeout = new Promise((_resolve, reject) => {
        setTimeout(() => reject(new local_stack_error_1.LocalStackError('The worker is not ready after 60 s; see the log.')), HEALTHY_TIMEOUT_MS).unref();
    });
    await Promise.race([workerReady, timeout]);
    const deadline = Date.now() + HEALTHY_TIMEOUT_MS;
    for (;;) {
        const answer = await fetch(`${apiUrl}/readyz`).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer?.ok)
            return;
        if (Date.now() > deadline)
            throw new local_stack_error_1.LocalStackError(`The API is not ready after 60 s: ${apiUrl}/readyz; see the log.`);
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}
//# sourceMappingURL=stack.js.map