import { Writable } from 'node:stream';
import type { Config } from '../../src/config';
import { startRole, type Role } from '../../src/main';
import { createLogger } from '../../src/platform/logger';
import type { Mongo } from '../../src/platform/mongo';

/** One more API on a stack's database, as another process would be. */
export interface Api {
  readonly url: string;
  close(): Promise<void>;
}

/** @param changes settings that differ from the stack's */
export async function buildApi(config: Config, changes: Partial<Config> = {}): Promise<Api> {
  const role = await startRole('api', { ...config, ...changes }, createLogger(config.logLevel));
  return { url: role.url!, close: () => role.close() };
}

/** A role whose log is kept, at the most talkative level. */
export async function buildLoggedRole(config: Config, role: Role) {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const running = await startRole(role, config, createLogger('trace', destination));
  return { url: running.url!, role: running, log: () => lines.join(''), close: () => running.close() };
}

/** How much is stored of what callers can create. */
export async function countStored({ db }: Mongo): Promise<Record<string, number>> {
  const names = ['endpoints', 'events', 'idempotency_keys', 'attempts'];
  const counts = await Promise.all(
    names.map(async (name) => [name, await db.collection(name).countDocuments()] as const),
  );
  return Object.fromEntries(counts);
}
