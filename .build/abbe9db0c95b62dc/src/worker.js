"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.WORKER_OPTIONS = void 0;
exports.startWorker = startWorker;
exports.installTemporalRuntime = installTemporalRuntime;
exports.deploymentOptions = deploymentOptions;
exports.workflowCode = workflowCode;
const node_crypto_1 = require("node:crypto");
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const worker_1 = require("@temporalio/worker");
const activities_1 = require("../activities");
const delivery_contract_1 = require("./domain/delivery-contract");
const current_build_1 = require("./platform/current-build");
const sleep_1 = require("./platform/sleep");
/** A slow receiver holds a slot for up to 30 s: with 40 slots 150 such deliveries delayed others by 31 s, with 200 by 8 ms. */
const SLOTS = 256;
/**
 * Temporal takes back what is not through after 10 s, and a worker that is killed leaves all it has taken to that. With
 * 256 tasks at a time and a worker killed every nine seconds, three tasks were taken back for each that was completed.
 */
const WORKFLOW_TASKS = 64;
const SLOW_SLOTS = 512;
const POLLERS = { type: 'autoscaling', initial: 10, minimum: 2, maximum: 50 };
/** Options of the worker that runs deliveries; the benchmark's bare run uses the same. */
exports.WORKER_OPTIONS = {
    maxCachedWorkflows: 2_000,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
    maxConcurrentLocalActivityExecutions: SLOTS,
    maxConcurrentActivityTaskExecutions: SLOTS,
    workflowTaskPollerBehavior: POLLERS,
    activityTaskPollerBehavior: POLLERS,
};
const SHUTDOWN_GRACE = '35s';
const RESTART_DELAY_MS = 1_000;
/**
 * Runs the two workers of a process on one connection: deliveries with their inline attempts, and slow attempts.
 * Starts them when Temporal answers, and again should one of them fail.
 *
 * @param code what only tests change: the workflows of another build
 */
function startWorker(deps, code = workflowCode) {
    const stop = new AbortController();
    let workers = [];
    let becomeReady;
    const ready = new Promise((resolve) => (becomeReady = resolve));
    const { attempts, temporal, dispatch: leases, logger } = deps;
    const activities = (0, activities_1.createActivities)(attempts.deps, attempts);
    let keeping;
    const stopped = new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(undefined)));
    const run = async () => {
        while (!stop.signal.aborted) {
            try {
                // Temporal may never come: a stop does not wait for it.
                const connection = await Promise.race([temporal.connected(), stopped]);
                if (!connection)
                    return;
                const workflowBundle = await code();
                const build = (await (0, current_build_1.routesByBuild)(temporal)) ? deploymentOptions(workflowBundle) : undefined;
                if (!build)
                    logger.info('this Temporal does not route by build: a worker of any build gets any delivery');
                const { namespace } = temporal;
                workers = await createWorkers({ connection, namespace, activities, workflowBundle, build });
                const running = Promise.all(workers.map((worker) => worker.run()));
                if (build)
                    keeping ??= (0, current_build_1.keepBuildCurrent)({ temporal, leases, logger }, build.version.buildId, stop.signal);
                becomeReady();
                if (stop.signal.aborted)
                    shutDown(workers);
                await running;
            }
            catch (error) {
                if (stop.signal.aborted)
                    return;
                logger.error({ err: error }, 'the worker failed; it starts again');
                shutDown(workers);
                await (0, sleep_1.sleep)(RESTART_DELAY_MS, stop.signal);
            }
        }
    };
    const running = run();
    return {
        ready: () => ready,
        async close() {
            stop.abort();
            shutDown(workers);
            await running;
            await keeping;
        },
    };
}
/** Sends the SDK's own log lines into ours. Once in a process, before anything of Temporal is used. */
function installTemporalRuntime(logger) {
    const log = logger.child({ part: 'temporal-sdk' });
    const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' };
    const write = (level, message, meta) => log[levels[level]]({ ...meta }, message);
    worker_1.Runtime.install({
        // Ctrl-C is ours: main.ts ends things in order.
        shutdownSignals: [],
        logger: {
            log: (level, message, meta) => write(level, message, meta),
            trace: (message, meta) => write('TRACE', message, meta),
            debug: (message, meta) => write('DEBUG', message, meta),
            info: (message, meta) => write('INFO', message, meta),
            warn: (message, meta) => write('WARN', message, meta),
            error: (message, meta) => write('ERROR', message, meta),
        },
        telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
    });
}
async function createWorkers({ build, workflowBundle, ...rest }) {
    const shared = {
        ...rest,
        ...(build && { workerDeploymentOptions: build }),
        shutdownGraceTime: SHUTDOWN_GRACE,
    };
    const deliveries = worker_1.Worker.create({ ...shared, ...exports.WORKER_OPTIONS, workflowBundle, taskQueue: delivery_contract_1.DELIVERY_TASK_QUEUE });
    const slowAttempts = worker_1.Worker.create({
        ...shared,
        taskQueue: delivery_contract_1.SLOW_TASK_QUEUE,
        maxConcurrentActivityTaskExecutions: SLOW_SLOTS,
        activityTaskPollerBehavior: POLLERS,
    });
    return Promise.all([deliveries, slowAttempts]);
}
/**
 * Names the build of a worker that has these workflows. Executions go on in the current build, whichever began them: no
 * old build has to run for a day (ADR 33).
 */
function deploymentOptions(bundle) {
    return {
        version: { deploymentName: current_build_1.WORKER_DEPLOYMENT, buildId: buildIdOf(bundle) },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'AUTO_UPGRADE',
    };
}
let bundled;
/** The bundle that the build made, or, running from sources, one that is made once in a process. */
function workflowCode() {
    const codePath = (0, node_path_1.join)(__dirname, '..', 'workflow-bundle.js');
    const workflowsPath = (0, node_path_1.join)(__dirname, '..', 'workflows', 'index.ts');
    bundled ??= (0, node_fs_1.existsSync)(codePath)
        ? Promise.resolve({ codePath })
        : (0, worker_1.bundleWorkflowCode)({ workflowsPath, logger: new worker_1.DefaultLogger('ERROR') });
    return bundled;
}
/** A hash of the workflows, and of the Temporal SDK in them: two releases with the same workflows are one build to Temporal. */
function buildIdOf(bundle) {
    const code = 'code' in bundle ? bundle.code : (0, node_fs_1.readFileSync)(bundle.codePath, 'utf8');
    // The source map names the folder in which the bundle was made.
    const withoutSourceMap = code.replace(/^\/\/# sourceMappingURL=.*$/m, '');
    return (0, node_crypto_1.createHash)('sha256').update(withoutSourceMap).digest('hex').slice(0, 16);
}
function shutDown(workers) {
    for (const worker of workers)
        if (worker.getState() === 'RUNNING')
            worker.shutdown();
}
//# sourceMappingURL=worker.js.map