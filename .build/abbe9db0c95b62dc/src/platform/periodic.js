"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.runPeriodically = runPeriodically;
const sleep_1 = require("./sleep");
/** Does `work` at once, and again and again until it is closed. A round that throws is followed by the next one. */
function runPeriodically({ intervalMs, logger, failure }, work) {
    const stop = new AbortController();
    let isFailing = false;
    const loop = async () => {
        while (!stop.signal.aborted) {
            try {
                await work(stop.signal);
                isFailing = false;
            }
            catch (error) {
                if (!isFailing && !stop.signal.aborted)
                    logger.warn({ err: error }, failure);
                isFailing = true;
            }
            await (0, sleep_1.sleep)(intervalMs, stop.signal);
        }
    };
    const running = loop();
    return {
        async close() {
            stop.abort();
            await running;
        },
    };
}
//# sourceMappingURL=periodic.js.map