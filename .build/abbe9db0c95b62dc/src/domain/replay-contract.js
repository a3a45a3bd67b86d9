"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_REPLAY_RATE = exports.DEFAULT_REPLAY_RATE = exports.REPLAYABLE_STATES = exports.REPLAY_STATES = void 0;
exports.replayPageSize = replayPageSize;
exports.nextPageAt = nextPageAt;
/** States of a bulk replay, as the API shows them. */
exports.REPLAY_STATES = ['running', 'completed', 'cancelled'];
/** States of deliveries that can be replayed. */
exports.REPLAYABLE_STATES = ['failed', 'cancelled', 'delivered'];
/** Deliveries a second, where the caller names none, and the most that can be asked for. */
exports.DEFAULT_REPLAY_RATE = 50;
exports.MAX_REPLAY_RATE = 500;
/** A page of a replay is what it may send in this time: so long may deliveries be early or late. */
const PAGE_MS = 2_000;
/** And not more than this, so that a page is a matter of seconds, whatever the rate. */
const MAX_PAGE = 200;
/** How many deliveries a page has. */
function replayPageSize(ratePerSecond) {
    return Math.min(MAX_PAGE, Math.max(1, Math.ceil((ratePerSecond * PAGE_MS) / 1_000)));
}
/**
 * When the next page may begin, so that the job keeps its rate. What a slow page missed is made up for by one page, not by
 * a burst.
 *
 * @param begunAtMs when the last page was to begin, on the clock of `nowMs`
 * @param taken how many deliveries it had
 */
function nextPageAt(begunAtMs, nowMs, taken, ratePerSecond) {
    return Math.max(begunAtMs, nowMs - PAGE_MS) + (taken / ratePerSecond) * 1_000;
}
//# sourceMappingURL=replay-contract.js.map