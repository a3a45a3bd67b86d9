"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.writePrivateFile = writePrivateFile;
exports.readIfThere = readIfThere;
const node_crypto_1 = require("node:crypto");
const promises_1 = require("node:fs/promises");
/** Writes a file that only its owner can read, whole or not at all. */
async function writePrivateFile(path, content) {
    const temporary = `${path}.part-${(0, node_crypto_1.randomBytes)(6).toString('hex')}`;
    const file = await (0, promises_1.open)(temporary, 'wx', 0o600);
    try {
        await file.writeFile(content);
        await file.sync();
    }
    finally {
        await file.close();
    }
    await (0, promises_1.rename)(temporary, path);
}
/** The file's content, or `undefined` when there is none. */
async function readIfThere(path) {
    try {
        return await (0, promises_1.readFile)(path, 'utf8');
    }
    catch (error) {
        if (error.code === 'ENOENT')
            return undefined;
        throw error;
    }
}
//# sourceMappingURL=private-file.js.map