"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.supervise = supervise;
const local_stack_error_1 = require("./local-stack-error");
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A server that ran so long has recovered: the next failure begins with a short delay again. */
const RECOVERED_AFTER_MS = 60_000;
/**
 * Starts a server and keeps it running: deliveries wait while it is away and go on when it is back.
 *
 * @throws what `start` throws; later failures are reported and tried again
 */
async function supervise(options) {
    const { name, onProgress, restart } = options;
    const firstDelayMs = options.firstDelayMs ?? FIRST_DELAY_MS;
    const first = await options.start();
    const stopped = new AbortController();
    let current = first;
    async function keepAlive() {
        let delayMs = firstDelayMs;
        while (!stopped.signal.aborted) {
            if (current) {
                const startedAt = Date.now();
                const end = await current.process.exited;
                current = undefined;
                if (stopped.signal.aborted)
                    return;
                if (Date.now() - startedAt > RECOVERED_AFTER_MS)
                    delayMs = firstDelayMs;
                onProgress(`${name} ended unexpectedly (${end}); starting it again. Deliveries wait meanwhile.`);
            }
            await sleep(delayMs, stopped.signal);
            delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
            if (stopped.signal.aborted)
                return;
            try {
                current = await restart(first);
                onProgress(`${name} runs again.`);
            }
            catch (error) {
                onProgress(`${name} did not start again: ${(0, local_stack_error_1.reasonOf)(error)}. Trying on.`);
            }
        }
    }
    const keeping = keepAlive();
    return {
        first,
        async stop() {
            stopped.abort();
            await current?.process.stop();
            await keeping;
            // It may have been starting when we were asked.
            await current?.process.stop();
        },
    };
}
function sleep(ms, signal) {
    return new Promise((resolve) => {
        if (signal.aborted)
            return resolve();
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
            clearTimeout(timer);
            resolve();
        });
    });
}
//# sourceMappingURL=supervise.js.map