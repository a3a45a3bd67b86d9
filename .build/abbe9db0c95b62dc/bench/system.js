"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startSystem = startSystem;
exports.startReceiver = startReceiver;
const node_child_process_1 = require("node:child_process");
const node_crypto_1 = require("node:crypto");
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const manage_accounts_1 = require("../src/accounts/manage-accounts");
const account_store_1 = require("../src/accounts/account-store");
const config_1 = require("../src/config");
const manage_keys_1 = require("../src/keys/manage-keys");
const key_store_1 = require("../src/keys/key-store");
const certificate_authority_1 = require("../dev/certificate-authority");
const free_port_1 = require("../dev/free-port");
const throwaway_servers_1 = require("../dev/throwaway-servers");
const clock_1 = require("../src/platform/clock");
const mongo_1 = require("../src/platform/mongo");
const audit_actions_1 = require("../src/domain/audit-actions");
const child_1 = require("./child");
const load_1 = require("./load");
/** Starts mongod, Temporal, Everpost and a receiver, and registers the receiver's endpoints. */
async function startSystem(options) {
    const { say, mode = 'auto', hanging = 0, fanOut = 1, failing = 0, dataBytes = 1_024 } = options;
    const settings = (0, config_1.loadConfig)();
    say('starting mongod, Temporal, Everpost and a receiver');
    const servers = await (0, throwaway_servers_1.startThrowawayServers)({ config: settings, durableTemporal: true, onProgress: say });
    const authority = await (0, certificate_authority_1.createCertificateAuthority)();
    const { receiver, ports } = await startReceiver(authority, { hanging, failing });
    const caFile = (0, node_path_1.join)(servers.folder, 'ca.pem');
    await (0, promises_1.writeFile)(caFile, authority.certPem);
    const port = await (0, free_port_1.freePort)();
    const env = {
        ...process.env,
        PORT: String(port),
        MONGODB_URI: servers.mongod.uri,
        TEMPORAL_ADDRESS: servers.temporal.address,
        FIRST_ATTEMPT: mode,
        ENCRYPTION_KEY: (0, node_crypto_1.randomBytes)(32).toString('base64'),
        DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
        DELIVERY_ALLOW_PORTS: ports.join(','),
        DELIVERY_CA_FILE: caFile,
        TIERS: JSON.stringify([{ id: 'bench', name: 'Bench', monthlyQuota: null, perMinute: 1_000_000 }]),
        LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    };
    const config = (0, config_1.loadConfig)(env);
    const everpost = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, '..', 'src', 'main.js'), ['all'], {
        env,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    for (const child of [everpost, receiver])
        servers.reaper.watch(child.pid);
    const url = `http://127.0.0.1:${port}`;
    await healthy(`${url}/readyz`);
    const [answering, ...silent] = ports.map((receiverPort) => `https://127.0.0.1:${receiverPort}/hook`);
    const endpoints = Array.from({ length: fanOut }, (_, index) => `${answering}/${index}`);
    const mongo = (0, mongo_1.createMongo)(config.mongodb.uri);
    const loads = [];
    const addLoad = async (name, urls) => {
        const { key } = await register(config, mongo, url, name, urls);
        const load = (0, load_1.startLoad)({ url, key, dataBytes });
        loads.push(load);
        return load;
    };
    const load = await addLoad('bench', endpoints);
    return {
        servers,
        everpost,
        mongo,
        authority,
        receiver,
        load,
        addNoisyTenant: () => addLoad('noisy', silent),
        addTenant: async () => {
            const { key, endpointIds } = await register(config, mongo, url, 'tenant', [`${answering}/tenant`]);
            return { url, key, endpointId: endpointIds[0] };
        },
        schedule: config.delivery.schedule,
        namespace: config.temporal.namespace,
        close: async () => {
            for (const each of loads)
                each.close();
            everpost.kill('SIGKILL');
            receiver.kill('SIGKILL');
            await mongo.close();
            await servers.close();
        },
    };
}
/** Starts a receiver in a process of its own. @returns its ports: the one that answers, then those that hang */
async function startReceiver(authority, options) {
    const receiver = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, 'receiver-process.js'));
    const certificate = await authority.issueServerCertificate();
    const { ports } = await (0, child_1.ask)(receiver, { kind: 'listen', ...certificate, ...options }, 'listening');
    return { receiver, ports };
}
/** Makes an account with a key and registers its receivers. */
async function register(config, mongo, url, name, receiverUrls) {
    const accounts = (0, account_store_1.createAccountStore)(mongo.db);
    const deps = { accounts, keys: (0, key_store_1.createKeyStore)(mongo.db), tiers: config.limits.tiers, clock: clock_1.systemClock };
    const account = await (0, manage_accounts_1.createAccount)(deps, { email: `${name}@example.com`, tier: 'bench' }, audit_actions_1.BY_COMMAND_LINE);
    const { key } = await (0, manage_keys_1.createKey)(deps, { accountId: account._id, product: 'weh', label: name }, audit_actions_1.BY_COMMAND_LINE);
    const endpointIds = [];
    for (const receiverUrl of receiverUrls) {
        const answer = await fetch(`${url}/api/v1/webhooks/endpoints`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ url: receiverUrl }),
        });
        if (answer.status !== 201)
            throw new Error(`the receiver could not be registered: ${await answer.text()}`);
        endpointIds.push((await answer.json()).id);
    }
    return { key, endpointIds };
}
async function healthy(url) {
    for (let tries = 0; tries < 150; tries += 1) {
        const status = await fetch(url).then(async (answer) => (await answer.json()).status, () => 'down');
        if (status === 'ok')
            return;
        await (0, child_1.pause)(200);
    }
    throw new Error(`${url} was not healthy within 30 s`);
}
//# sourceMappingURL=system.js.map