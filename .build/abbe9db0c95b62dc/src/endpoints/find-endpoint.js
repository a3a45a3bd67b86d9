"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.findEndpoint = findEndpoint;
exports.endpointNotFound = endpointNotFound;
const errors_1 = require("../domain/errors");
/**
 * Finds an account's endpoint.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
async function findEndpoint(deps, accountId, id) {
    const endpoint = await deps.endpoints.find(id);
    if (!endpoint || endpoint.account_id !== accountId)
        throw endpointNotFound();
    return endpoint;
}
/** What is said of an endpoint that is not there, or not the caller's. */
function endpointNotFound() {
    return new errors_1.NotFoundError('There is no endpoint with this id.', 'endpoint_not_found');
}
//# sourceMappingURL=find-endpoint.js.map