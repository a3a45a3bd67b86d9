"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAnnouncer = createAnnouncer;
const delivery_contract_1 = require("../domain/delivery-contract");
const errors_1 = require("../domain/errors");
const event_pattern_1 = require("../domain/event-pattern");
const ingest_event_1 = require("./ingest-event");
/**
 * Ingests operational events, the way that callers' events take. Each is told once, however often it is announced: its
 * idempotency key says what happened. The keys are in a scope of their own, where no caller's key can be.
 *
 * Nothing is stored for an account that no endpoint of wants them.
 */
function createAnnouncer(deps) {
    const own = { ...deps, idempotency: reservedScope(deps.idempotency) };
    const announce = async (accountId, type, key, data) => {
        const account = await deps.accounts.find(accountId);
        if (!account)
            return;
        const version = account.endpoints_version;
        const endpoints = await deps.endpointCache.endpointsOf(accountId, version);
        if (!endpoints.some(({ events }) => events.some((pattern) => (0, event_pattern_1.matchesEventType)(pattern, type))))
            return;
        const caller = { accountId, endpointsVersion: version, now: await deps.dispatch.now() };
        const input = { type, data: Buffer.from(JSON.stringify(data)), idempotencyKey: key };
        await (0, ingest_event_1.ingestEvent)(own, caller, input).catch((error) => {
            // The account's own filters can't be evaluated: no later try would go better.
            if (!(error instanceof errors_1.UnprocessableError))
                throw error;
        });
    };
    return {
        deliveryFailed({ eventId, endpointId, run }, { event, destination }, answer) {
            const id = (0, delivery_contract_1.deliveryId)({ eventId, endpointId });
            return announce(event.account_id, 'everpost.delivery.failed', `delivery.failed/${id}/${run}`, {
                delivery_id: id,
                event_id: eventId,
                event_type: event.type,
                endpoint_id: endpointId,
                run,
                last_status_code: answer.status_code,
                last_error_code: answer.error_code,
                last_attempt_at: answer.started_at.toISOString(),
                ...(destination.replay_job && { replay_id: destination.replay_job }),
            });
        },
        endpointDisabled({ _id: id, account_id: accountId, disabled_at: at, disabled_reason: reason, failing_since: since, }) {
            const disabledAt = at.toISOString();
            return announce(accountId, 'everpost.endpoint.disabled', `endpoint.disabled/${id}/${disabledAt}`, {
                endpoint_id: id,
                reason,
                disabled_at: disabledAt,
                ...(reason === 'failing' && since && { failing_since: since.toISOString() }),
            });
        },
    };
}
/** Callers' keys belong to ids of accounts, which this is none. */
function reservedScope(idempotency) {
    const scopeOf = (accountId) => `operational/${accountId}`;
    return {
        ...idempotency,
        claim: (accountId, key, ...claim) => idempotency.claim(scopeOf(accountId), key, ...claim),
    };
}
//# sourceMappingURL=announce-operational-event.js.map