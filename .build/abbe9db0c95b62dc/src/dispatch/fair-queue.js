"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createFairQueue = createFairQueue;
const delivery_contract_1 = require("../domain/delivery-contract");
const sleep_1 = require("../platform/sleep");
const fair_list_1 = require("./fair-list");
const MAX_WAITING = 20_000;
/**
 * Does a piece of work for each delivery that it takes. A bounded queue, fair between accounts, and between the endpoints
 * of an account.
 */
function createFairQueue({ keepsSlot = () => true, work, ...options }) {
    const waiting = (0, fair_list_1.createFairList)(MAX_WAITING);
    const slots = createSlots(options);
    /** Since when each waits or is under way, by id, in the order in which they came. */
    const since = new Map();
    const underWay = new Set();
    const stopped = new AbortController();
    let isResting = false;
    const run = (delivery) => {
        const leaveSlot = () => {
            if (slots.leave(delivery))
                pump();
        };
        if (keepsSlot(delivery.ref.endpointId))
            slots.take(delivery);
        const done = work(delivery, leaveSlot, performance.now() - since.get(idOf(delivery))).finally(() => {
            underWay.delete(done);
            since.delete(idOf(delivery));
            leaveSlot();
        });
        underWay.add(done);
    };
    const pump = () => {
        // Without a free slot the lines, which may be many, are not looked at.
        while (!isResting && slots.isOneFree()) {
            const next = waiting.take(slots.isFreeFor);
            if (!next)
                return;
            run(next);
        }
    };
    return {
        /**
         * Takes the delivery, unless it has it already. When the queue is full, the account that waits most leaves its newest
         * to the sweeper. One that has to wait is read from MongoDB when its turn comes: what is known of it is dropped.
         *
         * @returns whether it was taken and kept
         */
        enqueue(delivery) {
            const id = idOf(delivery);
            if (stopped.signal.aborted || since.has(id))
                return false;
            since.set(id, performance.now());
            if (!isResting && slots.isFreeFor(delivery.ref.endpointId)) {
                run(delivery);
                return true;
            }
            const { known: _known, ...rest } = delivery;
            const dropped = waiting.add(rest);
            if (dropped)
                since.delete(idOf(dropped));
            return dropped !== rest;
        },
        /** Whether the delivery waits or is under way. */
        has: (ref) => since.has((0, delivery_contract_1.deliveryWorkflowId)(ref)),
        /** How many deliveries to the endpoint wait. */
        waitingFor: waiting.waitingFor,
        /** How many deliveries to the endpoint have a slot. */
        slotsOf: slots.of,
        /** Number waiting: for metrics. */
        size: waiting.size,
        /** For how long it has had the oldest delivery, in milliseconds; 0 when it has none. */
        longestWaitMs() {
            const [oldest = performance.now()] = since.values();
            return performance.now() - oldest;
        },
        /** Gives up those that `isMeant` chooses of what waits. */
        takeWaiting(isMeant) {
            const meant = waiting.takeAll(isMeant);
            for (const delivery of meant)
                since.delete(idOf(delivery));
            return meant;
        },
        /** Begins nothing for so long. @returns false when it rests already */
        rest(ms) {
            if (isResting)
                return false;
            isResting = true;
            void (0, sleep_1.sleep)(ms, stopped.signal).then(() => {
                isResting = false;
                pump();
            });
            return true;
        },
        /**
         * Takes nothing more, and leaves what waits to the sweeper. Resolves when nothing is under way.
         *
         * @param giveUp is given what waits
         */
        async close(giveUp) {
            stopped.abort();
            const left = waiting.takeAll();
            await giveUp?.(left.map(({ ref }) => ref));
            await Promise.all(underWay);
        },
    };
}
function createSlots({ slots, slotsPerEndpoint = slots }) {
    const taken = new Set();
    /** How many of them are to each endpoint: asked for with every line that waits. */
    const counts = new Map();
    const of = (endpointId) => counts.get(endpointId) ?? 0;
    return {
        of,
        take(delivery) {
            const { endpointId } = delivery.ref;
            taken.add(delivery);
            counts.set(endpointId, of(endpointId) + 1);
        },
        /** @returns whether the delivery had a slot */
        leave(delivery) {
            const { endpointId } = delivery.ref;
            if (!taken.delete(delivery))
                return false;
            if (of(endpointId) > 1)
                counts.set(endpointId, of(endpointId) - 1);
            else
                counts.delete(endpointId);
            return true;
        },
        isOneFree: () => taken.size < slots,
        isFreeFor: (endpointId) => taken.size < slots && of(endpointId) < slotsPerEndpoint,
    };
}
function idOf({ ref }) {
    return (0, delivery_contract_1.deliveryWorkflowId)(ref);
}
//# sourceMappingURL=fair-queue.js.map