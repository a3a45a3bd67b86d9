"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.phasesOf = phasesOf;
const delivery_contract_1 = require("../src/domain/delivery-contract");
const logger_1 = require("../src/platform/logger");
const temporal_1 = require("../src/platform/temporal");
const statistics_1 = require("./statistics");
/** Histories that are read at a time. */
const READS_IN_FLIGHT = 8;
/**
 * Where the time of a delivery in `workflow` mode goes, from what Temporal, MongoDB, the load and the receiver have written
 * down: they share this machine's clock.
 *
 * @returns milliseconds that each phase takes
 */
async function phasesOf({ servers, namespace, mongo }, ingested, arrivals) {
    const temporal = (0, temporal_1.createTemporalLink)({ address: servers.temporal.address, namespace, connection: {} }, (0, logger_1.createLogger)('warn'));
    await temporal.connected();
    const sentAt = new Map(ingested.map((event) => [event.eventId, event]));
    const attempts = await mongo.db
        .collection('attempts')
        .find({ event_id: { $in: [...sentAt.keys()] }, number: 1, answer: { $exists: true } })
        .toArray();
    const spent = {};
    const lane = async () => {
        for (let attempt = attempts.shift(); attempt; attempt = attempts.shift()) {
            const event = sentAt.get(attempt.event_id);
            const history = await historyOf(temporal, attempt);
            const arrivedAt = arrivals.get(attempt.event_id)[0];
            for (const [phase, ms] of Object.entries(phases(event, attempt, arrivedAt, history))) {
                (spent[phase] ??= []).push(ms);
            }
        }
    };
    await Promise.all(Array.from({ length: READS_IN_FLIGHT }, lane));
    await temporal.close();
    return Object.fromEntries(Object.entries(spent).map(([phase, values]) => [phase, (0, statistics_1.quantiles)(values)]));
}
function phases({ sentAtMs, latencyMs }, { answer }, arrivedAt, { startedAt, scheduledAt, endedAt }) {
    const postedAt = answer.started_at.getTime();
    const answeredAt = postedAt + answer.latency_ms;
    return {
        'request → 202': latencyMs,
        'request → execution started': startedAt - sentAtMs,
        'started → attempt scheduled by the workflow': scheduledAt - startedAt,
        'scheduled → POST (claim, load, sign)': postedAt - scheduledAt,
        'POST → arrival': arrivedAt - postedAt,
        'arrival → answer': answeredAt - arrivedAt,
        'answer → execution completed (record)': endedAt - answeredAt,
    };
}
/** Instants in milliseconds since 1970: of the history's first and last event, and of the local activity, from its marker. */
async function historyOf(temporal, { event_id: eventId, endpoint_id: endpointId }) {
    const workflowId = (0, delivery_contract_1.deliveryWorkflowId)({ eventId, endpointId, run: 1 });
    const { events } = await temporal.call(({ workflow }) => workflow.getHandle(workflowId).fetchHistory());
    const marker = events.find((event) => event.markerRecordedEventAttributes)?.markerRecordedEventAttributes;
    const local = JSON.parse(Buffer.from(marker.details['data'].payloads[0].data).toString());
    return {
        startedAt: msOf(events[0].eventTime),
        scheduledAt: msOf(local.original_schedule_time),
        endedAt: msOf(events.at(-1).eventTime),
    };
}
function msOf({ seconds, nanos }) {
    return Number(seconds) * 1_000 + (nanos ?? 0) / 1e6;
}
//# sourceMappingURL=phases.js.map