"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_child_process_1 = require("node:child_process");
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const node_util_1 = require("node:util");
const delivery_contract_1 = require("../src/domain/delivery-contract");
const start_queue_1 = require("../src/dispatch/start-queue");
const arrivals_1 = require("./arrivals");
const child_1 = require("./child");
const limit_cost_1 = require("./limit-cost");
const load_1 = require("./load");
const mongodb_commands_1 = require("./mongodb-commands");
const profiles_1 = require("./profiles");
const phases_1 = require("./phases");
const statistics_1 = require("./statistics");
const system_1 = require("./system");
const SETTLE_MS = 1_000;
const IDLE_MS = 10_000;
const say = (line) => void process.stderr.write(`${line}\n`);
async function main() {
    const { values } = (0, node_util_1.parseArgs)({
        options: {
            json: { type: 'boolean', default: false },
            profile: { type: 'string', default: 'standard' },
            mode: { type: 'string', default: 'auto' },
        },
    });
    const profile = profiles_1.PROFILES[values.profile];
    if (!profile)
        throw new Error(`Profiles: ${Object.keys(profiles_1.PROFILES).join(', ')}`);
    const mode = delivery_contract_1.FIRST_ATTEMPT_MODES.find((name) => name === values.mode);
    if (!mode)
        throw new Error(`Modes: ${delivery_contract_1.FIRST_ATTEMPT_MODES.join(', ')}`);
    const { fanOut, failing, dataBytes } = profile;
    const system = await (0, system_1.startSystem)({ say, mode, fanOut, failing, dataBytes });
    try {
        const measured = await measure(system, profile, mode);
        // Alone, as the measured runs are: Everpost's worker would poll beside it.
        system.everpost.kill('SIGKILL');
        say('plain: a route without a database and an engine signs and posts the same events');
        const plain = await runPlain(system, profile);
        say(`bare: the same workflow with an empty activity, 20 a second and ${profile.burst} at once`);
        const bare = await runBare(system, profile);
        say('limits: requests/s with and without authentication and limits');
        const limitCost = await (0, limit_cost_1.measureLimitCost)(system.servers, profile.limitRequests);
        const result = {
            mode,
            profile: values.profile,
            ...measured,
            bare_per_s: (0, statistics_1.rounded)(bare.perSecond),
            ratio_to_bare: (0, statistics_1.rounded)(measured.deliveries_per_s / bare.perSecond, 2),
            bare_arrival_ms: (0, statistics_1.quantiles)(bare.lags),
            arrival_to_bare: (0, statistics_1.rounded)(measured.arrival_ms.p50 / (0, statistics_1.percentile)(bare.lags, 0.5), 2),
            plain_per_s: (0, statistics_1.rounded)(plain),
            ratio_to_plain: (0, statistics_1.rounded)(measured.deliveries_per_s / plain, 3),
            limit_requests_per_s: limitCost,
        };
        process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : report(result));
    }
    finally {
        await system.close();
    }
}
/** Warm-up, an idle moment, 20 and 100 events a second, and a burst. */
async function measure(system, profile, mode) {
    const { burst, concurrency, fanOut, steadySeconds, warmUp } = profile;
    let sent = 0;
    /** Sends, and waits until everything is delivered. */
    const deliver = async (sending) => {
        const ingested = await sending;
        sent += ingested.length * fanOut;
        const arrivals = await (0, arrivals_1.arrivalsOf)(system.receiver, sent);
        await (0, child_1.pause)(SETTLE_MS);
        return { ingested, arrivals, lags: (0, arrivals_1.lagsOf)(ingested, arrivals) };
    };
    const commandsOf = async (work) => {
        const before = await (0, mongodb_commands_1.countCommands)(system.mongo);
        const done = await work();
        return { ...done, commands: ((await (0, mongodb_commands_1.countCommands)(system.mongo)) - before) / done.lags.length };
    };
    say(`warm-up: ${warmUp} events`);
    await deliver(system.load.burst(warmUp, 16));
    say('idle');
    const idle = await measureIdle(system);
    say(`open loop: 20 events/s for ${steadySeconds} s`);
    const steady = await commandsOf(() => deliver(system.load.openLoop(20, steadySeconds)));
    say(`open loop: 100 events/s for ${steadySeconds} s`);
    const busy = await deliver(system.load.openLoop(100, steadySeconds));
    say(`burst: ${burst} events, ${concurrency} at a time`);
    const cpuBefore = cpuOf(system);
    const bytesBefore = temporalBytes(system);
    const rush = await commandsOf(() => deliver(system.load.burst(burst, concurrency)));
    const cpu = cpuOf(system);
    const rates = ratesOf(rush.ingested, rush.arrivals);
    return {
        deliveries_per_s: (0, statistics_1.rounded)(rates.delivered),
        accepted_per_s: (0, statistics_1.rounded)(rates.accepted),
        ingest_ms: (0, statistics_1.quantiles)(steady.ingested.map(({ latencyMs }) => latencyMs)),
        arrival_ms: (0, statistics_1.quantiles)(steady.lags),
        arrival_100_ms: (0, statistics_1.quantiles)(busy.lags),
        burst_arrival_ms: (0, statistics_1.quantiles)(rush.lags),
        cpu_s_per_1000: Object.fromEntries(Object.entries(cpu).map(([name, seconds]) => [
            name,
            (0, statistics_1.rounded)(((seconds - cpuBefore[name]) / rush.lags.length) * 1_000, 2),
        ])),
        rss_mb: memoryOf(system),
        mongodb_commands_per_delivery: { at_20_per_s: (0, statistics_1.rounded)(steady.commands), burst: (0, statistics_1.rounded)(rush.commands, 2) },
        idle,
        ...(mode === 'workflow' && { phases_ms: await (0, phases_1.phasesOf)(system, steady.ingested, steady.arrivals) }),
        temporal_kb_per_delivery: (0, statistics_1.rounded)((temporalBytes(system) - bytesBefore) / rush.lags.length / 1_024),
    };
}
async function measureIdle({ everpost, mongo }) {
    const [commands, cpu] = [await (0, mongodb_commands_1.countCommands)(mongo), (0, statistics_1.cpuSeconds)(everpost.pid)];
    await (0, child_1.pause)(IDLE_MS);
    const seconds = IDLE_MS / 1_000;
    return {
        commands_per_s: (0, statistics_1.rounded)(((await (0, mongodb_commands_1.countCommands)(mongo)) - commands) / seconds),
        cpu_percent: (0, statistics_1.rounded)((((0, statistics_1.cpuSeconds)(everpost.pid) - cpu) / seconds) * 100),
    };
}
/** @returns deliveries a second of the route in `plain-process.ts`, under the same burst */
async function runPlain({ authority, servers }, { burst, concurrency, dataBytes, warmUp }) {
    const { receiver, ports } = await (0, system_1.startReceiver)(authority, { hanging: 0, failing: 0 });
    const plain = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, 'plain-process.js'));
    for (const child of [receiver, plain])
        servers.reaper.watch(child.pid);
    const key = 'plain';
    const task = { receiverUrl: `https://127.0.0.1:${ports[0]}/hook`, ca: authority.certPem, key };
    const { port } = await (0, child_1.ask)(plain, task, 'listening');
    const load = (0, load_1.startLoad)({ url: `http://127.0.0.1:${port}`, key, dataBytes });
    await load.burst(warmUp, concurrency);
    const ingested = await load.burst(burst, concurrency);
    const arrivals = await (0, arrivals_1.arrivalsOf)(receiver, warmUp + burst);
    load.close();
    for (const child of [receiver, plain])
        child.kill('SIGKILL');
    return ratesOf(ingested, arrivals).delivered;
}
/** @returns of the bare workflow: runs a second in a burst, and milliseconds to the activity at 20 a second */
async function runBare(system, { burst, steadySeconds }) {
    const child = (0, node_child_process_1.fork)((0, node_path_1.join)(__dirname, 'bare-process.js'));
    const { temporal } = system.servers;
    const task = {
        address: temporal.address,
        namespace: system.namespace,
        schedule: system.schedule,
        deliveries: burst,
        steadySeconds,
        startsInFlight: start_queue_1.STARTS_IN_FLIGHT,
    };
    const measured = await (0, child_1.ask)(child, task, 'done');
    // Its connection to Temporal would keep it, and us, alive.
    child.kill('SIGKILL');
    return measured;
}
/** Events accepted and deliveries arrived a second. */
function ratesOf(burst, arrivals) {
    const arrivedAt = burst.flatMap(({ eventId }) => arrivals.get(eventId) ?? []);
    const startedAt = Math.min(...burst.map(({ sentAtMs }) => sentAtMs));
    const acceptedAt = Math.max(...burst.map(({ sentAtMs, latencyMs }) => sentAtMs + latencyMs));
    const rate = (count, endedAt) => count / ((endedAt - startedAt) / 1_000);
    return { accepted: rate(burst.length, acceptedAt), delivered: rate(arrivedAt.length, Math.max(...arrivedAt)) };
}
function pidsOf({ everpost, load, receiver, servers }) {
    const { mongod, temporal } = servers;
    return {
        everpost: everpost.pid,
        temporal: temporal.pid,
        mongod: mongod.pid,
        receiver: receiver.pid,
        load: load.pid,
    };
}
function cpuOf(system) {
    return Object.fromEntries(Object.entries(pidsOf(system)).map(([name, pid]) => [name, (0, statistics_1.cpuSeconds)(pid)]));
}
function memoryOf(system) {
    return Object.fromEntries(Object.entries(pidsOf(system)).map(([name, pid]) => [name, Math.round((0, statistics_1.residentMb)(pid))]));
}
/** Of the dev server's database. */
function temporalBytes({ servers }) {
    const folder = (0, node_path_1.join)(servers.folder, 'temporal');
    const files = (0, node_fs_1.readdirSync)(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const databases = files.filter(({ name }) => !name.endsWith('.log'));
    return databases.reduce((sum, { parentPath, name }) => sum + (0, node_fs_1.statSync)((0, node_path_1.join)(parentPath, name)).size, 0);
}
function report(result) {
    const lines = Object.entries(result).map(([name, value]) => {
        const text = typeof value === 'object'
            ? Object.entries(value)
                .map(([key, inner]) => `${key} ${inner}`)
                .join(', ')
            : value;
        return `${name.padEnd(30)} ${text}`;
    });
    return `${lines.join('\n')}\n`;
}
main().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
});
//# sourceMappingURL=bench.js.map