"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.spawnServer = spawnServer;
exports.waitUntilHealthy = waitUntilHealthy;
const node_child_process_1 = require("node:child_process");
const node_fs_1 = require("node:fs");
const node_path_1 = require("node:path");
const local_stack_error_1 = require("./local-stack-error");
const LOG_TAIL_CHARACTERS = 32 * 1024;
/**
 * Starts a server in a process group of its own: a Ctrl-C in the terminal reaches us only, and we stop the
 * servers in order.
 *
 * @throws LocalStackError when the executable can't be started
 */
async function spawnServer(options) {
    (0, node_fs_1.mkdirSync)((0, node_path_1.dirname)(options.logFile), { recursive: true });
    const log = (0, node_fs_1.openSync)(options.logFile, 'a', 0o600);
    const child = (0, node_child_process_1.spawn)(options.binary, options.args, { stdio: ['ignore', log, log], detached: true });
    (0, node_fs_1.closeSync)(log);
    let end;
    const exited = new Promise((resolve) => {
        child.once('exit', (code, signal) => {
            end = signal ? `signal ${signal}` : `exit code ${code}`;
            resolve(end);
        });
    });
    await new Promise((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', (error) => reject(new local_stack_error_1.LocalStackError(`${options.binary} can't be started: ${(0, local_stack_error_1.reasonOf)(error)}`)));
    });
    async function stop() {
        if (end !== undefined)
            return;
        child.kill('SIGTERM');
        const rude = setTimeout(() => child.kill('SIGKILL'), options.stopTimeoutMs);
        await exited;
        clearTimeout(rude);
    }
    async function kill() {
        if (end !== undefined)
            return;
        child.kill('SIGKILL');
        await exited;
    }
    const logTail = () => (0, node_fs_1.readFileSync)(options.logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS);
    const server = { pid: child.pid, exited, ended: () => end, stop, kill, logTail };
    options.onSpawn?.(server);
    return server;
}
/**
 * Asks again and again until the server answers.
 *
 * @param probe resolves when it is healthy, throws while it is not
 * @throws LocalStackError when the server ends, or the time does
 */
async function waitUntilHealthy(server, what, probe, timeoutMs) {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
        try {
            return await probe();
        }
        catch (error) {
            const end = server.ended();
            if (end !== undefined)
                throw new local_stack_error_1.LocalStackError(`${what} ended while it was starting (${end})`);
            if (Date.now() > deadline) {
                throw new local_stack_error_1.LocalStackError(`${what} is not healthy after ${timeoutMs / 1_000} s: ${(0, local_stack_error_1.reasonOf)(error)}`);
            }
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }
}
//# sourceMappingURL=server-process.js.map