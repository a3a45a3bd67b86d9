"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createIngestRoom = createIngestRoom;
exports.outcomeUnknown = outcomeUnknown;
const errors_1 = require("../domain/errors");
/** A failover takes longer, and the client of a longer wait has left. */
const PATIENCE_MS = 2_000;
const RETRY_AFTER_S = 2;
function createIngestRoom(bounds) {
    const used = { calls: 0, bytes: 0 };
    return {
        async run(call, ingest) {
            if (used.calls >= bounds.calls || used.bytes + call.bytes > bounds.bytes)
                throw notAccepted();
            used.calls += 1;
            used.bytes += call.bytes;
            const waiting = new AbortController();
            const stopListening = call.onGone(() => waiting.abort(notAccepted()));
            let timer;
            const outOfTime = new Promise((_, reject) => {
                timer = setTimeout(() => {
                    waiting.abort(notAccepted());
                    // What was not sent is refused by now, and said so.
                    setImmediate(() => reject(outcomeUnknown()));
                }, PATIENCE_MS);
            });
            const result = ingest(waiting.signal).finally(() => {
                used.calls -= 1;
                used.bytes -= call.bytes;
                clearTimeout(timer);
                stopListening();
            });
            return Promise.race([result, outOfTime]);
        },
    };
}
function notAccepted() {
    return new errors_1.UnavailableError('The database is too slow for what is sent right now. Nothing was accepted: send it again.', 'ingest_busy', RETRY_AFTER_S);
}
/** Nobody knows whether the event was accepted. */
function outcomeUnknown() {
    return new errors_1.UnavailableError('The database did not confirm this in time. Whether it was accepted is not known: send it again with the same ' +
        '"idempotency_key", and it is never accepted twice.', 'outcome_unknown', RETRY_AFTER_S);
}
//# sourceMappingURL=ingest-room.js.map