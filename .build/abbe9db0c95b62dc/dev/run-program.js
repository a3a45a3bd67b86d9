"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.runProgram = runProgram;
const node_child_process_1 = require("node:child_process");
/** Enough to read the reason of a failure from its end. */
const KEPT_CHARACTERS = 64 * 1024;
/**
 * Runs a program to its end and keeps what it printed. A failing program is a result, not an error.
 *
 * @throws the system's error (`ENOENT`, `EACCES`) when it can't be started
 */
function runProgram(file, args, options = {}) {
    return new Promise((resolve, reject) => {
        // Its own process group: what it starts is ended with it.
        const child = (0, node_child_process_1.spawn)(file, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: options.env });
        const kept = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr']) {
            child[name].setEncoding('utf8');
            child[name].on('data', (text) => (kept[name] = (kept[name] + text).slice(-KEPT_CHARACTERS)));
        }
        const end = () => killGroup(child.pid);
        const timer = options.timeoutMs === undefined ? undefined : setTimeout(end, options.timeoutMs);
        options.signal?.addEventListener('abort', end);
        const settle = () => {
            clearTimeout(timer);
            options.signal?.removeEventListener('abort', end);
        };
        child.once('error', (error) => {
            settle();
            reject(error);
        });
        child.once('close', (code) => {
            settle();
            resolve({ code, ...kept });
        });
    });
}
function killGroup(pid) {
    if (pid === undefined)
        return;
    try {
        process.kill(-pid, 'SIGKILL');
    }
    catch {
        // It has ended by itself.
    }
}
//# sourceMappingURL=run-program.js.map