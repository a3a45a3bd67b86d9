"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentEndpoint = presentEndpoint;
exports.presentSecrets = presentSecrets;
exports.presentStats = presentStats;
const endpoint_options_1 = require("./endpoint-options");
/** An endpoint as the API shows it: its signing secrets, passwords and tokens stay inside. */
function presentEndpoint(secretBox, endpoint) {
    return {
        id: endpoint._id,
        url: endpoint.url,
        events: [...endpoint.events],
        description: endpoint.description,
        metadata: JSON.parse(endpoint.metadata ?? '{}'),
        status: endpoint.status,
        ...(endpoint.disabled_reason && { disabled_reason: endpoint.disabled_reason }),
        ...(endpoint.verification && { verification: presentVerification(endpoint.verification) }),
        options: (0, endpoint_options_1.showOptions)(secretBox, endpoint._id, endpoint.options),
        created_at: endpoint.created_at.toISOString(),
        updated_at: endpoint.updated_at.toISOString(),
    };
}
function presentVerification({ host, state, asked_at: askedAt, error }) {
    return { host, state, asked_at: askedAt?.toISOString() ?? null, error };
}
/** The signing secrets, for their owner. */
function presentSecrets({ secret, nextSecret, activatesAt }) {
    return { secret, next_secret: nextSecret, next_secret_activates_at: activatesAt?.toISOString() ?? null };
}
/** How an endpoint's deliveries went. */
function presentStats(id, window, stats) {
    const { delivered, failed } = stats.deliveries;
    const { total, succeeded } = stats.attempts;
    return {
        endpoint_id: id,
        window,
        since: stats.since.toISOString(),
        until: stats.until.toISOString(),
        complete: stats.complete,
        deliveries: { ...stats.deliveries },
        success_rate: delivered + failed === 0 ? null : Math.round((delivered / (delivered + failed)) * 10_000) / 10_000,
        attempts: { total, succeeded, failed: total - succeeded },
        latency_ms: stats.latencyMs && { ...stats.latencyMs },
    };
}
//# sourceMappingURL=present.js.map