"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.runWatchedDownload = runWatchedDownload;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const progress_1 = require("./progress");
const run_program_1 = require("./run-program");
const LOOK_EVERY_MS = 500;
/**
 * Runs a program that downloads into a folder, shows how much has come, and ends it when nothing comes any more:
 * a blackholed network must not hold `npm start` for minutes.
 */
async function runWatchedDownload(download) {
    const { folder, stallMs } = download;
    const stop = new AbortController();
    let bytes = 0;
    let grownAt = Date.now();
    const look = async () => {
        const now = await sizeOf(folder);
        if (now !== bytes)
            grownAt = Date.now();
        bytes = now;
        if (Date.now() - grownAt > stallMs)
            stop.abort();
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    try {
        const result = await (0, progress_1.withProgress)(download.onProgress, () => `${download.what}: ${Math.round(bytes / 1e6)} MB`, () => (0, run_program_1.runProgram)(download.file, download.args, { signal: stop.signal }));
        return { ...result, stalled: stop.signal.aborted };
    }
    finally {
        clearInterval(timer);
    }
}
/** Bytes below a folder; what disappears meanwhile counts nothing. */
async function sizeOf(folder) {
    const entries = await (0, promises_1.readdir)(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const sizes = entries.map(async (entry) => {
        if (!entry.isFile())
            return 0;
        return (0, promises_1.stat)((0, node_path_1.join)(entry.parentPath, entry.name)).then(({ size }) => size, () => 0);
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
//# sourceMappingURL=watched-download.js.map