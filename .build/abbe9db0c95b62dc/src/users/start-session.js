"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.hashSessionToken = hashSessionToken;
exports.startSession = startSession;
const node_crypto_1 = require("node:crypto");
const ids_1 = require("../platform/ids");
const MAX_USER_AGENT_LENGTH = 300;
/** How a session is looked up: SHA-256 of its token, hexadecimal. */
function hashSessionToken(token) {
    return (0, node_crypto_1.createHash)('sha256').update(token).digest('hex');
}
/**
 * Starts a session, always under a new token: a token that the browser sent never becomes valid (session fixation).
 *
 * @returns its id, and the token, which exists nowhere else
 */
async function startSession(deps, user, client) {
    const token = (0, node_crypto_1.randomBytes)(32).toString('base64url');
    const id = (0, ids_1.newId)('ses');
    await deps.sessions.insert({
        _id: id,
        hash: hashSessionToken(token),
        user_id: user._id,
        account_id: user.account_id,
        address: client.address,
        user_agent: client.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    });
    return { id, token };
}
//# sourceMappingURL=start-session.js.map