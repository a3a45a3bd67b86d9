"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createInboxLog = createInboxLog;
const signature_1 = require("../src/sender/signature");
const KEPT = 200;
function createInboxLog(secretsFor) {
    const requests = [];
    let count = 0;
    return {
        add({ body, ...rest }) {
            const request = {
                number: (count += 1),
                received_at: new Date().toISOString(),
                ...rest,
                body: body.toString('utf8'),
                body_base64: body.toString('base64'),
                signature: 'unknown',
            };
            requests.unshift(request);
            requests.length = Math.min(requests.length, KEPT);
            // The sender has its answer already: looking up secrets must not delay deliveries.
            judge(rest.headers, body, secretsFor).then((verdict) => (request.signature = verdict), () => undefined);
        },
        list: () => requests,
    };
}
async function judge(headers, body, secretsFor) {
    const signatures = [headers['x-webhook-signature'], headers['x-webhook-signature-next']].filter((value) => value !== undefined);
    if (signatures.length === 0)
        return 'missing';
    const eventId = Number(headers['x-webhook-id']);
    const secrets = Number.isSafeInteger(eventId) ? await secretsFor(eventId) : [];
    if (secrets.length === 0)
        return 'unknown';
    const isRight = signatures.every((signature) => secrets.some((secret) => (0, signature_1.verifySignature)(secret, body, signature)));
    return isRight ? 'verified' : 'wrong';
}
//# sourceMappingURL=inbox-log.js.map