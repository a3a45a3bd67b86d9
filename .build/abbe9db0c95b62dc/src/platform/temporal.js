"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTemporalLink = createTemporalLink;
exports.isAlreadyStarted = isAlreadyStarted;
exports.isWorkflowNotFound = isWorkflowNotFound;
exports.grpcStatusOf = grpcStatusOf;
const client_1 = require("@temporalio/client");
const worker_1 = require("@temporalio/worker");
const sleep_1 = require("./sleep");
const RECONNECT_DELAY_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
const HEALTH_TIMEOUT_MS = 2_000;
/**
 * Connects in the background and keeps trying. API client and worker share the one native connection: that is
 * what lets Temporal hand the first workflow task back with the start (eager start).
 */
function createTemporalLink(options, logger) {
    let connection;
    let client = null;
    let closed = false;
    const stop = new AbortController();
    const connect = async () => {
        for (let tries = 0; !closed; tries += 1) {
            try {
                connection = await worker_1.NativeConnection.connect({ ...options.connection, address: options.address });
                client = new client_1.Client({ connection, namespace: options.namespace });
                return connection;
            }
            catch (error) {
                if (tries === 0)
                    logger.warn({ err: error }, `Temporal at ${options.address} does not answer; trying on`);
                await (0, sleep_1.sleep)(RECONNECT_DELAY_MS, stop.signal);
            }
        }
        throw new Error('the connection to Temporal was closed');
    };
    const connecting = connect();
    connecting.catch(() => undefined);
    const call = async (work, timeoutMs = CALL_TIMEOUT_MS) => {
        const current = client;
        if (!current)
            throw new Error('there is no connection to Temporal yet');
        return current.withDeadline(Date.now() + timeoutMs, () => work(current));
    };
    return {
        namespace: options.namespace,
        client: () => client,
        connected: () => connecting,
        call,
        async statusOf(workflowId) {
            try {
                return (await call(({ workflow }) => workflow.getHandle(workflowId).describe())).status.name;
            }
            catch (error) {
                if (isWorkflowNotFound(error))
                    return 'NOT_FOUND';
                throw error;
            }
        },
        isHealthy: () => call(({ workflowService }) => workflowService.getSystemInfo({}), HEALTH_TIMEOUT_MS).then(() => true, () => false),
        async close() {
            closed = true;
            stop.abort();
            await connecting.catch(() => undefined);
            await connection?.close();
        },
    };
}
/** Whether a start was turned away because the workflow id is in use: for us, a success. */
function isAlreadyStarted(error) {
    return error instanceof client_1.WorkflowExecutionAlreadyStartedError;
}
/** Whether Temporal knows no execution of that id. */
function isWorkflowNotFound(error) {
    return error instanceof client_1.WorkflowNotFoundError;
}
/** The codes of gRPC that somebody decides by. */
const GRPC_CODES = new Map([
    [5, 'NOT_FOUND'],
    [7, 'PERMISSION_DENIED'],
    [12, 'UNIMPLEMENTED'],
]);
/** What Temporal answered instead of a result; undefined for other codes, and for errors that are not Temporal's answer. */
function grpcStatusOf(error) {
    return (0, client_1.isGrpcServiceError)(error) ? GRPC_CODES.get(error.code) : undefined;
}
//# sourceMappingURL=temporal.js.map