"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sleep = sleep;
const promises_1 = require("node:timers/promises");
/** Waits, or returns early when the signal aborts. */
async function sleep(ms, signal) {
    // The only way to be rejected is the abort.
    await (0, promises_1.setTimeout)(ms, undefined, { signal }).catch(() => undefined);
}
//# sourceMappingURL=sleep.js.map