"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.takeDataDir = takeDataDir;
const node_crypto_1 = require("node:crypto");
const node_fs_1 = require("node:fs");
const node_net_1 = require("node:net");
const data_dir_1 = require("../src/cli/data-dir");
const local_stack_error_1 = require("./local-stack-error");
/** Longer than anybody needs between finding a dead socket and replacing it. */
const SETTLE_MS = 150;
/**
 * Takes a data folder for this process, and makes it when it is missing. Whether somebody has it already is decided
 * by asking a socket: a process id in a file could belong to anybody by now.
 *
 * @throws LocalStackError naming the running stack's addresses when there is one
 */
async function takeDataDir(folder) {
    const path = makeFolder(folder);
    const socketPath = (0, data_dir_1.socketPathOf)(path);
    const identity = (0, node_crypto_1.randomUUID)();
    let status = { pid: process.pid };
    const server = (0, node_net_1.createServer)((socket) => {
        socket.on('error', () => undefined);
        socket.end(JSON.stringify({ identity, ...status }));
    });
    if (!(await listen(server, socketPath))) {
        const owner = await (0, data_dir_1.askSocket)(socketPath);
        if (owner)
            throw alreadyRunning(path, owner);
        // Left by a process that was killed.
        (0, node_fs_1.rmSync)(socketPath, { force: true });
        if (!(await listen(server, socketPath)))
            throw alreadyRunning(path, await (0, data_dir_1.askSocket)(socketPath));
    }
    // Two starts at once may both have found a dead socket; whoever answers in the end has the folder.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const owner = await (0, data_dir_1.askSocket)(socketPath);
    if (owner?.identity !== identity) {
        server.close();
        throw alreadyRunning(path, owner);
    }
    server.unref();
    return {
        path,
        announce: (news) => void (status = { pid: process.pid, ...news }),
        release: () => new Promise((resolve) => server.close(() => resolve())),
    };
}
function makeFolder(folder) {
    try {
        (0, node_fs_1.mkdirSync)(folder, { recursive: true, mode: 0o700 });
        return (0, node_fs_1.realpathSync)(folder);
    }
    catch (error) {
        throw new local_stack_error_1.LocalStackError(`The data folder ${folder} can't be made: ${(0, local_stack_error_1.reasonOf)(error)}. Set EVERPOST_DATA_DIR to another.`);
    }
}
async function listen(server, path) {
    return new Promise((resolve, reject) => {
        const onError = (error) => {
            if (error.code === 'EADDRINUSE')
                return resolve(false);
            reject(new local_stack_error_1.LocalStackError(`The socket ${path} can't be made: ${(0, local_stack_error_1.reasonOf)(error)}. Set EVERPOST_DATA_DIR to another folder.`));
        };
        server.once('error', onError);
        server.listen(path, () => {
            server.off('error', onError);
            resolve(true);
        });
    });
}
function alreadyRunning(path, owner) {
    const who = owner?.pid ? ` (process ${owner.pid})` : '';
    const where = owner?.apiUrl
        ? `: API ${owner.apiUrl}, Temporal Web UI ${owner.temporalUiUrl ?? 'elsewhere'}, inbox ${owner.inboxUrl}`
        : '';
    return new local_stack_error_1.LocalStackError(`Everpost runs already on ${path}${who}${where}. Stop it first, or set EVERPOST_DATA_DIR and the ports for a second one.`);
}
//# sourceMappingURL=data-dir.js.map