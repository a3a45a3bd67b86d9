"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.endOrphans = endOrphans;
const promises_1 = require("node:fs/promises");
const run_program_1 = require("./run-program");
const STOP_TIMEOUT_MS = 30_000;
const LOOK_EVERY_MS = 100;
/**
 * Ends servers that a killed stack left behind on our data. What a process is, is read from its present command
 * line, so a number that belongs to somebody else by now is never signalled. The caller holds the data folder.
 *
 * @param onFound told before one is ended
 */
async function endOrphans(signatures, onFound) {
    const commandLines = await readCommandLines();
    for (const signature of signatures) {
        for (const [pid, args] of commandLines) {
            if (pid === process.pid || !matches(args, signature))
                continue;
            onFound({ pid, name: signature.name });
            await endProcess(pid, signature);
        }
    }
}
function matches(args, { pairs }) {
    return pairs.every(([option, value]) => {
        // Without /proc arguments can't be told apart; the space behind keeps /data from matching /data2.
        if (typeof args === 'string')
            return `${args} `.includes(` ${option} ${value} `);
        return args.some((argument, index) => argument === option && args[index + 1] === value);
    });
}
async function endProcess(pid, signature) {
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    signal(pid, 'SIGTERM');
    for (;;) {
        const args = (await readCommandLines(pid)).get(pid);
        if (!args || !matches(args, signature))
            return;
        if (Date.now() > deadline)
            signal(pid, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
}
function signal(pid, name) {
    try {
        process.kill(pid, name);
    }
    catch (error) {
        // Gone meanwhile; anything else (somebody else's process) shows when the data turns out to be in use.
        if (error.code !== 'ESRCH')
            throw error;
    }
}
/** Command lines by process id, as arguments where the system tells (Linux), else as one text (`ps`). */
async function readCommandLines(only) {
    if (process.platform !== 'linux')
        return readFromPs(only);
    const pids = only === undefined ? (await (0, promises_1.readdir)('/proc')).filter((name) => /^\d+$/.test(name)) : [String(only)];
    const found = new Map();
    for (const pid of pids) {
        const text = await (0, promises_1.readFile)(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        // A process that has ended and was not collected yet has an empty one.
        if (text !== '')
            found.set(Number(pid), text.split('\0'));
    }
    return found;
}
async function readFromPs(only) {
    const selection = only === undefined ? ['-ax'] : ['-p', String(only)];
    const { stdout } = await (0, run_program_1.runProgram)('/bin/ps', [...selection, '-ww', '-o', 'pid=,command=']);
    const lines = stdout.split('\n').map((line) => /^\s*(\d+)\s+(.*)$/.exec(line));
    return new Map(lines.filter((match) => match !== null).map((match) => [Number(match[1]), match[2]]));
}
//# sourceMappingURL=orphans.js.map