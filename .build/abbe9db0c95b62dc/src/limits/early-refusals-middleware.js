"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEarlyRefusals = createEarlyRefusals;
exports.createPeerLimits = createPeerLimits;
const middleware_1 = require("./middleware");
const client_address_1 = require("../http/client-address");
/**
 * Gives every refusal its limit headers (docs/spec.md, "Limits"): one from before anybody knew whose
 * request it is has those of the client's address.
 */
function createEarlyRefusals({ clientAddress, limiterOf }) {
    return async (ctx, next) => {
        try {
            await next();
        }
        catch (error) {
            if (!ctx.res.hasHeader('X-RateLimit-Limit')) {
                (0, middleware_1.setLimitHeaders)(ctx, limiterOf(ctx.path).peek(clientAddress(ctx)));
            }
            throw error;
        }
    };
}
/** Limit headers of an answer to what never became a request. */
function createPeerLimits(strangers) {
    return (peer) => (0, middleware_1.limitHeaders)(strangers.peek((0, client_address_1.peerAddress)(peer)));
}
//# sourceMappingURL=early-refusals-middleware.js.map