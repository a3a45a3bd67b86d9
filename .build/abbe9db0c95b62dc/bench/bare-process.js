"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const node_path_1 = require("node:path");
const promises_1 = require("node:timers/promises");
const worker_1 = require("@temporalio/worker");
const start_delivery_1 = require("../src/dispatch/start-delivery");
const delivery_contract_1 = require("../src/domain/delivery-contract");
const logger_1 = require("../src/platform/logger");
const temporal_1 = require("../src/platform/temporal");
const worker_2 = require("../src/worker");
const STEADY_PER_SECOND = 20;
const WARM_UP = 200;
/** The same workflow, started the same way on the same server, and an activity that does nothing. */
const emptyActivities = {
    attemptDelivery: async ({ number }) => ({
        kind: 'answered',
        number,
        succeeded: true,
        startedAtMs: 0,
        latencyMs: 0,
        statusCode: 200,
        errorCode: null,
    }),
    recordCancelled: async () => undefined,
};
/**
 * Runs bare deliveries: a steady load, and a burst.
 *
 * @returns for the steady load, milliseconds from each start to its activity; for the burst, how many a second were done
 */
async function run(task) {
    const { namespace, schedule, deliveries } = task;
    const logger = (0, logger_1.createLogger)('warn');
    (0, worker_2.installTemporalRuntime)(logger);
    const temporal = (0, temporal_1.createTemporalLink)({ address: task.address, namespace, connection: {} }, logger);
    const activityOf = new Map();
    const workflowBundle = { codePath: (0, node_path_1.join)(__dirname, '..', 'workflow-bundle.js') };
    const worker = await worker_1.Worker.create({
        ...worker_2.WORKER_OPTIONS,
        // Temporal gives the tasks to the build that Everpost's worker made current.
        workerDeploymentOptions: (0, worker_2.deploymentOptions)(workflowBundle),
        connection: await temporal.connected(),
        namespace,
        taskQueue: delivery_contract_1.DELIVERY_TASK_QUEUE,
        activities: {
            ...emptyActivities,
            attemptDelivery: async (input) => {
                activityOf.get(input.eventId)();
                return emptyActivities.attemptDelivery(input);
            },
        },
        workflowBundle,
    });
    const starter = (0, start_delivery_1.createDeliveryStarter)({
        temporal,
        deliveries: { markStarted: async () => undefined },
        schedule,
        eager: true,
    });
    // Ids that an earlier run on the same server did not have.
    let id = (Date.now() % 1_000_000_000) * 10_000;
    const deliver = () => {
        const eventId = (id += 1);
        const startedAt = performance.now();
        const lagMs = new Promise((resolve) => activityOf.set(eventId, () => resolve(performance.now() - startedAt)));
        const started = starter.start({
            ref: { eventId, endpointId: 'ep_bare', run: 1 },
            accountId: 'acc_bare',
            eventType: 'order.created',
            url: 'https://127.0.0.1/',
            firstAttempt: 1,
            firstDelayMs: 0,
        });
        return { started, lagMs };
    };
    const steady = async (count) => {
        const lags = [];
        for await (const _ of (0, promises_1.setInterval)(1_000 / STEADY_PER_SECOND)) {
            lags.push(deliver().lagMs);
            if (lags.length >= count)
                break;
        }
        return Promise.all(lags);
    };
    const burst = async (count) => {
        const lags = [];
        const beganAt = performance.now();
        const lane = async () => {
            while (lags.length < count) {
                const { started, lagMs } = deliver();
                lags.push(lagMs);
                await started;
            }
        };
        await Promise.all(Array.from({ length: task.startsInFlight }, lane));
        await Promise.all(lags);
        return count / ((performance.now() - beganAt) / 1_000);
    };
    return worker.runUntil(async () => {
        await burst(WARM_UP);
        const lags = await steady(task.steadySeconds * STEADY_PER_SECOND);
        return { lags, perSecond: await burst(deliveries) };
    });
}
process.once('message', (task) => {
    void run(task).then((measured) => {
        process.send?.({ kind: 'done', ...measured });
        process.disconnect?.();
    });
});
//# sourceMappingURL=bare-process.js.map