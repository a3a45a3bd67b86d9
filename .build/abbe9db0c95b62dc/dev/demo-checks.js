"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isSpecSignatureRight = isSpecSignatureRight;
exports.isStandardSignatureRight = isStandardSignatureRight;
exports.checkDemo = checkDemo;
exports.seconds = seconds;
const node_crypto_1 = require("node:crypto");
/** Waits that were promised between the attempts, and how late a busy machine may be. */
const WAITS_MS = [1_000, 5_000];
const TOLERANCE_EARLY_MS = 50;
const TOLERANCE_LATE_MS = 2_500;
/**
 * Whether the specification's header is right, computed by hand the way a receiver would: HMAC-SHA256 over the raw
 * body, keyed with the whole secret as it was shown.
 */
function isSpecSignatureRight(secret, { headers, body }) {
    return headers['x-webhook-signature'] === `sha256=${(0, node_crypto_1.createHmac)('sha256', secret).update(body).digest('hex')}`;
}
/** Whether the Standard Webhooks headers are right, computed by hand the way its libraries do. */
function isStandardSignatureRight(secret, { headers, body }) {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
    const signature = (0, node_crypto_1.createHmac)('sha256', key).update(signed).update(body).digest('base64');
    return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}
/** Compares what happened with what was promised. */
function checkDemo(result) {
    const { arrivals, secret, status, eventId } = result;
    const answers = arrivals.map(({ answered }) => answered);
    const waits = arrivals.slice(1).map(({ atMs }, index) => atMs - arrivals[index].atMs);
    const recorded = status.deliveries[0]?.attempts.map(({ status_code: code }) => code) ?? [];
    return [
        { promise: `three attempts: ${answers.join(', ')}`, kept: answers.join() === '500,503,200' },
        { promise: `waits of about 1 s and 5 s: ${waits.map(seconds).join(', ')}`, kept: areWaitsRight(waits) },
        {
            promise: 'X-Webhook-Signature is right on every attempt',
            kept: arrivals.length > 0 && arrivals.every((arrival) => isSpecSignatureRight(secret, arrival)),
        },
        {
            promise: 'webhook-signature (Standard Webhooks) is right on every attempt',
            kept: arrivals.length > 0 && arrivals.every((arrival) => isStandardSignatureRight(secret, arrival)),
        },
        {
            promise: 'every body has exactly the bytes of data that were sent',
            kept: arrivals.length > 0 && arrivals.every(({ body }) => body.toString('utf8') === result.expectedBody),
        },
        {
            promise: `GET /events/${eventId} says "${status.status}" after attempts answered ${recorded.join(', ')}`,
            kept: status.status === 'delivered' && recorded.join() === '500,503,200',
        },
    ];
}
function areWaitsRight(waits) {
    return (waits.length === WAITS_MS.length &&
        WAITS_MS.every((ms, index) => waits[index] >= ms - TOLERANCE_EARLY_MS && waits[index] <= ms + TOLERANCE_LATE_MS));
}
/** Milliseconds as seconds with two decimals. */
function seconds(ms) {
    return `${(ms / 1_000).toFixed(2)} s`;
}
//# sourceMappingURL=demo-checks.js.map