"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpoint = createEndpoint;
const errors_1 = require("../domain/errors");
const ids_1 = require("../platform/ids");
const endpoint_options_1 = require("./endpoint-options");
const host_verification_1 = require("./host-verification");
const endpoint_store_1 = require("../record/endpoint-store");
/**
 * Registers a destination; events ingested from now on are matched against its patterns.
 *
 * @param caller `now` is the database's clock, so that lists are in one order whichever process wrote
 * @returns the endpoint, and its signing secret, to be shown in this one answer
 * @throws InvalidRequestError when `url` is not an absolute HTTPS URL
 * @throws UnprocessableError when deliveries to that URL are refused
 * @throws ConflictError when the account has as many endpoints as it can have
 */
async function createEndpoint(deps, caller, body) {
    const url = deps.checkUrl(body.url);
    const id = (0, ids_1.newId)('ep');
    const secret = body.secret ?? deps.generateSecret();
    const verification = await (0, host_verification_1.markOf)(deps, caller.accountId, url);
    const registered = {
        _id: id,
        account_id: caller.accountId,
        url,
        events: body.events,
        description: body.description,
        ...(body.metadata && { metadata: JSON.stringify(body.metadata) }),
        status: body.enabled ? 'active' : 'paused',
        ...(verification && { verification }),
        ...(body.options && { options: (0, endpoint_options_1.mergeOptions)(deps.secretBox, id, undefined, body.options) }),
        secret: deps.secretBox.seal(secret, id),
        created_at: caller.now,
        updated_at: caller.now,
    };
    const endpoint = await deps.endpoints.insert(registered, { actor: caller.actor, address: caller.address });
    if (!endpoint) {
        throw new errors_1.ConflictError(`This account has ${endpoint_store_1.MAX_ENDPOINTS} endpoints, which is the limit. Remove one first.`, 'endpoint_limit_reached');
    }
    await deps.accounts.bumpEndpointsVersion(caller.accountId);
    deps.verifier?.begin(deps, endpoint);
    return { endpoint, secret };
}
//# sourceMappingURL=create-endpoint.js.map