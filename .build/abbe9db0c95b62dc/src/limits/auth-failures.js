"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAuthFailureLimiter = createAuthFailureLimiter;
const address_limiter_1 = require("./address-limiter");
/** In this process alone: a valid key is never affected, so there is nothing that processes would have to agree on. */
function createAuthFailureLimiter(deps) {
    return (0, address_limiter_1.createAddressLimiter)({ ...deps, quotaLimit: 0 });
}
//# sourceMappingURL=auth-failures.js.map