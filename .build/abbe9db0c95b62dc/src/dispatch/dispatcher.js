"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDispatcher = createDispatcher;
const endpoint_store_1 = require("../record/endpoint-store");
/**
 * Temporal is behind when a delivery has waited this long for its start. Measured on two cores: with 100 ms the first start
 * of a process, which is slow, counted as behind; with 250 ms each of 400 events at 20 a second got its execution.
 */
const BEHIND_AFTER_MS = 250;
/** Then attempts go express for this long, before Temporal is given a second chance: a burst costs it one try. */
const EXPRESS_FOR_MS = 60_000;
/** Sends deliveries on their way, off the request's path. */
function createDispatcher(deps) {
    const { mode, express, startQueue, load, perf = performance } = deps;
    let expressUntil = mode === 'express' ? Infinity : -Infinity;
    let check;
    const isExpress = () => perf.now() < expressUntil;
    const mayGoExpress = ({ firstDelayMs, wasExpress }) => firstDelayMs <= 0 && !wasExpress && isExpress();
    const send = (way, delivery) => {
        const isTaken = (way === 'express' ? express : startQueue).enqueue(delivery);
        if (isTaken && delivery.firstAttempt === 1)
            deps.onFirstAttempt(way);
        return isTaken;
    };
    const fallBehind = () => {
        expressUntil = perf.now() + EXPRESS_FOR_MS;
        for (const delivery of startQueue.takeWaiting(mayGoExpress))
            send('express', delivery);
    };
    const lookWhetherBehind = () => {
        check = undefined;
        const waitedMs = startQueue.longestWaitMs();
        if (waitedMs >= BEHIND_AFTER_MS)
            fallBehind();
        else if (waitedMs > 0)
            check = setTimeout(lookWhetherBehind, BEHIND_AFTER_MS - waitedMs).unref();
    };
    return {
        /** Whether this process makes attempts itself now. */
        isExpress,
        /**
         * What an event's insert says of a destination: when its first attempt is, whether this process makes it, or whether it
         * is held.
         *
         * @param now the database's clock
         */
        placeFor(endpoint, now) {
            const delayMs = firstDelayOf(endpoint, deps.schedule);
            const due = { dispatch: 'due', next_attempt_at: new Date(now.getTime() + delayMs) };
            // Its execution waits, and meets the gate after that.
            if (delayMs > 0)
                return due;
            const reason = (0, endpoint_store_1.reasonToHold)(endpoint, load.hangs(endpoint._id));
            if (reason)
                return { dispatch: 'held', held_for: reason, held_at: now, next_attempt_at: null };
            if (!isExpress())
                return due;
            return { ...due, claimed_by: deps.owner, claimed_until: new Date(now.getTime() + deps.leaseMs) };
        },
        /** Must not throw and must not wait. @returns whether it was taken; what was not is the sweeper's */
        dispatch(delivery) {
            const { ref, known } = delivery;
            const place = known?.delivery.destination;
            if (place?.dispatch === 'held') {
                deps.lookAt(ref.endpointId);
                return true;
            }
            if (place?.claimed_until && place.claimed_by === deps.owner)
                return send('express', delivery);
            // What came back from express waits for its start, also when a sweep brings it again.
            if (!known && mayGoExpress(delivery) && !startQueue.has(ref))
                return send('express', delivery);
            if (mode === 'auto')
                check ??= setTimeout(lookWhetherBehind, BEHIND_AFTER_MS).unref();
            return send('workflow', delivery);
        },
        /** In `auto`, a start that fails says that Temporal is behind: the attempt goes express. */
        startFailed(delivery) {
            if (mode !== 'auto')
                return;
            fallBehind();
            if (mayGoExpress(delivery))
                send('express', delivery);
        },
        /** How many deliveries to the endpoint this process has and has not sent or started. */
        waitingFor: (line) => express.waitingFor(line) + startQueue.waitingFor(line),
        /** Ends as `ExpressQueue.close` and `StartQueue.close` do. */
        async close() {
            clearTimeout(check);
            await express.close();
            await startQueue.close();
        },
    };
}
/** The wait before the first attempt of an event's delivery, in milliseconds. */
function firstDelayOf({ options }, schedule) {
    const seconds = options?.retry_schedule?.[0];
    return seconds === undefined ? (schedule[0] ?? 0) : Math.round(seconds * 1_000);
}
//# sourceMappingURL=dispatcher.js.map