"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.waitingDetails = waitingDetails;
exports.attemptDetails = attemptDetails;
exports.heldDetails = heldDetails;
/** What an operator reads while a delivery waits: `attempt 3 of 8 failed: 503; attempt 4 at 2026-01-01T…`. */
function waitingDetails(next, of, last, atMs) {
    const at = new Date(atMs).toISOString();
    return last
        ? `${attemptDetails(last.number, of, last)}; attempt ${next} at ${at}`
        : `attempt ${next} of ${of} at ${at}`;
}
/** What came of an attempt: `attempt 3 of 8 failed: 503`. */
function attemptDetails(number, of, answer) {
    return `attempt ${number} of ${of} failed${answer ? `: ${answer.statusCode ?? answer.errorCode}` : ''}`;
}
const REASONS = {
    suspended: 'the account is suspended',
    paused: 'the endpoint is paused',
    disabled: 'the endpoint is disabled',
    unverified: 'the host of the endpoint has not answered its challenge',
    hanging: 'the endpoint answers nothing',
    at_cap: 'the endpoint has as many requests as it may',
    at_rate: 'it is not its turn in the rate of the endpoint',
    in_line: 'an earlier event of this ordered endpoint comes first',
};
/** Why an execution ends before its delivery does: `attempt 3 is held: the endpoint is paused; …`. */
function heldDetails(number, reason) {
    return `attempt ${number} is held: ${REASONS[reason]}; a new execution makes it`;
}
//# sourceMappingURL=current-details.js.map