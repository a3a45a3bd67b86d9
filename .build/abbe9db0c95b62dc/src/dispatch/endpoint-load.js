"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointLoad = createEndpointLoad;
const lru_cache_1 = require("lru-cache");
const delivery_contract_1 = require("../domain/delivery-contract");
/**
 * An endpoint that is silent, or hangs, may have this part of its attempts only. Ten of them would else hold every slot
 * before anything is known of them, and end 640 requests in the same second later on.
 */
const SILENT_PART = 1 / 4;
/** An endpoint that answers none of its requests for so long is silent. */
const SILENCE_MS = 500;
/** A full one that is silent for so long will probably hang: until its requests are given up at 30 s. */
const HANGS_AFTER_MS = 2_000;
/** What took this long is as bad as no answer, and is mostly none: a hang goes on. */
const ANSWER_MS = 15_000;
/** What takes longer holds nobody else up: no slot of the first attempts, no workflow task. */
const SLOW_AFTER_MS = 1_000;
/** What is thought of the latency of a request that has had no answer by then. Two of them make an endpoint slow. */
const SLOW_SO_FAR_MS = 3_000;
/** A timer that fires this late says that our side is slow, not the receiver. */
const OWN_DELAY_MS = 250;
/** An endpoint is slow while the moving average of its latency is above this. */
const SLOW_LATENCY_MS = 1_000;
/** Below this it is slow no more: it may have been this machine that was. Its attempts cost more than twice as much. */
const QUICK_LATENCY_MS = 500;
/** Weight of the newest request: one hang of 30 s is enough, one hiccup of 2 s (theirs or ours) is not. */
const NEWEST_WEIGHT = 0.2;
/** Bounds the memory for those that are asked seldom. */
const MAX_ENDPOINTS = 10_000;
/** An endpoint that gets no request for so long has a new chance. */
const REMEMBER_MS = 60_000;
/** Bounds the attempts under way to each endpoint, and finds out by their requests which endpoints are slow, or hang. */
function createEndpointLoad({ max = delivery_contract_1.MAX_PER_DESTINATION, perf = performance, } = {}) {
    const loads = new Map();
    const memory = { max: MAX_ENDPOINTS, ttl: REMEMBER_MS, perf };
    const averages = new lru_cache_1.LRUCache(memory);
    const slow = new lru_cache_1.LRUCache(memory);
    const hanging = new lru_cache_1.LRUCache(memory);
    /** Whoever finds an endpoint full finds out whether it hangs, too. */
    const roomFor = (endpointId) => {
        const load = loads.get(endpointId);
        // While nothing but our own work is under way, nobody is silent.
        const silenceMs = load?.requests ? perf.now() - load.lastNewsAt : 0;
        const most = silenceMs >= SILENCE_MS || hanging.has(endpointId) ? Math.ceil(max * SILENT_PART) : max;
        const room = Math.max(most - (load?.attempts ?? 0), 0);
        if (room === 0 && silenceMs >= HANGS_AFTER_MS)
            hanging.set(endpointId, true);
        return room;
    };
    const noteLatency = (endpointId, latencyMs) => {
        const average = (averages.get(endpointId) ?? 0) * (1 - NEWEST_WEIGHT) + latencyMs * NEWEST_WEIGHT;
        averages.set(endpointId, average);
        if (average >= SLOW_LATENCY_MS)
            slow.set(endpointId, true);
        else if (average < QUICK_LATENCY_MS)
            slow.delete(endpointId);
    };
    const noteEnd = (endpointId, latencyMs) => {
        if (latencyMs < ANSWER_MS)
            hanging.delete(endpointId);
        // It goes on hanging, though no more attempts come than it can take.
        else if (hanging.has(endpointId))
            hanging.set(endpointId, true);
        noteLatency(endpointId, latencyMs);
    };
    const timed = async (endpointId, load, send, onSlow) => {
        const startedAt = perf.now();
        if (load.requests === 0)
            load.lastNewsAt = startedAt;
        load.requests += 1;
        const stopWatching = watchForSlowness(perf, () => {
            noteLatency(endpointId, SLOW_SO_FAR_MS);
            onSlow?.();
        });
        try {
            // What is thrown is a fault of ours, and tells nothing of the endpoint.
            const answer = await send();
            const endedAt = perf.now();
            if (endedAt - startedAt < ANSWER_MS)
                load.lastNewsAt = endedAt;
            noteEnd(endpointId, endedAt - startedAt);
            return answer;
        }
        finally {
            stopWatching();
            load.requests -= 1;
        }
    };
    return {
        async run(endpointId, work) {
            if (roomFor(endpointId) === 0)
                return undefined;
            const load = loads.get(endpointId) ?? { attempts: 0, requests: 0, lastNewsAt: 0 };
            loads.set(endpointId, load);
            load.attempts += 1;
            try {
                return { value: await work((send, onSlow) => timed(endpointId, load, send, onSlow)) };
            }
            finally {
                load.attempts -= 1;
                if (load.attempts === 0)
                    loads.delete(endpointId);
            }
        },
        roomFor,
        isSlow: (endpointId) => slow.has(endpointId),
        hangs: (endpointId) => hanging.has(endpointId),
    };
}
/**
 * Tells when a second has passed. It waits once more where it was our own side that took so long: to leave costs more work,
 * on a machine that has too much.
 *
 * @returns stops it
 */
function watchForSlowness(perf, onSlow) {
    let timer;
    const wait = (then) => {
        const dueAt = perf.now() + SLOW_AFTER_MS;
        timer = setTimeout(() => then(perf.now() - dueAt), SLOW_AFTER_MS).unref();
    };
    wait((lateMs) => (lateMs > OWN_DELAY_MS ? wait(onSlow) : onSlow()));
    return () => clearTimeout(timer);
}
//# sourceMappingURL=endpoint-load.js.map