import { randomBytes } from 'node:crypto';
import { createAccount } from '../../src/accounts/manage-accounts';
import { createAccountStore } from '../../src/accounts/account-store';
import { loadConfig, type Config } from '../../src/config';
import type { Scope } from '../../src/domain/scopes';
import { createKey } from '../../src/keys/manage-keys';
import { createKeyStore } from '../../src/keys/key-store';
import { createManagementKeyStore } from '../../src/keys/management-key-store';
import { createManagementKey } from '../../src/keys/manage-management-keys';
import { SWEEPER_TIMING } from '../../src/engine/sweeper';
import { startRole, type Role, type RoleOptions, type RunningRole } from '../../src/processes/start-role';
import { systemClock } from '../../src/platform/clock';
import { createLogger } from '../../src/platform/logger';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { REPLAY_TIMING } from '../../src/replays/run-replays';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { untilReady } from './api-client';
import { useFixture } from './fixture';
import { takeNamespace } from './namespaces';
import { quietTemporal } from './quiet-temporal';
import { testServers } from './servers';

/** By default a key is for webhooks, and has all scopes and no expiry. */
interface KeyOptions {
  readonly product?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresIn?: string;
}

/** By default a key with all scopes and without expiry. */
type ManagementKeyOptions = Pick<KeyOptions, 'scopes' | 'expiresIn'>;

/** An account and its key. */
interface AccountOptions extends KeyOptions {
  readonly tier?: string;
}

/** A running role with its own database and namespace, and ways to talk to it. */
export interface Stack {
  readonly config: Config;
  readonly mongo: Mongo;
  readonly role: RunningRole;
  readonly url: string;
  /** Makes an account with a key. */
  account(options?: AccountOptions): Promise<{ accountId: string; key: string; keyId: string }>;
  /** Makes a management key. */
  managementKey(options?: ManagementKeyOptions): Promise<{ key: string; keyId: string }>;
  close(): Promise<void>;
}

/** The settings of a test stack, parsed. @param role as in `buildSettings` */
export async function buildConfig(env: Record<string, string> = {}, role: Role = 'all'): Promise<Config> {
  return loadConfig(await buildSettings(env, role));
}

/**
 * Settings of a test stack: quick retries, receivers on loopback.
 *
 * @param role an API alone needs no Temporal namespace of its own: no worker runs what it starts
 */
export async function buildSettings(env: Record<string, string>, role: Role): Promise<Record<string, string>> {
  const servers = testServers();
  const { mongodbUri, temporalAddress } = servers;
  const database = `everpost_test_${randomBytes(6).toString('hex')}`;
  const uri = new URL(mongodbUri);
  uri.pathname = `/${database}`;
  return {
    PORT: '0',
    // No folder is there: a command must not find the keys of the checkout's own.
    EVERPOST_DATA_DIR: '/nonexistent/everpost',
    MONGODB_URI: uri.toString(),
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: role === 'api' ? 'default' : await takeNamespace(servers),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    RETRY_SCHEDULE: '0s,100ms,100ms,100ms,100ms,100ms,100ms,100ms',
    DELIVERY_ALLOW_HTTP: '1',
    DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_ALLOW_PORTS: '1-65535',
    // `auto` would depend on the machine: test/unit/dispatcher.test.ts tests how it decides.
    // A slow machine is not refused: the tests of these refusals set a time.
    INGEST_TIMEOUT: '60s',
    FIRST_ATTEMPT: process.env['TEST_FIRST_ATTEMPT'] ?? 'workflow',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...env,
  };
}

/** How a stack differs from others. */
export type StackOptions = RoleOptions & {
  readonly role?: Role;
  readonly env?: Record<string, string>;
  /** Makes the role's connection to MongoDB; that of the stack is another one. */
  readonly connect?: (config: Config) => Mongo;
};

/** Sweepers that start at once what the accepting process did not start: the command line starts nothing itself. */
export const FAST_SWEEPERS = {
  sweeperTiming: { ...SWEEPER_TIMING, intervalMs: 200, startGraceMs: 300, repairIntervalMs: 200 },
  jobTiming: { ...REPLAY_TIMING, intervalMs: 200 },
};

export async function buildStack(options: StackOptions = {}): Promise<Stack> {
  quietTemporal();
  const config = await buildConfig(options.env, options.role);
  const ownMongo = options.connect && { mongo: options.connect(config) };
  const logger = createLogger(config.logLevel);
  const role = await startRole(options.role ?? 'all', config, logger, { ...options, ...ownMongo });
  const mongo = createMongo(config.mongodb.uri!);
  // A new database has no lists in its first moments.
  await role.indexesReady;
  if (role.url !== undefined) await untilReady(role.url);
  return {
    config,
    mongo,
    role,
    url: role.url ?? '',
    account: (of) => buildAccount(config, mongo, of),
    managementKey: (of) => buildManagementKey(mongo, of),
    async close() {
      await role.close();
      await mongo.db.dropDatabase();
      await mongo.close();
    },
  };
}

const NO_LIMIT = 100_000_000;

/** Settings under which no limit hides the validation. */
export const UNLIMITED = {
  TIERS: JSON.stringify([{ id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: NO_LIMIT }]),
  AUTH_FAILURES_PER_MINUTE: String(NO_LIMIT),
  ESTIMATOR_PER_MINUTE: String(NO_LIMIT),
};

/** Gives the tests of a file one stack. */
export function useStack(options: StackOptions = {}): Stack {
  return useFixture(
    'file',
    () => buildStack(options),
    (stack) => stack.close(),
  );
}

/** Makes an account with a key, with the functions that the CLI uses. */
export async function buildAccount(config: Config, mongo: Mongo, { tier, ...key }: AccountOptions = {}) {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const deps = { accounts: createAccountStore(mongo.db), tiers: config.limits.tiers, clock: systemClock };
  const account = await createAccount(deps, { email, tier: tier ?? 'enterprise' }, BY_COMMAND_LINE);
  return { accountId: account._id, ...(await buildKey(mongo, account._id, key)) };
}

/** Makes a key of an account. */
export async function buildKey({ db }: Mongo, accountId: string, options: KeyOptions = {}) {
  const deps = { accounts: createAccountStore(db), keys: createKeyStore(db), clock: systemClock };
  const input = { accountId, product: 'weh', label: 'test', ...options };
  const { key, record } = await createKey(deps, input, BY_COMMAND_LINE);
  return { key, keyId: record._id };
}

/** Makes a key of the installation. */
async function buildManagementKey({ db }: Mongo, options: ManagementKeyOptions = {}) {
  const deps = { managementKeys: createManagementKeyStore(db), clock: systemClock };
  const { key, record } = await createManagementKey(deps, { label: 'platform', ...options }, BY_COMMAND_LINE);
  return { key, keyId: record._id };
}
