"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.preciseNowMs = preciseNowMs;
exports.percentile = percentile;
exports.rounded = rounded;
exports.quantiles = quantiles;
exports.cpuSeconds = cpuSeconds;
exports.residentMb = residentMb;
const node_fs_1 = require("node:fs");
/** Milliseconds since 1970 with fractions: processes on one machine agree on it. */
function preciseNowMs() {
    return performance.timeOrigin + performance.now();
}
/** The value below which the given share of the values lies. @param share 0.5 is the median */
function percentile(values, share) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
function rounded(value, digits = 1) {
    return Number(value.toFixed(digits));
}
/** The median and the 99th percentile. */
function quantiles(values) {
    return { p50: rounded(percentile(values, 0.5)), p99: rounded(percentile(values, 0.99)) };
}
/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** CPU seconds that a process has used; NaN where /proc is missing. */
function cpuSeconds(pid) {
    try {
        // Fields after the command's closing parenthesis: utime and stime are the 12th and 13th.
        const fields = (0, node_fs_1.readFileSync)(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
        return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    }
    catch {
        return Number.NaN;
    }
}
/** Resident memory of a process in MB; NaN where /proc is missing. */
function residentMb(pid) {
    try {
        return Number(/VmRSS:\s+(\d+) kB/.exec((0, node_fs_1.readFileSync)(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
    }
    catch {
        return Number.NaN;
    }
}
//# sourceMappingURL=statistics.js.map