"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.applyChange = applyChange;
exports.changeEndpoint = changeEndpoint;
const destination_url_1 = require("../domain/destination-url");
const errors_1 = require("../domain/errors");
const endpoint_options_1 = require("./endpoint-options");
const find_endpoint_1 = require("./find-endpoint");
const options_schema_1 = require("./options-schema");
const host_verification_1 = require("./host-verification");
/**
 * Changes an endpoint for everybody: reads it, decides, and writes unless somebody else wrote meanwhile; then it is
 * read and decided anew. When this resolves, the next event that any process accepts is matched by the new endpoint.
 *
 * @param decide what to change; nothing when the endpoint is as it should be
 * @throws NotFoundError when the account has no such endpoint
 */
async function applyChange(deps, { accountId, id, actor, address }, action, decide) {
    for (;;) {
        const endpoint = await (0, find_endpoint_1.findEndpoint)(deps, accountId, id);
        const change = decide(endpoint);
        if (!change)
            return endpoint;
        const changed = await deps.endpoints.change(endpoint, change, { actor, address, action });
        if (!changed)
            continue;
        await deps.accounts.bumpEndpointsVersion(accountId);
        return changed;
    }
}
/**
 * Changes what a caller may change. A changed URL holds for the next attempt of deliveries in flight, changed patterns
 * and filter for the next event, a changed schedule for deliveries that begin from now on.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws InvalidRequestError when `url` is not an absolute HTTPS URL, or options contradict each other
 * @throws UnprocessableError when deliveries to that URL are refused
 */
async function changeEndpoint(deps, which, body) {
    const { options, url, metadata, ...rest } = body;
    const plain = {
        ...rest,
        ...(url !== undefined && { url: deps.checkUrl(url) }),
        ...(metadata && { metadata: JSON.stringify(metadata) }),
    };
    const mark = plain.url === undefined ? undefined : await (0, host_verification_1.markOf)(deps, which.accountId, plain.url);
    const isChange = options !== undefined || Object.values(plain).some((value) => value !== undefined);
    const changed = await applyChange(deps, which, 'endpoint.changed', (endpoint) => {
        if (!isChange)
            return undefined;
        const merged = options && (0, endpoint_options_1.mergeOptions)(deps.secretBox, endpoint._id, endpoint.options, options);
        if (merged)
            refuseTwoAuthorizations(deps, endpoint._id, merged);
        // A new host is asked; where it was before it was asked, or need not be.
        const verification = mark && (0, destination_url_1.hostOf)(endpoint.url) !== mark.host ? mark : undefined;
        return { set: { ...definedOf(plain), ...(merged && { options: merged }), ...(verification && { verification }) } };
    });
    if (mark)
        deps.verifier?.begin(deps, changed);
    return changed;
}
/** The change and what was there before may each be right, and together make one header twice. */
function refuseTwoAuthorizations(deps, id, options) {
    if (!options.authentication)
        return;
    const { headers } = (0, endpoint_options_1.showOptions)(deps.secretBox, id, options);
    const name = Object.keys(headers ?? {}).find((candidate) => candidate.toLowerCase() === 'authorization');
    if (name === undefined)
        return;
    const detail = { path: `options.headers.${name}`, message: options_schema_1.AUTHORIZATION_TAKEN };
    throw new errors_1.InvalidRequestError(`"${detail.path}" ${detail.message}.`, 'invalid_request', [detail]);
}
function definedOf(fields) {
    const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
}
//# sourceMappingURL=change-endpoint.js.map