"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.askDataDir = askDataDir;
exports.socketPathOf = socketPathOf;
exports.askSocket = askSocket;
exports.keyFileOf = keyFileOf;
exports.keysOfDataDir = keysOfDataDir;
const node_crypto_1 = require("node:crypto");
const node_fs_1 = require("node:fs");
const node_net_1 = require("node:net");
const node_os_1 = require("node:os");
const node_path_1 = require("node:path");
const private_file_1 = require("../platform/private-file");
/** Unix sockets have short names: 104 bytes on macOS, 108 on Linux, the closing zero included. */
const LONGEST_SOCKET_PATH = 100;
const ANSWER_TIMEOUT_MS = 2_000;
/** The status of the stack that runs on a data folder; `undefined` when none runs. */
async function askDataDir(folder) {
    try {
        return await askSocket(socketPathOf((0, node_fs_1.realpathSync)(folder)));
    }
    catch {
        return undefined;
    }
}
/** The socket of a data folder, by its real path. */
function socketPathOf(path) {
    const inside = (0, node_path_1.join)(path, 'everpost.sock');
    if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH)
        return inside;
    return (0, node_path_1.join)((0, node_os_1.tmpdir)(), `everpost-${(0, node_crypto_1.createHash)('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}
/** The answer from a data folder's socket; `undefined` when nothing listens on it. */
async function askSocket(path) {
    return new Promise((resolve) => {
        let text = '';
        const socket = (0, node_net_1.connect)(path);
        // A process that is too busy to answer is still alive.
        const timer = setTimeout(() => {
            socket.destroy();
            resolve({ pid: 0, identity: '' });
        }, ANSWER_TIMEOUT_MS);
        socket.setEncoding('utf8');
        socket.on('data', (part) => (text += part));
        socket.once('error', () => {
            clearTimeout(timer);
            resolve(undefined);
        });
        socket.once('end', () => {
            clearTimeout(timer);
            resolve(parseAnswer(text));
        });
    });
}
/** It answered, so it is alive, even if what it said was cut off. */
function parseAnswer(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return { pid: 0, identity: '' };
    }
}
/** Where a data folder keeps the key that `npm start` made for it. */
function keyFileOf(dataDir) {
    return (0, node_path_1.join)(dataDir, 'encryption-key');
}
/**
 * The keys for secrets at rest: those that are configured, and behind them the one that the data folder keeps, so
 * that what it sealed can still be opened.
 *
 * @param configured from the settings; the first one seals
 */
async function keysOfDataDir(dataDir, configured) {
    const kept = (await (0, private_file_1.readIfThere)(keyFileOf(dataDir)))?.trim();
    return !kept || configured.includes(kept) ? configured : [...configured, kept];
}
//# sourceMappingURL=data-dir.js.map