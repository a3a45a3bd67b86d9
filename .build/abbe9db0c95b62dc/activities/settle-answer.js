"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.settleAnswer = settleAnswer;
const attempt_store_1 = require("../src/record/attempt-store");
const event_pattern_1 = require("../src/domain/event-pattern");
const endpoint_store_1 = require("../src/record/endpoint-store");
/** The database decides whether it was long enough; before this nobody asks it. */
const CLOCKS_MAY_DIFFER_MS = 60_000;
const GONE = 410;
/**
 * Does what follows from a recorded answer: lets the next one in an ordered endpoint's line, disables an endpoint that is
 * gone or only fails, and announces what the account should know. May be done again at any time: a crash in the middle
 * is made good when Temporal runs the attempt again and finds its answer recorded.
 *
 * For a success of an endpoint without options it asks nobody anything.
 */
async function settleAnswer(deps, input, { delivery, endpoint }, answer) {
    const isLast = answer.succeeded || input.nextDelayMs === null;
    if (endpoint && isLast && (0, endpoint_store_1.standsInLine)(endpoint, input))
        deps.lookAt(endpoint._id);
    if (endpoint && answer.succeeded && endpoint.failing_since)
        await deps.health.noteSuccess(endpoint._id);
    if (answer.succeeded)
        return;
    const isOperational = (0, event_pattern_1.isOperationalType)(delivery.event.type);
    if (endpoint) {
        const disabled = await disableIfDue(deps, input, endpoint, answer);
        if (disabled && !isOperational)
            await deps.announce.endpointDisabled(disabled);
    }
    if (isLast && !isOperational)
        await deps.announce.deliveryFailed(input, delivery, answer);
}
/** @returns the endpoint when this very answer disabled it, now or before a crash */
async function disableIfDue(deps, input, endpoint, answer) {
    const by = (0, attempt_store_1.attemptId)(input);
    if (endpoint.disabled_by === by)
        return endpoint.status === 'disabled' ? endpoint : null;
    if ((0, endpoint_store_1.closedBy)(endpoint))
        return null;
    const disabled = await disable(deps, endpoint, by, answer);
    if (disabled)
        await deps.accounts.bumpEndpointsVersion(endpoint.account_id);
    return disabled;
}
async function disable({ health, autoDisableAfterMs: afterMs, clock }, endpoint, by, { status_code: statusCode }) {
    if (statusCode === GONE && endpoint.options?.disable_on_gone)
        return health.disable(endpoint._id, 'gone', { by });
    if (afterMs === null)
        return null;
    if (!endpoint.failing_since) {
        await health.noteFailure(endpoint._id);
        return null;
    }
    const failingForMs = clock() - endpoint.failing_since.getTime();
    if (failingForMs < afterMs - CLOCKS_MAY_DIFFER_MS)
        return null;
    return health.disable(endpoint._id, 'failing', { by, failingForMs: afterMs });
}
//# sourceMappingURL=settle-answer.js.map