"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const client_1 = require("@temporalio/client");
const mongodb_1 = require("mongodb");
const due_store_1 = require("../src/record/due-store");
const delivery_store_1 = require("../src/record/delivery-store");
const dispatch_store_1 = require("../src/dispatch/dispatch-store");
const event_store_1 = require("../src/record/event-store");
const arrivals_1 = require("./arrivals");
const child_1 = require("./child");
const mongodb_commands_1 = require("./mongodb-commands");
const statistics_1 = require("./statistics");
const system_1 = require("./system");
const PER_SECOND = 10;
const SECONDS = 20;
const IDLE_MS = 10_000;
const RESUMED_MS = 30_000;
const BATCH = 5_000;
const PASSES = 5;
const WARM_UP = 50;
const say = (line) => void process.stderr.write(`${line}\n`);
/**
 * What a paused endpoint with many held deliveries costs everybody else, how fast they go once it is resumed, and how long
 * the removal of what is left takes. `--held 100000` sets how many; a million by default.
 */
async function main() {
    const at = process.argv.indexOf('--held');
    const count = at < 0 ? 1_000_000 : Number(process.argv[at + 1]);
    const system = await (0, system_1.startSystem)({ say });
    /** Milliseconds from ingest to arrival of a healthy tenant's trickle, while something else goes on. */
    const trickle = async () => {
        const ingested = await system.load.openLoop(PER_SECOND, SECONDS);
        for (;;) {
            const arrivals = await (0, arrivals_1.arrivalsOf)(system.receiver, 0);
            const lags = (0, arrivals_1.lagsOf)(ingested, arrivals);
            if (lags.length === ingested.length)
                return (0, statistics_1.quantiles)(lags);
            await (0, child_1.pause)(200);
        }
    };
    try {
        await system.load.burst(WARM_UP, 8);
        say('alone');
        const alone = { idle: await idleOf(system), arrival_ms: await trickle() };
        const tenant = await system.addTenant();
        await call(tenant, 'POST', '/pause');
        say(`${count} deliveries are held for a paused endpoint`);
        await hold(system, tenant, count);
        const held = {
            idle: await idleOf(system),
            arrival_ms: await trickle(),
            pass_ms: await passOf(system),
            open_executions: await openExecutionsOf(system, tenant),
        };
        say('the endpoint is resumed');
        await call(tenant, 'POST', '/resume');
        const before = await answeredBy(system);
        const resumedAt = performance.now();
        const [arrivalMs] = await Promise.all([trickle(), (0, child_1.pause)(RESUMED_MS)]);
        const perSecond = ((await answeredBy(system)) - before) / ((performance.now() - resumedAt) / 1_000);
        say('the endpoint is removed');
        const removedAt = performance.now();
        await call(tenant, 'DELETE', '');
        const removalS = (performance.now() - removedAt) / 1_000;
        const left = await heldOf(system);
        const result = {
            held: count,
            alone,
            while_held: held,
            resumed: { deliveries_per_s: (0, statistics_1.rounded)(perSecond), arrival_ms: arrivalMs },
            removal: { s: (0, statistics_1.rounded)(removalS), held_after: left },
        };
        process.stdout.write(`${JSON.stringify(result)}\n`);
    }
    finally {
        await system.close();
    }
}
async function call({ url, key, endpointId }, method, path) {
    const answer = await fetch(`${url}/api/v1/webhooks/endpoints/${endpointId}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}` },
    });
    if (!answer.ok)
        throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}
/** Stores events as an ingest to a paused endpoint does. */
async function hold({ mongo }, { endpointId }, count) {
    const endpoints = mongo.db.collection('endpoints');
    const { account_id: accountId, url } = (await endpoints.findOne({ _id: endpointId }));
    const first = await (0, event_store_1.createEventStore)(mongo.db).reserveIds(count);
    const events = mongo.db.collection('events');
    const destination = {
        endpoint_id: endpointId,
        url,
        state: 'pending',
        attempt_count: 0,
        run: 1,
        completed_at: null,
    };
    for (let from = 0; from < count; from += BATCH) {
        const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => ({
            _id: first + from + index,
            account_id: accountId,
            type: 'order.created',
            data: new mongodb_1.Binary(Buffer.from('{"n":1.0}')),
            timestamp: Math.floor(Date.now() / 1_000),
            idempotency_key: null,
            destinations: [{ ...destination, next_attempt_at: null, dispatch: 'held', held_for: 'paused' }],
            accepted_at: new mongodb_1.Timestamp({ t: 0, i: 0 }),
            finished_at: null,
        }));
        await events.insertMany(batch, { ordered: false });
    }
}
async function idleOf({ mongo, everpost, servers }) {
    const before = [await (0, mongodb_commands_1.countCommands)(mongo), (0, statistics_1.cpuSeconds)(everpost.pid), (0, statistics_1.cpuSeconds)(servers.mongod.pid)];
    await (0, child_1.pause)(IDLE_MS);
    const perSecond = (value) => (0, statistics_1.rounded)(value / (IDLE_MS / 1_000), 2);
    return {
        commands_per_s: perSecond((await (0, mongodb_commands_1.countCommands)(mongo)) - before[0]),
        cpu_percent: perSecond(100 * ((0, statistics_1.cpuSeconds)(everpost.pid) - before[1])),
        mongod_cpu_percent: perSecond(100 * ((0, statistics_1.cpuSeconds)(servers.mongod.pid) - before[2])),
    };
}
/** The reads of a sweeper's pass; the median of a few. */
async function passOf({ mongo }) {
    const dispatch = (0, dispatch_store_1.createDispatchStore)(mongo.db);
    const deliveries = (0, delivery_store_1.createDeliveryStore)(mongo.db, 0);
    const took = [];
    for (let pass = 0; pass < PASSES; pass += 1) {
        const startedAt = performance.now();
        const clocks = await dispatch.clocks();
        await dispatch.findDue(clocks.now, clocks, 500, (0, due_store_1.beginningOfBacklog)());
        await deliveries.endpointsThatHold('', 100);
        await dispatch.findOverdue(new Date(0), new Date(clocks.now.getTime() - 120_000), 500);
        took.push(performance.now() - startedAt);
    }
    return (0, statistics_1.rounded)((0, statistics_1.percentile)(took, 0.5));
}
async function openExecutionsOf({ servers, namespace }, { endpointId }) {
    const connection = await client_1.Connection.connect({ address: servers.temporal.address });
    const query = `EverpostEndpointId="${endpointId}" AND ExecutionStatus="Running"`;
    const { count } = await connection.workflowService.countWorkflowExecutions({ namespace, query });
    await connection.close();
    return Number(count);
}
async function answeredBy({ receiver }) {
    const { answered } = await (0, child_1.ask)(receiver, { kind: 'arrivals' }, 'arrivals');
    return answered;
}
async function heldOf({ mongo }) {
    return mongo.db.collection('events').countDocuments({ 'destinations.dispatch': 'held' });
}
main().catch((error) => {
    console.error(error);
    process.exit(1);
});
//# sourceMappingURL=held.js.map