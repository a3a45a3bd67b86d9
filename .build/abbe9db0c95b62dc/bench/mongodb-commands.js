"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.countCommands = countCommands;
/** What monitors and drivers ask by themselves. */
const OVERHEAD = new Set(['hello', 'isMaster', 'ping', 'serverStatus', 'endSessions', 'buildInfo', 'saslStart']);
/** How many commands MongoDB was given since it started, without what drivers and monitors ask by themselves. */
async function countCommands({ db }) {
    const { metrics } = await db.command({ serverStatus: 1 });
    const commands = metrics.commands;
    return Object.entries(commands)
        .filter(([name]) => !OVERHEAD.has(name) && !name.startsWith('_') && !name.startsWith('repl'))
        .reduce((sum, [, entry]) => sum + (typeof entry === 'object' ? Number(entry.total ?? 0) : 0), 0);
}
//# sourceMappingURL=mongodb-commands.js.map