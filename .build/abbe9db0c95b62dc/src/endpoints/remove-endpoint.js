"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.removeEndpoint = removeEndpoint;
const find_endpoint_1 = require("./find-endpoint");
/**
 * Removes an endpoint: its unfinished deliveries end as cancelled, and its place is free. A request that is under way
 * may still be answered, and a 2xx makes that delivery a delivered one. Executions that wait for a retry end at that time.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
async function removeEndpoint(deps, { accountId, id, actor, address }) {
    await (0, find_endpoint_1.findEndpoint)(deps, accountId, id);
    // First, while a caller who got no answer can still ask again: no delivery may stay behind that nobody ends.
    await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
    // Of two calls at once one comes too late.
    if (!(await deps.endpoints.remove(id, { actor, address })))
        throw (0, find_endpoint_1.endpointNotFound)();
    await deps.accounts.bumpEndpointsVersion(accountId);
    // What was accepted meanwhile. What a process accepts that matched before ends at its first attempt, or at the gate.
    await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
}
//# sourceMappingURL=remove-endpoint.js.map