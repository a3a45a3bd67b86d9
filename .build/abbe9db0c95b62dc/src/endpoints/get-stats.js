"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.getStats = getStats;
const find_endpoint_1 = require("./find-endpoint");
const schema_1 = require("./schema");
/** Deliveries that are looked at, the newest first: what a call may cost, however busy the endpoint is. */
const MOST_DELIVERIES = 10_000;
/**
 * Sums up how the deliveries to an endpoint went, of events that were accepted in a window.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
async function getStats(deps, { accountId, id }, window) {
    await (0, find_endpoint_1.findEndpoint)(deps, accountId, id);
    const windowMs = schema_1.STATS_WINDOWS[window];
    return deps.endpointDeliveries.statsOfEndpoint({ accountId, endpointId: id, windowMs, most: MOST_DELIVERIES });
}
//# sourceMappingURL=get-stats.js.map