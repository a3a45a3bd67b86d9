"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isSigningSecret = isSigningSecret;
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const MOST_BYTES = 64;
/** Whether the text is a signing secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in padded base64. */
function isSigningSecret(text) {
    const encoded = SECRET.exec(text)?.[1];
    if (encoded === undefined)
        return false;
    const padding = encoded.endsWith('==') ? 2 : Number(encoded.endsWith('='));
    return (encoded.length / 4) * 3 - padding <= MOST_BYTES;
}
//# sourceMappingURL=signing-secret.js.map