"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LEAST_RETRY_DELAY_S = exports.MAX_DELAY_MS = exports.MAX_ATTEMPTS = exports.DEFAULT_RETRY_SCHEDULE = void 0;
exports.withLeastDelays = withLeastDelays;
exports.ownSchedule = ownSchedule;
exports.parseRetrySchedule = parseRetrySchedule;
exports.delayAfter = delayAfter;
const duration_1 = require("./duration");
/** The specification's eight attempts over 26 h 35 min 36 s (docs/spec.md, "Retry schedule"). */
exports.DEFAULT_RETRY_SCHEDULE = '0s,1s,5s,30s,5m,30m,2h,24h';
/** Longer schedules are refused: each attempt costs history in Temporal, and nobody waits a month for a webhook. */
exports.MAX_ATTEMPTS = 20;
exports.MAX_DELAY_MS = 7 * 86_400_000;
/** An endpoint's own schedule leaves a receiver so long after a failure: nobody may be hammered with it. */
exports.LEAST_RETRY_DELAY_S = 1;
/**
 * An endpoint's own schedule, with the least delay after each failed attempt. Schedules were accepted without one.
 *
 * @param delays before each attempt, in seconds unless `unitsPerSecond` says else
 */
function withLeastDelays(delays, unitsPerSecond = 1) {
    return delays.map((delay, index) => (index === 0 ? delay : Math.max(delay, exports.LEAST_RETRY_DELAY_S * unitsPerSecond)));
}
/** The same in milliseconds, as deliveries go by it. */
function ownSchedule(seconds) {
    return withLeastDelays(seconds).map((delay) => Math.round(delay * 1_000));
}
/**
 * Reads `RETRY_SCHEDULE`: comma-separated delays, one for each attempt.
 *
 * @throws RangeError naming the delay that can't be read
 */
function parseRetrySchedule(text) {
    const schedule = text.split(',').map((part) => (0, duration_1.parseDurationMs)(part));
    if (schedule.length > exports.MAX_ATTEMPTS)
        throw new RangeError(`a retry schedule has at most ${exports.MAX_ATTEMPTS} delays`);
    if (schedule.some((delayMs) => delayMs > exports.MAX_DELAY_MS))
        throw new RangeError('a delay is at most 7d');
    return schedule;
}
/**
 * The delay after a failed attempt.
 *
 * @param number the attempt that failed, from 1
 * @returns milliseconds until the next attempt, or `undefined` after the last one
 */
function delayAfter(schedule, number) {
    return schedule[number];
}
//# sourceMappingURL=retry-schedule.js.map