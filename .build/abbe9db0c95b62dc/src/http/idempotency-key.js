"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.idempotencyKeyOf = idempotencyKeyOf;
exports.refuseIdempotencyHeader = refuseIdempotencyHeader;
const errors_1 = require("../domain/errors");
const read_body_1 = require("./read-body");
const NAME = 'Idempotency-Key';
/**
 * The idempotency key of a request for one event: the field of its body, or the header that Stripe and the IETF's
 * draft (draft-ietf-httpapi-idempotency-key-header) use. The draft puts quotes around it, which are not part of the key.
 *
 * @param headers says what a key may be
 * @returns null when the request has neither
 * @throws InvalidRequestError when the header is no key, is there twice, or is another key than the body's
 */
function idempotencyKeyOf(ctx, headers, inBody) {
    const [sent, ...others] = ctx.req.headersDistinct[NAME.toLowerCase()] ?? [];
    if (sent === undefined)
        return inBody ?? null;
    if (others.length > 0)
        throw refusal('must be there once');
    const { [NAME]: inHeader } = (0, read_body_1.validate)(headers, { [NAME]: unquoted(sent) }, 'request');
    if (inBody !== undefined && inBody !== inHeader)
        throw refusal('must be the same key as "idempotency_key"');
    return inHeader;
}
/** @throws InvalidRequestError when a request for many events has the header: each event has a key of its own */
function refuseIdempotencyHeader(ctx) {
    if (ctx.get(NAME) !== '')
        throw refusal('is for one event: give each event of a batch an "idempotency_key"');
}
function unquoted(value) {
    return /^".*"$/.test(value) ? value.slice(1, -1) : value;
}
function refusal(message) {
    return new errors_1.InvalidRequestError(`"${NAME}" ${message}.`, 'invalid_request', [{ path: NAME, message }]);
}
//# sourceMappingURL=idempotency-key.js.map