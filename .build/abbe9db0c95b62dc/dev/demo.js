"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const config_1 = require("../src/config");
const retry_schedule_1 = require("../src/domain/retry-schedule");
const start_role_1 = require("../src/processes/start-role");
const logger_1 = require("../src/platform/logger");
const worker_1 = require("../src/worker");
const certificate_authority_1 = require("./certificate-authority");
const demo_checks_1 = require("./demo-checks");
const demo_receiver_1 = require("./demo-receiver");
const first_account_1 = require("./first-account");
const local_stack_error_1 = require("./local-stack-error");
const throwaway_1 = require("./throwaway");
const ANSWERS = [500, 503, 200];
/** Numbers and key orders that a JSON library would change. */
const DATA = '{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0}';
/** The last attempt is due after 6 s; a busy machine may take its time. */
const DELIVERED_WITHIN_MS = 25_000;
function print(line) {
    process.stdout.write(`${line}\n`);
}
/** The settings of the demo: the ordinary schedule, and a way to the one receiver. */
function demoConfig(config, receiver, caPem) {
    const policy = { ...config.delivery.policy, allowTargets: [receiver.target] };
    const schedule = (0, retry_schedule_1.parseRetrySchedule)(retry_schedule_1.DEFAULT_RETRY_SCHEDULE);
    return { ...config, delivery: { ...config.delivery, schedule, policy, extraCaPem: [caPem] } };
}
/** Registers, sends and waits, all over the HTTP API; prints what happens while it happens. */
async function deliver(apiUrl, key, receiver) {
    const call = createCaller(apiUrl, key);
    const endpoint = await call('POST', '/endpoints', JSON.stringify({ url: receiver.url, events: ['order.*'] }));
    const { id: endpointId, secret } = endpoint;
    print(`Registered ${receiver.url} as ${endpointId}.`);
    const startedAtMs = Date.now();
    const event = await call('POST', '/events', `{"type":"order.created","data":${DATA},"idempotency_key":"demo"}`);
    const { id: eventId, timestamp } = event;
    print(`Sent order.created; accepted as event ${eventId}. Its deliveries:\n`);
    const getStatus = async () => (await call('GET', `/events/${eventId}`));
    const status = await untilDelivered(getStatus, receiver, (arrival, index) => print(timelineRow(arrival, index, startedAtMs, secret)));
    const expectedBody = `{"id":${eventId},"type":"order.created","data":${DATA},"timestamp":${timestamp}}`;
    return { arrivals: receiver.arrivals, secret, eventId, expectedBody, status };
}
function createCaller(apiUrl, key) {
    return async (method, path, body) => {
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const answer = await fetch(`${apiUrl}/api/v1/webhooks${path}`, { method, headers, ...(body && { body }) });
        if (!answer.ok)
            throw new local_stack_error_1.LocalStackError(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
        return answer.json();
    };
}
async function untilDelivered(getStatus, receiver, onArrival) {
    const deadline = Date.now() + DELIVERED_WITHIN_MS;
    let shown = 0;
    for (;;) {
        for (; shown < receiver.arrivals.length; shown += 1)
            onArrival(receiver.arrivals[shown], shown);
        const status = shown >= ANSWERS.length || Date.now() > deadline ? await getStatus() : undefined;
        // The record follows the answer by some milliseconds.
        if (status && (status.status === 'delivered' || Date.now() > deadline))
            return status;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
function timelineRow(arrival, index, startedAtMs, secret) {
    const verified = (0, demo_checks_1.isSpecSignatureRight)(secret, arrival) && (0, demo_checks_1.isStandardSignatureRight)(secret, arrival);
    const at = (0, demo_checks_1.seconds)(arrival.atMs - startedAtMs).padStart(8);
    return `  +${at}  attempt ${index + 1}  answered ${arrival.answered}  signature ${verified ? 'verified' : 'WRONG'}`;
}
/** @returns whether everything was as promised */
async function runDemo() {
    print('Everpost demo: an event for a receiver that fails twice.\n');
    const logger = (0, logger_1.createLogger)('error', process.stderr);
    (0, worker_1.installTemporalRuntime)(logger);
    const authority = await (0, certificate_authority_1.createCertificateAuthority)();
    const receiver = await (0, demo_receiver_1.startDemoReceiver)(await authority.issueServerCertificate(), ANSWERS);
    const stack = await (0, throwaway_1.startThrowawayStack)({
        adjust: (config) => demoConfig(config, receiver, authority.certPem),
        onProgress: (line) => process.stderr.write(`${line}\n`),
    });
    try {
        const role = await (0, start_role_1.startRole)('all', stack.config, logger);
        try {
            await role.workerReady;
            const account = await (0, first_account_1.createFirstAccount)(stack.mongod.uri, stack.config.limits.tiers);
            const checks = (0, demo_checks_1.checkDemo)(await deliver(role.url, account.key, receiver));
            print(`\n${checks.map(({ kept, promise }) => `  ${kept ? 'kept  ' : 'BROKEN'}  ${promise}`).join('\n')}\n`);
            return checks.every(({ kept }) => kept);
        }
        finally {
            await role.close();
        }
    }
    finally {
        await stack.close();
        await receiver.close();
    }
}
runDemo().then((kept) => {
    print(kept ? 'All as promised.' : 'Not as promised.');
    process.exit(kept ? 0 : 1);
}, (error) => {
    const isExpected = error instanceof local_stack_error_1.LocalStackError || error instanceof config_1.ConfigError;
    process.stderr.write(`The demo failed: ${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    process.exit(1);
});
//# sourceMappingURL=demo.js.map