"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_RETRY_AFTER_MS = void 0;
exports.parseRetryAfter = parseRetryAfter;
/** A `Retry-After` of years would be a delivery lost: this is the longest that is honoured. */
exports.MAX_RETRY_AFTER_MS = 24 * 3_600_000;
const DELTA_SECONDS = /^[0-9]{1,15}$/;
/** The three forms of RFC 9110, 5.6.7; all of them are in GMT, and the last does not say so. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
const RFC_850_DATE = /^[A-Z][a-z]{5,8}, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}$/;
/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date.
 *
 * @param nowMs the time to hold a date against, in Unix milliseconds
 * @returns milliseconds to wait, from 0 to 24 hours; undefined for what is neither
 */
function parseRetryAfter(header, nowMs) {
    const text = header.trim();
    const waitMs = DELTA_SECONDS.test(text) ? Number(text) * 1_000 : parseHttpDate(text) - nowMs;
    return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), exports.MAX_RETRY_AFTER_MS);
}
/** @returns Unix milliseconds; NaN for what is no date */
function parseHttpDate(text) {
    if (IMF_FIXDATE.test(text) || RFC_850_DATE.test(text))
        return Date.parse(text);
    return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
//# sourceMappingURL=retry-after.js.map