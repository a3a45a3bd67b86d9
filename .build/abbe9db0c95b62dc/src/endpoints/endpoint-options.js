"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.mergeOptions = mergeOptions;
exports.showOptions = showOptions;
exports.optionHeaders = optionHeaders;
const retry_schedule_1 = require("../domain/retry-schedule");
const sealed_values_1 = require("./sealed-values");
/**
 * Lays a change over an endpoint's options: what is left out stays, null and false switch off.
 *
 * @returns the options to store; an option that is off is absent
 */
function mergeOptions(secretBox, endpointId, current, change) {
    const sealed = change && {
        ...change,
        headers: change.headers && secretBox.seal(JSON.stringify(change.headers), (0, sealed_values_1.headersContext)(endpointId)),
        authentication: change.authentication && sealCredential(secretBox, endpointId, change.authentication),
        filter: change.filter && JSON.stringify(change.filter),
    };
    const sent = Object.entries(sealed ?? {}).filter(([, value]) => value !== undefined);
    const merged = Object.entries({ ...current, ...Object.fromEntries(sent) });
    return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== false));
}
/** Opens an endpoint's options for its owner. Password and token stay sealed. */
function showOptions(secretBox, endpointId, options) {
    return {
        retry_schedule: options?.retry_schedule ? (0, retry_schedule_1.withLeastDelays)(options.retry_schedule) : null,
        max_per_second: options?.max_per_second ?? null,
        ordered: options?.ordered ?? false,
        disable_on_gone: options?.disable_on_gone ?? false,
        honor_retry_after: options?.honor_retry_after ?? false,
        headers: openHeaders(secretBox, endpointId, options),
        authentication: showCredential(options),
        filter: options?.filter === undefined ? null : JSON.parse(options.filter),
    };
}
/** The headers that an endpoint's options add to each of its deliveries; `Authorization` among them. */
function optionHeaders(secretBox, endpointId, options) {
    const headers = openHeaders(secretBox, endpointId, options) ?? {};
    const credential = options?.authentication;
    if (!credential)
        return headers;
    const secret = secretBox.open(credential.secret, (0, sealed_values_1.credentialContext)(endpointId));
    return {
        ...headers,
        Authorization: credential.type === 'bearer'
            ? `Bearer ${secret}`
            : `Basic ${Buffer.from(`${credential.username}:${secret}`).toString('base64')}`,
    };
}
function openHeaders(secretBox, endpointId, options) {
    if (!options?.headers)
        return null;
    return JSON.parse(secretBox.open(options.headers, (0, sealed_values_1.headersContext)(endpointId)));
}
function sealCredential(secretBox, endpointId, credential) {
    const seal = (secret) => secretBox.seal(secret, (0, sealed_values_1.credentialContext)(endpointId));
    return credential.type === 'bearer'
        ? { type: 'bearer', secret: seal(credential.token) }
        : { type: 'basic', username: credential.username, secret: seal(credential.password) };
}
function showCredential(options) {
    const credential = options?.authentication;
    if (!credential)
        return null;
    return credential.type === 'bearer' ? { type: 'bearer' } : { type: 'basic', username: credential.username };
}
//# sourceMappingURL=endpoint-options.js.map