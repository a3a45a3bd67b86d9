"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readScopes = readScopes;
exports.readExpiry = readExpiry;
const api_key_1 = require("../domain/api-key");
const duration_1 = require("../domain/duration");
const errors_1 = require("../domain/errors");
const scopes_1 = require("../domain/scopes");
/** The last instant whose year has four digits. */
const LAST_EXPIRY_MS = Date.parse('9999-12-31T23:59:59.999Z');
/**
 * Reads the scopes that a key is to hold.
 *
 * @returns them in their usual order, each once
 * @throws InvalidRequestError for none, for an unknown one, and for a product that has no scopes
 */
function readScopes(product, names) {
    if (product !== 'weh') {
        throw new errors_1.InvalidRequestError(`Keys of ${api_key_1.PRODUCTS[product]} have no scopes. Leave them out.`, 'unknown_scope');
    }
    const unknown = names.find((name) => !(0, scopes_1.isScope)(name));
    if (unknown !== undefined || names.length === 0) {
        const why = unknown === undefined ? 'A key needs at least one scope' : `There is no scope "${unknown}"`;
        throw new errors_1.InvalidRequestError(`${why}. Scopes: ${scopes_1.SCOPE_NAMES.join(', ')}. Without any the key holds all.`, 'unknown_scope');
    }
    return scopes_1.SCOPE_NAMES.filter((scope) => names.includes(scope));
}
/**
 * Reads how long a key is valid.
 *
 * @param duration `12h`, `90d`
 * @param nowMs milliseconds since 1970
 * @returns when the key ends
 * @throws InvalidRequestError for anything else, and for no time at all
 */
function readExpiry(duration, nowMs) {
    const at = nowMs + durationOf(duration);
    if (!(at > nowMs && at <= LAST_EXPIRY_MS)) {
        throw new errors_1.InvalidRequestError(`A key can't expire after "${duration}". Write a number and a unit: 12h, 90d or 365d.`, 'invalid_expiry');
    }
    return new Date(at);
}
function durationOf(text) {
    try {
        return (0, duration_1.parseDurationMs)(text);
    }
    catch {
        return Number.NaN;
    }
}
//# sourceMappingURL=read-restrictions.js.map