"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.STARTS_IN_FLIGHT = void 0;
exports.createStartQueue = createStartQueue;
const fair_queue_1 = require("./fair-queue");
/**
 * How many starts may be in flight. The machine's CPU is the limit: more than this start no more a second, and have
 * everybody wait for it (measured with 32: a neighbour's burst delayed others by five seconds instead of one).
 * `npm run bench` starts its bare run the same way.
 */
exports.STARTS_IN_FLIGHT = 10;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;
/**
 * What waited so long may have been started by the sweeper of another process, or the other way round. To ask MongoDB
 * is cheaper than a second execution.
 */
const MAYBE_STARTED_MS = 2_000;
/** Starts the executions of deliveries, off the request's path. */
function createStartQueue({ starter, isDue, onFailed, logger }) {
    const work = async (taken, _leaveSlot, waitedMs) => {
        // What is known of it holds the event's data, and nobody has claimed the attempt.
        const { known: _known, ...delivery } = taken;
        try {
            if (waitedMs <= MAYBE_STARTED_MS || (await isDue(delivery.ref)))
                await starter.start(delivery);
        }
        catch (error) {
            // While it rests, those that were under way fail alike.
            const isFirst = queue.rest(REST_AFTER_FAILURE_MS);
            if (isFirst)
                logger.warn({ err: error }, 'a delivery could not be started; the sweeper will');
            onFailed?.(delivery);
        }
    };
    const queue = (0, fair_queue_1.createFairQueue)({ slots: exports.STARTS_IN_FLIGHT, work });
    return {
        ...queue,
        /** How many deliveries to the endpoint wait or are being started. */
        waitingFor: (line) => queue.waitingFor(line) + queue.slotsOf(line.endpointId),
        close: () => queue.close(),
    };
}
//# sourceMappingURL=start-queue.js.map