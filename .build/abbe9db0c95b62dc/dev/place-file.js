"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.placeExecutable = placeExecutable;
const node_crypto_1 = require("node:crypto");
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const TEMPORARY_PREFIX = '.part-';
const ABANDONED_AFTER_MS = 86_400_000;
/**
 * Produces an executable under its final name, whole or not at all: it is made in a folder of its own beside the
 * target, checked, flushed and renamed. Any number of processes may do so at once; the last rename wins, and all
 * of them placed a whole file. What a killed process left is removed a day later.
 *
 * @param produce makes the file inside the given folder and returns its path
 */
async function placeExecutable(target, produce) {
    const parent = (0, node_path_1.dirname)(target);
    await (0, promises_1.mkdir)(parent, { recursive: true });
    await removeAbandoned(parent);
    const folder = (0, node_path_1.join)(parent, `${TEMPORARY_PREFIX}${(0, node_path_1.basename)(target)}-${(0, node_crypto_1.randomBytes)(6).toString('hex')}`);
    await (0, promises_1.mkdir)(folder);
    try {
        const made = await produce(folder);
        await (0, promises_1.chmod)(made, 0o755);
        await flush(made);
        await (0, promises_1.rename)(made, target);
        await flush(parent);
        return target;
    }
    finally {
        await (0, promises_1.rm)(folder, { recursive: true, force: true });
    }
}
async function flush(path) {
    const file = await (0, promises_1.open)(path, 'r');
    try {
        await file.sync();
    }
    finally {
        await file.close();
    }
}
async function removeAbandoned(parent) {
    for (const name of await (0, promises_1.readdir)(parent)) {
        if (!name.startsWith(TEMPORARY_PREFIX))
            continue;
        const path = (0, node_path_1.join)(parent, name);
        const { mtimeMs } = await (0, promises_1.stat)(path).catch(() => ({ mtimeMs: Date.now() }));
        if (Date.now() - mtimeMs > ABANDONED_AFTER_MS)
            await (0, promises_1.rm)(path, { recursive: true, force: true });
    }
}
//# sourceMappingURL=place-file.js.map