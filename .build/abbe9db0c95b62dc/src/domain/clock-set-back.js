"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SET_BACK_MS = void 0;
/**
 * A time that lies this much further ahead than it can was written before the database's clock was set back (ADR 43). Less is
 * how far the time may be apart for two operations at once: each has that of its begin, and may wait.
 */
exports.SET_BACK_MS = 60_000;
//# sourceMappingURL=clock-set-back.js.map