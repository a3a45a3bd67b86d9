"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.PositionLostError = void 0;
exports.createListenStore = createListenStore;
const mongodb_1 = require("mongodb");
const event_store_1 = require("../record/event-store");
const mongo_1 = require("../platform/mongo");
const mongo_changes_1 = require("../platform/mongo-changes");
const turns_1 = require("../platform/turns");
/** The database no longer knows what came after the position. */
class PositionLostError extends Error {
}
exports.PositionLostError = PositionLostError;
/** Only ids leave the database; data is read for the events that somebody wants. */
const SEEN = { $project: { 'fullDocument._id': 1, 'fullDocument.account_id': 1, 'fullDocument.type': 1 } };
const TOLD = { type: 1, data: 1, timestamp: 1 };
const WAIT_MS = 500;
/** How long the database waits for a change when all of them are there already. */
const NO_WAIT_MS = 10;
/** Each catch-up read holds a connection of the pool, which ingest needs too. */
const STEPS_AT_ONCE = 4;
/** ChangeStreamHistoryLost */
const HISTORY_LOST = 286;
/** Follows events as they are accepted, in the order in which a majority of the database has them. */
function createListenStore(db) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    const told = (0, mongo_1.createReadGroup)(db.collection(event_store_1.EVENTS_COLLECTION), TOLD);
    const turns = (0, turns_1.createTurns)(STEPS_AT_ONCE);
    return {
        /** Watches the events of all accounts until `close`. */
        watch: (follower) => (0, mongo_changes_1.followChanges)(() => events.watch([{ $match: { operationType: 'insert' } }, SEEN], {
            maxAwaitTimeMS: WAIT_MS,
        }), { ...follower, onChange: (change, position) => follower.onChange(acceptedOf(change), position) }),
        /**
         * An account's events behind one position, up to another.
         *
         * @throws PositionLostError when `position` is invalid, or the database no longer reaches back so far
         */
        async *between(accountId, position, until, signal) {
            const resumeAfter = (0, mongo_changes_1.tokenOf)(position);
            // MongoDB resumes only after a change that the pipeline returns, and the position may be another account's.
            const wanted = { $or: [{ 'fullDocument.account_id': accountId }, { _id: resumeAfter }] };
            const stream = events.watch([{ $match: { operationType: 'insert', ...wanted } }, SEEN], { maxAwaitTimeMS: NO_WAIT_MS, resumeAfter });
            let isOpen = false;
            try {
                while (!signal.aborted) {
                    const change = await turns.take(() => stream.tryNext());
                    isOpen = true;
                    const reached = (0, mongo_changes_1.positionOf)(change?._id ?? stream.resumeToken);
                    if (change && reached <= until)
                        yield { event: acceptedOf(change), position: reached };
                    if (reached >= until)
                        return;
                }
            }
            catch (error) {
                // MongoDB refuses an invalid position with many different errors.
                const isRefused = !isOpen && !(0, mongo_1.isMongoUnavailable)(error);
                if (error instanceof mongodb_1.MongoServerError && (isRefused || error.code === HISTORY_LOST)) {
                    throw new PositionLostError('the stream cannot resume there');
                }
                throw error;
            }
            finally {
                await stream.close().catch(() => undefined);
            }
        },
        /** @returns null when it is gone */
        find: (id) => told.add(id),
    };
}
function acceptedOf({ fullDocument }) {
    return { id: fullDocument._id, accountId: fullDocument.account_id, type: fullDocument.type };
}
//# sourceMappingURL=listen-store.js.map