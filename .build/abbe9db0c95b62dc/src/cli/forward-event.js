"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.forwardEvent = forwardEvent;
const http_sender_1 = require("../sender/http-sender");
const signature_1 = require("../sender/signature");
/** As long as a delivery waits. */
const TIMEOUT_MS = 30_000;
/**
 * Sends an event to a receiver as a delivery would: the same body, and the same headers signed with another secret.
 * A redirect is an answer, and is not followed.
 */
async function forwardEvent(event, to, secret) {
    const body = Buffer.from(event.body);
    const headers = (0, signature_1.signDelivery)({
        secrets: { current: secret },
        body,
        eventId: event.id,
        eventType: event.type,
        timestampSeconds: Math.floor(Date.now() / 1_000),
    });
    const startedAt = performance.now();
    const latencyMs = () => Math.round(performance.now() - startedAt);
    try {
        const answer = await fetch(to, {
            method: 'POST',
            headers: { 'User-Agent': http_sender_1.USER_AGENT, ...headers },
            body,
            redirect: 'manual',
            signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await answer.body?.cancel();
        return { status: answer.status, error: null, latencyMs: latencyMs() };
    }
    catch (error) {
        const { name, message, cause } = error;
        const text = name === 'TimeoutError' ? `no answer in ${TIMEOUT_MS / 1_000} s` : (cause?.code ?? message);
        return { status: null, error: text, latencyMs: latencyMs() };
    }
}
//# sourceMappingURL=forward-event.js.map