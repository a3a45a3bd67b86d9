import type { Mongo } from '../src/platform/mongo';

/** Commands that monitors and drivers send on their own. */
const OVERHEAD = new Set(['hello', 'isMaster', 'ping', 'serverStatus', 'endSessions', 'buildInfo', 'saslStart']);

/** How many commands MongoDB got since it started, without those that drivers and monitors send on their own. */
export async function countCommands({ db }: Mongo): Promise<number> {
  const { metrics } = await db.command({ serverStatus: 1 });
  const commands = metrics.commands as Record<string, { total?: unknown } | number>;
  return Object.entries(commands)
    .filter(([name]) => !OVERHEAD.has(name) && !name.startsWith('_') && !name.startsWith('repl'))
    .reduce((sum, [, entry]) => sum + (typeof entry === 'object' ? Number(entry.total ?? 0) : 0), 0);
}
