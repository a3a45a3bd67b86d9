"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sendChallenge = sendChallenge;
const signature_1 = require("./signature");
/** Type of the message that asks a host whether it wants an account's deliveries. */
const CHALLENGE_TYPE = 'endpoint.verification';
/** Sends a challenge the way that deliveries go: signed alike, to the same addresses, within the same time. */
function sendChallenge(sender, asked) {
    const { url, secrets, headers, id, challenge, timestampSeconds } = asked;
    const data = Buffer.from(JSON.stringify({ challenge }));
    const body = (0, signature_1.composeBody)({ id, type: CHALLENGE_TYPE, data, timestamp: timestampSeconds });
    const signed = (0, signature_1.signDelivery)({ secrets, body, eventId: id, eventType: CHALLENGE_TYPE, timestampSeconds });
    return sender.send({ url, headers: (0, signature_1.layOver)(headers, signed), body });
}
//# sourceMappingURL=challenge.js.map