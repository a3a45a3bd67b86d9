"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readHistory = readHistory;
const promises_1 = require("node:timers/promises");
const LOOKS = 5;
const PAUSE_MS = 50;
/**
 * Reads the attempts that an event's state knows of, in the order they were made. State and answer are written side by
 * side; whoever reads between the two looks again, so that nobody is shown a delivered event without the attempt.
 */
async function readHistory(deps, event) {
    for (let look = 1;; look += 1) {
        const attempts = await deps.deliveries.listAttempts(event._id);
        const isWhole = event.destinations.every(({ endpoint_id: endpointId, run, attempt_count: count }) => count === 0 || attempts.some((it) => it.endpoint_id === endpointId && it.run === run && it.number >= count));
        if (isWhole || look === LOOKS)
            return attempts;
        await (0, promises_1.setTimeout)(PAUSE_MS);
    }
}
//# sourceMappingURL=read-history.js.map