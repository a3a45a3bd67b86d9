"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.markOf = markOf;
const destination_url_1 = require("../domain/destination-url");
/**
 * What an endpoint at this URL begins with: verified where another endpoint of the account at the same host is.
 *
 * @returns undefined where hosts need not be verified
 */
async function markOf({ endpoints, verifier }, accountId, url) {
    if (!verifier)
        return undefined;
    // With its port: what listens on another one is somebody else.
    const host = (0, destination_url_1.hostOf)(url);
    const all = await endpoints.listByAccount(accountId);
    const known = all.find(({ verification: it }) => it?.state === 'verified' && it.host === host);
    return known?.verification ?? { host, state: 'unverified', asked_at: null, error: null };
}
//# sourceMappingURL=host-verification.js.map