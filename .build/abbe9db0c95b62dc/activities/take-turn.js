"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.takeTurn = takeTurn;
const promises_1 = require("node:timers/promises");
const attempt_store_1 = require("../src/record/attempt-store");
const endpoint_store_1 = require("../src/record/endpoint-store");
/** How long an attempt waits for its turn in the endpoint's rate. The gate lets those go that have theirs within a second. */
const PATIENCE_MS = 5_000;
/** Waits for the attempt's turn by the endpoint's options: its place in the line, then its moment in the rate. */
async function takeTurn({ rates, order }, input, endpoint) {
    const { _id: endpointId, account_id: accountId, options } = endpoint;
    const id = (0, attempt_store_1.attemptId)(input);
    const isInLine = (0, endpoint_store_1.standsInLine)(endpoint, input);
    if (isInLine) {
        const first = await order.firstInLine({ accountId, endpointId });
        const isNext = !first || first.eventId === input.eventId;
        if (!isNext || !(await order.take(endpointId, id)))
            return { kind: 'later', reason: 'in_line' };
    }
    const giveBack = async () => {
        if (isInLine)
            await order.giveBack(endpointId, id);
    };
    const perSecond = options?.max_per_second;
    const waitedMs = perSecond === undefined ? 0 : await rates.takeTurn(endpointId, perSecond, PATIENCE_MS);
    if (waitedMs === null) {
        await giveBack();
        return { kind: 'later', reason: 'at_rate' };
    }
    if (waitedMs > 0)
        await (0, promises_1.setTimeout)(waitedMs);
    return { kind: 'taken', waitedMs, giveBack };
}
//# sourceMappingURL=take-turn.js.map