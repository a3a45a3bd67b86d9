"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createExpressQueue = createExpressQueue;
const delivery_contract_1 = require("../domain/delivery-contract");
const fair_queue_1 = require("./fair-queue");
/** Attempts under way in a process, but for those whose receivers take long. */
const SLOTS = 256;
/**
 * Makes attempts in this process: first ones right after the promise, and those that a gate lets go.
 *
 * A delivery that finds a slot is sent from memory. One that has to wait is read from MongoDB when its turn comes: it may
 * be cancelled, or its endpoint paused, by then. A receiver that hangs leaves most slots to the others.
 */
function createExpressQueue(deps) {
    const release = (refs) => deps.deliveries.releasePromises(refs).catch(() => undefined);
    const start = (delivery) => deps.start({ ...delivery, wasExpress: true });
    /** Makes the attempt, and starts an execution where something is left to do. */
    const work = async ({ known, ...delivery }, leaveSlot) => {
        const { ref, firstAttempt: number, schedule = deps.schedule } = delivery;
        const nextDelayMs = schedule[number] ?? null;
        try {
            const outcome = await deps.attempt({ ...ref, number, nextDelayMs, trigger: 'scheduled' }, known, leaveSlot);
            if (outcome.kind !== 'answered' || outcome.succeeded || nextDelayMs === null)
                return;
            start({ ...delivery, firstAttempt: number + 1, firstDelayMs: outcome.nextDelayMs ?? nextDelayMs });
        }
        catch (error) {
            deps.logger.info({ err: error, ...ref }, 'an attempt could not be made here; its execution makes it');
            await release([ref]);
            start(delivery);
        }
    };
    const queue = (0, fair_queue_1.createFairQueue)({
        slots: SLOTS,
        slotsPerEndpoint: delivery_contract_1.MAX_PER_DESTINATION,
        keepsSlot: (endpointId) => !deps.isSlow(endpointId),
        work,
    });
    return { ...queue, close: () => queue.close(release) };
}
//# sourceMappingURL=express-queue.js.map