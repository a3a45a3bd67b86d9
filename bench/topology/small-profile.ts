import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findServer } from '../../dev/find-server';
import { spawnServer, waitUntilHealthy, type ServerProcess } from '../../dev/server-process';
import { loadConfig, type Config } from '../../src/config';
import { lastingPort } from './lasting-port';
import { assertNamespace, assertReady, preparePrimary } from './small-probes';
import { readUnit } from './unit-file';

/** One of the three processes. */
export interface SmallService {
  pid(): number;
  running(): boolean;
  /** Resolves when it can be used. Without effect while it runs. */
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** SIGTERM, as systemd stops it. */
  stop(): Promise<void>;
}

/**
 * The three processes of the small profile, started as the units of deploy/small start them. Only paths and ports are
 * those of this machine.
 */
export interface SmallProfile {
  readonly mongodb: SmallService;
  readonly temporal: SmallService;
  readonly everpost: SmallService;
  /** Of the API. */
  readonly url: string;
  readonly temporalAddress: string;
  /** Of Everpost. */
  readonly config: Config;
  /** Of MongoDB's administrator. */
  readonly adminUri: string;
  /** Of the data: `everpost-mongodb` and `everpost-temporal`. */
  readonly data: string;
  killAll(): Promise<void>;
}

export interface SmallProfileOptions {
  /** Of the repository, with a built `dist/`. */
  readonly root: string;
  /** For data, settings and logs. */
  readonly folder: string;
  /** What an operator adds to everpost.env. */
  readonly settings: Readonly<Record<string, string>>;
  /** What is put before each command: `['taskset', '--cpu-list', '0']`. */
  readonly before?: readonly string[];
  readonly say: (line: string) => void;
}

const UNITS = ['mongodb', 'temporal', 'everpost'] as const;
type ServiceName = (typeof UNITS)[number];

/** systemd's TimeoutStopSec. */
const STOP_MS = 90_000;
const PASSWORD_BYTES = 24;

export async function startSmallProfile(options: SmallProfileOptions): Promise<SmallProfile> {
  const installed = await installSmallProfile(options);
  const { ports, passwords, services, folder } = installed;
  const host = `127.0.0.1:${ports.mongodb}`;
  const adminUri = `mongodb://admin:${passwords.admin}@${host}/?directConnection=true`;
  const [url, temporalAddress] = [`http://127.0.0.1:${ports.api}`, `127.0.0.1:${ports.temporal}`];
  const config = loadConfig(services.everpost.env);
  const mongodb = serviceOf(services.mongodb, () => preparePrimary(host, passwords));
  const temporal = serviceOf(services.temporal, () => assertNamespace(temporalAddress, config.temporal.namespace));
  const everpost = serviceOf(services.everpost, () => assertReady(url));
  const killAll = async (): Promise<void> =>
    void (await Promise.all([everpost, temporal, mongodb].map((each) => each.kill())));
  try {
    await Promise.all([mongodb.start(), temporal.start()]);
    await everpost.start();
  } catch (error) {
    await killAll();
    throw error;
  }
  return {
    mongodb,
    temporal,
    everpost,
    url,
    temporalAddress,
    config,
    adminUri,
    data: join(folder, 'var'),
    killAll,
  };
}

interface Service {
  readonly name: ServiceName;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Does what docs/small.md says: folders, keys, passwords and settings, each at its place below a folder. */
async function installSmallProfile({ root, folder, settings, before = [], say }: SmallProfileOptions) {
  const small = join(root, 'deploy', 'small');
  const { cacheDir, mongodb, temporal } = loadConfig();
  const find = (name: 'mongod' | 'temporal', configuredPath: string | undefined) =>
    findServer(name, { configuredPath, cacheDir, onProgress: say });
  const ports = { mongodb: await lastingPort(), temporal: await lastingPort(), api: await lastingPort() };
  const places = new Map([
    ['/usr/bin/mongod', await find('mongod', mongodb.binary)],
    ['/opt/everpost/temporal/bin/temporal', await find('temporal', temporal.binary)],
    ['/usr/bin/node', process.execPath],
    ['/opt/everpost/current/node_modules/everpost', root],
    ['/etc/everpost', join(folder, 'etc')],
    ['/var/lib/', join(folder, 'var/')],
    ['27017', String(ports.mongodb)],
    ['7233', String(ports.temporal)],
    ['8080', String(ports.api)],
    ['9464', '0'],
  ]);
  const place = (text: string): string => [...places].reduce((so, [from, to]) => so.replaceAll(from, to), text);
  const etc = join(folder, 'etc');
  for (const name of ['etc', 'var', 'var/everpost-mongodb', 'var/everpost-temporal'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const secret = (name: string, text: string): void => writeFileSync(join(etc, name), text, { mode: 0o600 });
  const passwords = { admin: newPassword(), everpost: newPassword() };
  secret('mongodb.key', randomBytes(96).toString('base64'));
  secret('encryption-key', randomBytes(32).toString('base64'));
  secret('mongodb-admin-password', passwords.admin);
  secret(
    'mongodb-uri',
    `mongodb://everpost:${passwords.everpost}@127.0.0.1:${ports.mongodb}/everpost?replicaSet=everpost`,
  );
  writeFileSync(join(etc, 'mongod.conf'), place(readFileSync(join(small, 'mongod.conf'), 'utf8')));
  const added = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(etc, 'everpost.env'), readFileSync(join(small, 'everpost.env'), 'utf8') + added.join(''));
  const credentials = join(folder, 'credentials');
  mkdirSync(credentials, { mode: 0o700 });
  const read = (name: ServiceName): Service => {
    const file = name === 'everpost' ? 'everpost.service' : `everpost-${name}.service`;
    const unit = readUnit(join(small, file), place, credentials);
    for (const [credential, source] of Object.entries(unit.credentials))
      copyFileSync(source, join(credentials, credential));
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...unit.environment };
    return { name, command: [...before, ...unit.exec], env, folder };
  };
  const services = Object.fromEntries(UNITS.map((name) => [name, read(name)])) as Record<ServiceName, Service>;
  return { ports, passwords, services, folder };
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('hex');
}

function serviceOf({ name, command, env, folder }: Service, probe: () => Promise<void>): SmallService {
  let server: ServerProcess | undefined;
  const running = (): boolean => server !== undefined && server.ended() === undefined;
  return {
    pid: () => server?.pid ?? 0,
    running,
    async start() {
      if (running()) return;
      const [binary, ...args] = command as [string, ...string[]];
      const logFile = join(folder, `${name}.log`);
      server = await spawnServer({ binary, args, env, logFile, stopTimeoutMs: STOP_MS });
      try {
        await waitUntilHealthy(server, name, probe);
      } catch (error) {
        throw new Error(`${(error as Error).message}: ${server.logTail().slice(-2_000)}`, { cause: error });
      }
    },
    kill: async () => server?.kill(),
    stop: async () => server?.stop(),
  };
}
