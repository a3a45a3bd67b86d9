"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseDurationMs = parseDurationMs;
exports.formatDuration = formatDuration;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/**
 * Reads a duration such as `100ms`, `30s`, `5m`, `2h` or `1d`.
 *
 * @returns whole milliseconds
 * @throws RangeError when the text is not a number followed by one of the units
 */
function parseDurationMs(text) {
    const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
    const unitMs = match && UNIT_MS[match[2]];
    if (!match || !unitMs) {
        throw new RangeError(`"${text}" is not a duration; write a number and a unit: 100ms, 30s, 5m, 2h or 1d`);
    }
    return Math.round(Number(match[1]) * unitMs);
}
/** Writes milliseconds the way the documentation does: the largest unit that divides them (`300000` → `5m`). */
function formatDuration(ms) {
    for (const unit of ['d', 'h', 'm', 's']) {
        const unitMs = UNIT_MS[unit];
        // 24 h stays "24h": people think of the last retry that way.
        if (ms >= unitMs && ms % unitMs === 0 && (unit !== 'd' || ms > unitMs))
            return `${ms / unitMs}${unit}`;
    }
    return ms === 0 ? '0s' : `${ms}ms`;
}
//# sourceMappingURL=duration.js.map