"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryStore = createDeliveryStore;
const event_store_1 = require("./event-store");
const mongo_1 = require("../platform/mongo");
const attempt_store_1 = require("./attempt-store");
const claim_store_1 = require("./claim-store");
const state_store_1 = require("./state-store");
const held_store_1 = require("./held-store");
const operations_store_1 = require("./operations-store");
/** @param leaseMs how long a claim of this process lasts (`claimLeaseMs`) */
function createDeliveryStore(db, leaseMs) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    const attempts = db.collection(attempt_store_1.ATTEMPTS_COLLECTION);
    const answers = (0, attempt_store_1.groupedAnswers)(attempts);
    const moves = (0, state_store_1.groupedMoves)(events);
    const starts = (0, state_store_1.groupedStarts)(events);
    const holds = (0, state_store_1.groupedHolds)(events);
    const loads = (0, mongo_1.createReadGroup)(events, {
        account_id: 1,
        type: 1,
        data: 1,
        timestamp: 1,
        destinations: 1,
        now: '$$NOW',
    });
    const states = (0, mongo_1.createReadGroup)(events, { destinations: 1 });
    const applyAnswer = (input, { succeeded, next_delay_ms: nextDelayMs }) => moves.add({ input: nextDelayMs === undefined ? input : { ...input, nextDelayMs }, succeeded });
    return {
        ...(0, operations_store_1.createDeliveryOperations)(events),
        ...(0, claim_store_1.createClaimStore)(attempts, leaseMs),
        ...(0, held_store_1.createHeldStore)(events, leaseMs),
        async ensureIndexes() {
            await attempts.createIndexes([{ key: { event_id: 1 } }]);
        },
        async load(ref) {
            const event = await loads.add(ref.eventId);
            const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === ref.endpointId);
            return event && destination ? { event, destination } : null;
        },
        async record(input, answer) {
            // One after the other: a crash may leave an answer whose state has not followed yet, and whoever asks for the
            // attempt again makes that good. A state without its answer would stay so.
            await answers.add({ input, answer });
            await applyAnswer(input, answer);
        },
        applyAnswer,
        markStarted: (ref) => starts.add(ref),
        hold: (ref, reason) => holds.add({ ref, reason }),
        async releasePromises(refs) {
            if (refs.length === 0)
                return;
            const updates = refs.map((ref) => (0, event_store_1.setInRun)(ref, { claimed_until: null }));
            await events.bulkWrite(updates, { ordered: false, writeConcern: mongo_1.FAST });
        },
        async isDue({ eventId, endpointId, run }) {
            const event = await states.add(eventId);
            const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
            return destination?.dispatch === 'due';
        },
        listAttempts: (eventId) => attempts
            .find({ event_id: eventId, answer: { $exists: true } })
            .sort({ run: 1, number: 1 })
            .toArray(),
    };
}
//# sourceMappingURL=delivery-store.js.map