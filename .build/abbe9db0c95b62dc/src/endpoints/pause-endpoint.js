"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.pauseEndpoint = pauseEndpoint;
exports.resumeEndpoint = resumeEndpoint;
const change_endpoint_1 = require("./change-endpoint");
/**
 * Holds an endpoint's deliveries. Events go on being matched and kept; what is under way right now may still arrive.
 * A second call changes nothing, and an endpoint that is disabled holds its deliveries already.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
function pauseEndpoint(deps, which) {
    return (0, change_endpoint_1.applyChange)(deps, which, 'endpoint.paused', ({ status }) => status === 'active' ? { set: { status: 'paused' } } : undefined);
}
/**
 * Makes a paused or disabled endpoint active again: the sweeper finds its gate open within a second, and lets its held
 * deliveries go, the oldest first. A second call changes nothing.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
function resumeEndpoint(deps, which) {
    return (0, change_endpoint_1.applyChange)(deps, which, 'endpoint.resumed', ({ status }) => status === 'active' ? undefined : { set: { status: 'active' }, unset: ['disabled_reason', 'failing_since'] });
}
//# sourceMappingURL=pause-endpoint.js.map