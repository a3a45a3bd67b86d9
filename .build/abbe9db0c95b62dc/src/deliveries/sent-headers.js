"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sentHeaders = sentHeaders;
/** Shown in the place of a value that is the owner's secret. */
const HIDDEN = '[hidden]';
/**
 * The headers of an attempt's request, as they were sent: what was kept of them, and what follows from the event.
 * Signatures are those that were sent, whatever became of the secrets since. Values of the endpoint's own headers and its
 * credentials are not kept.
 */
function sentHeaders(event, { sent }) {
    return {
        ...Object.fromEntries((sent.hidden ?? []).map((name) => [name, HIDDEN])),
        'Content-Type': 'application/json',
        'X-Webhook-ID': String(event._id),
        'X-Webhook-Type': event.type,
        'X-Webhook-Timestamp': String(sent.timestamp),
        'X-Webhook-Signature': sent.signature,
        ...(sent.next_signature !== undefined && { 'X-Webhook-Signature-Next': sent.next_signature }),
        'webhook-id': String(event._id),
        'webhook-timestamp': String(sent.timestamp),
        'webhook-signature': sent.standard_signature,
    };
}
//# sourceMappingURL=sent-headers.js.map