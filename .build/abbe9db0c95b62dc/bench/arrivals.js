"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.arrivalsOf = arrivalsOf;
exports.lagsOf = lagsOf;
const child_1 = require("./child");
const LOOK_EVERY_MS = 200;
const PATIENCE_MS = 300_000;
/**
 * Waits until the receiver has answered that many deliveries with 200.
 *
 * @returns for each event when its deliveries arrived first, in milliseconds since 1970
 * @throws Error after five minutes
 */
async function arrivalsOf(receiver, count) {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
        const { arrivals, answered } = await (0, child_1.ask)(receiver, { kind: 'arrivals' }, 'arrivals');
        if (answered >= count)
            return byEvent(arrivals);
        if (performance.now() > giveUpAt)
            throw new Error(`${answered} of ${count} deliveries arrived in five minutes`);
        await (0, child_1.pause)(LOOK_EVERY_MS);
    }
}
/** Milliseconds from each ingest to the first request of each of its deliveries. */
function lagsOf(ingested, arrivals) {
    return ingested.flatMap(({ eventId, sentAtMs }) => (arrivals.get(eventId) ?? []).map((atMs) => atMs - sentAtMs));
}
function byEvent(arrivals) {
    const found = new Map();
    for (const [delivery, atMs] of arrivals) {
        const eventId = Number.parseInt(delivery, 10);
        const known = found.get(eventId);
        if (known)
            known.push(atMs);
        else
            found.set(eventId, [atMs]);
    }
    return found;
}
//# sourceMappingURL=arrivals.js.map