"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.withProgress = withProgress;
const FIRST_LINE_AFTER_MS = 1_000;
const NEXT_LINE_AFTER_MS = 5_000;
/**
 * Does the work, and says so every few seconds once it has taken more than one: silence looks like a hang.
 *
 * @param describe what is being done now, e.g. `Downloading mongod: 12 MB`
 */
async function withProgress(onProgress, describe, work) {
    let timer;
    const say = () => {
        onProgress(`${describe()} …`);
        timer = setTimeout(say, NEXT_LINE_AFTER_MS);
    };
    timer = setTimeout(say, FIRST_LINE_AFTER_MS);
    try {
        return await work();
    }
    finally {
        clearTimeout(timer);
    }
}
//# sourceMappingURL=progress.js.map