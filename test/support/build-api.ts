import { Writable } from 'node:stream';
import type { Config } from '../../src/config';
import { startRole, type Role } from '../../src/processes/start-role';
import { createLogger } from '../../src/platform/logger';
import type { Mongo } from '../../src/platform/mongo';
import { untilReady } from './api-client';
import type { Stack } from './build-stack';
import { useFixture } from './fixture';
import { buildMongoProxy, type MongoProxy } from './mongo-proxy';
import { uriWith } from './mongo-uri';
import { quietTemporal } from './quiet-temporal';

/** One more API on a stack's database, like another process. */
export interface Api {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an API that is not ready yet. @param changes settings that differ from the stack's */
export async function startApi(config: Config, changes: Partial<Config> = {}): Promise<Api> {
  const role = await startRole('api', { ...config, ...changes }, createLogger(config.logLevel));
  return { url: role.url!, close: () => role.close() };
}

/** @param changes settings that differ from the stack's */
export async function buildApi(config: Config, changes?: Partial<Config>): Promise<Api> {
  const api = await startApi(config, changes);
  await untilReady(api.url);
  return api;
}

/** Gives the tests of a file one more API on a stack's database. */
export function useApi(stack: Stack): Api {
  return useFixture(
    'file',
    () => buildApi(stack.config),
    (api) => api.close(),
  );
}

/** An API on a stack's database that never reaches Temporal. */
export function buildApiWithoutTemporal({ config }: Stack): Promise<Api> {
  return buildApi(config, { temporal: { ...config.temporal, address: '127.0.0.1:1' } });
}

/** An API whose connection to MongoDB can be cut. */
type CutOffApi = Api & Pick<MongoProxy, 'cut' | 'mend'>;

/** How an API that can be cut off starts, and how long its calls wait for MongoDB before they get 503. */
interface CutOffOptions {
  readonly isCut?: boolean;
  readonly patienceMs?: number;
}

/** Gives each test an API with its own connection to a stack's MongoDB, which can be cut. */
export function useCutOffApi(stack: Stack, options: CutOffOptions = {}): CutOffApi {
  return useFixture(
    'test',
    () => buildCutOffApi(stack, options),
    (api) => api.close(),
  );
}

async function buildCutOffApi(
  { config }: Stack,
  { isCut = false, patienceMs = 200 }: CutOffOptions,
): Promise<CutOffApi> {
  const proxy = await buildMongoProxy(config.mongodb.uri!);
  if (isCut) proxy.cut();
  const uri = uriWith(proxy.uri, { serverSelectionTimeoutMS: patienceMs });
  const api = await startApi(config, { mongodb: { ...config.mongodb, uri } });
  if (!isCut) await untilReady(api.url);
  return {
    url: api.url,
    cut: proxy.cut,
    mend: proxy.mend,
    async close() {
      proxy.mend();
      await api.close();
      await proxy.close();
    },
  };
}

/** A role with an API whose log is kept, at the most verbose level. */
export async function buildLoggedRole(config: Config, role: Role) {
  const logged = await startLoggedRole(config, role);
  await untilReady(logged.url);
  return logged;
}

/** The same, before it is ready. */
export async function startLoggedRole(config: Config, role: Role) {
  quietTemporal();
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const running = await startRole(role, config, createLogger('trace', destination));
  const url = running.url!;
  return { url, role: running, log: () => lines.join(''), close: () => running.close() };
}

/** The number of stored documents of the kinds that callers can create. */
export async function countStored({ db }: Mongo): Promise<Record<string, number>> {
  const names = ['endpoints', 'events', 'idempotency_keys', 'attempts'];
  const counts = await Promise.all(
    names.map(async (name) => [name, await db.collection(name).countDocuments()] as const),
  );
  return Object.fromEntries(counts);
}
