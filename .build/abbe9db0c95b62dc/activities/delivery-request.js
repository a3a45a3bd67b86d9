"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sendDelivery = sendDelivery;
const retry_after_1 = require("../src/domain/retry-after");
const signature_1 = require("../src/sender/signature");
/** Sends one delivery. @returns the receiver's answer as the history keeps it */
async function sendDelivery(deps, input, delivery, endpoint) {
    const added = endpoint.options ? deps.optionHeaders(endpoint) : {};
    const { request, signed } = composeRequest(deps, delivery, endpoint, added);
    const result = await deps.sender.send(request);
    const nextDelayMs = honouredDelay(input, endpoint, result, deps.clock());
    return {
        started_at: new Date(result.startedAtMs),
        latency_ms: result.latencyMs,
        succeeded: result.succeeded,
        status_code: result.statusCode,
        error_code: result.errorCode,
        error: result.error,
        response_snippet: result.snippet,
        url: result.url,
        resends: result.resends,
        ...(nextDelayMs !== undefined && { next_delay_ms: nextDelayMs }),
        sent: sentParts(signed, Object.keys(added)),
    };
}
function composeRequest(deps, { event }, endpoint, added) {
    const body = (0, signature_1.composeBody)({
        id: event._id,
        type: event.type,
        data: Buffer.from(event.data.value()),
        timestamp: event.timestamp,
    });
    const open = deps.secretBox.open;
    const signed = (0, signature_1.signDelivery)({
        secrets: {
            current: open(endpoint.secret, endpoint._id),
            next: endpoint.next_secret && open(endpoint.next_secret, endpoint._id),
        },
        body,
        eventId: event._id,
        eventType: event.type,
        timestampSeconds: Math.floor(deps.clock() / 1_000),
    });
    return { request: { url: endpoint.url, headers: (0, signature_1.layOver)(added, signed), body }, signed };
}
function sentParts(signed, hidden) {
    const nextSignature = signed['X-Webhook-Signature-Next'];
    return {
        timestamp: Number(signed['X-Webhook-Timestamp']),
        signature: signed['X-Webhook-Signature'],
        ...(nextSignature !== undefined && { next_signature: nextSignature }),
        standard_signature: signed['webhook-signature'],
        ...(hidden.length > 0 && { hidden }),
    };
}
/** The wait that the receiver asked for, where it is longer than the schedule's and the endpoint's owner wants it. */
function honouredDelay({ nextDelayMs }, { options }, { retryAfter }, nowMs) {
    if (!options?.honor_retry_after || nextDelayMs === null || retryAfter === null)
        return undefined;
    const askedMs = (0, retry_after_1.parseRetryAfter)(retryAfter, nowMs);
    return askedMs !== undefined && askedMs > nextDelayMs ? askedMs : undefined;
}
//# sourceMappingURL=delivery-request.js.map