"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createHostVerifier = createHostVerifier;
exports.verifyEndpoint = verifyEndpoint;
const node_crypto_1 = require("node:crypto");
const audit_actions_1 = require("../domain/audit-actions");
const destination_url_1 = require("../domain/destination-url");
const errors_1 = require("../domain/errors");
const change_endpoint_1 = require("./change-endpoint");
const find_endpoint_1 = require("./find-endpoint");
const CHALLENGE_BYTES = 24;
/** Asks by a challenge, which the host has to send back. */
function createHostVerifier(deps) {
    const ask = (access, endpoint) => askHost(deps, access, endpoint);
    return {
        ask,
        begin(access, endpoint) {
            if (endpoint.verification?.state !== 'unverified')
                return;
            ask(access, endpoint).catch((error) => {
                if (!(error instanceof errors_1.AppError)) {
                    deps.logger.warn({ err: error, endpoint_id: endpoint._id }, 'a host was not asked; its owner can ask again');
                }
            });
        },
    };
}
/**
 * Asks the host of an endpoint once more, unless it has answered, or hosts need not be verified.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 */
async function verifyEndpoint(deps, { accountId, id }) {
    const endpoint = await (0, find_endpoint_1.findEndpoint)(deps, accountId, id);
    return deps.verifier && endpoint.verification?.state === 'unverified' ? deps.verifier.ask(deps, endpoint) : endpoint;
}
async function askHost({ sendChallenge, budget, now }, access, endpoint) {
    const { _id: id, account_id: accountId } = endpoint;
    await budget.takeRetry(accountId);
    const askedAt = await now();
    const challenge = (0, node_crypto_1.randomBytes)(CHALLENGE_BYTES).toString('base64url');
    const answer = await sendChallenge(endpoint, challenge);
    const error = problemOf(answer, challenge);
    const host = (0, destination_url_1.hostOf)(endpoint.url);
    const mark = { host, state: error === null ? 'verified' : 'unverified', asked_at: askedAt, error };
    const note = (each) => 
    // What was verified meanwhile stays so, and what was moved is not what was asked.
    (0, change_endpoint_1.applyChange)(access, { ...audit_actions_1.BY_SYSTEM, accountId, id: each }, 'endpoint.challenged', ({ verification: it }) => it?.state === 'unverified' && it.host === host ? { set: { verification: mark } } : undefined);
    const asked = await note(id);
    if (error === null) {
        const others = (await access.endpoints.listByAccount(accountId)).filter(({ _id }) => _id !== id);
        for (const { _id, verification } of others)
            if (verification?.host === host)
                await note(_id);
    }
    return asked;
}
/** @returns null for an answer that is right */
function problemOf({ succeeded, snippet, error }, challenge) {
    if (!succeeded)
        return error ?? 'The answer was not a 2xx status.';
    return echoOf(snippet?.trim() ?? '') === challenge
        ? null
        : 'The status was 2xx, and the body was not the challenge: neither as text nor as {"challenge": "…"}.';
}
function echoOf(body) {
    if (!body.startsWith('{'))
        return body;
    try {
        return JSON.parse(body).challenge;
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=verify-endpoint.js.map