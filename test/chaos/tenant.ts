import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createAccount } from '../../src/accounts/manage-accounts';
import { createAccountStore } from '../../src/accounts/account-store';
import { createKey } from '../../src/keys/manage-keys';
import { createKeyStore } from '../../src/keys/key-store';
import { systemClock } from '../../src/platform/clock';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { createApi, type Api } from './api';
import type { Stack } from './cluster/stack';
import { readLedger, type Ledger } from './load/ledger';
import { startLoad, type Load } from './load/load';
import type { Behaviour, Received } from './receivers/receiver-log';
import type { ReceiverProcess } from './receivers/receivers';
import { verify, type Verdict } from './verify';

export interface TenantOptions {
  /** How each endpoint's receiver behaves; one at each healthy receiver unless given. */
  readonly endpoints?: readonly Partial<Behaviour>[];
  readonly tier?: string;
  /** Gives each endpoint its own type, `model.<index>`, instead of every type. */
  readonly ownTypes?: boolean;
  /** The endpoints' own, in seconds. */
  readonly retrySchedule?: readonly number[];
}

/** An endpoint of the tenant, at a healthy receiver. */
export interface TenantEndpoint {
  readonly id: string;
  readonly path: string;
  readonly url: string;
  readonly receiver: ReceiverProcess;
  /** Makes another place at the same receiver, to which the endpoint may move. */
  place(name: string, behaviour: Partial<Behaviour>): Promise<{ readonly url: string; readonly path: string }>;
}

/** A row's own account, and what happens in it. */
export interface Tenant {
  readonly name: string;
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  readonly api: Api;
  readonly endpoints: readonly TenantEndpoint[];
  load(perSecond: number, options?: { padding?: number }): Promise<Load>;
  ledger(): Ledger;
  /** Requests at the tenant's receivers. */
  received(): Received[];
  /** Waits until every acknowledged event is finished, at most two minutes, and holds all accounts against each other. */
  settle(timeoutMs?: number): Promise<Verdict>;
}

/** What nearly every receiver takes to answer: long enough to be killed within. */
const ANSWER_MS = 100;
/** Long enough for a machine that is busy with something else. */
const SETTLE_MS = 120_000;
const TYPE = 'order.created';

export async function openTenant(
  { cluster, receivers, loads }: { cluster: Stack; receivers: readonly ReceiverProcess[]; loads: Set<Load> },
  name: string,
  options: TenantOptions = {},
): Promise<Tenant> {
  const tenant = `${name}-${randomBytes(3).toString('hex')}`;
  const account = await registerAccount(cluster, options.tier ?? 'chaos');
  const api = createApi(cluster.urls, account.key);
  const wanted = options.endpoints ?? receivers.map(() => ({}));
  const endpoints: TenantEndpoint[] = [];
  const paths = new Set<string>();
  for (const [index, behaviour] of wanted.entries()) {
    const receiver = receivers[index % receivers.length]!;
    const registration = {
      events: [options.ownTypes ? `model.${index}` : '*'],
      ...(options.retrySchedule && { options: { retry_schedule: options.retrySchedule } }),
    };
    endpoints.push(await registerEndpoint({ api, receiver, paths }, `/${tenant}/${index}`, behaviour, registration));
  }
  const ledgerFile = join(cluster.folder, `ledger-${tenant}.jsonl`);
  const received = (): Received[] => receivers.flatMap(({ read }) => read(paths));
  const ledger = (): Ledger => readLedger(ledgerFile);
  return {
    name,
    ...account,
    api,
    endpoints,
    async load(perSecond, { padding = 0 } = {}) {
      const { key } = account;
      const load = await startLoad({ tenant, urls: cluster.urls, key, type: TYPE, perSecond, padding, ledgerFile });
      loads.add(load);
      return load;
    },
    ledger,
    received,
    settle: (timeoutMs = SETTLE_MS) => verify({ ledger, received, api, endpoints, timeoutMs }),
  };
}

/** An operator makes accounts and keys by command, in the database. */
export async function registerAccount(cluster: Stack, tier: string) {
  const { db } = cluster.mongo;
  const deps = {
    accounts: createAccountStore(db),
    keys: createKeyStore(db),
    tiers: cluster.config.limits.tiers,
    clock: systemClock,
  };
  const account = await createAccount(
    deps,
    { email: `${randomBytes(8).toString('hex')}@example.com`, tier },
    BY_COMMAND_LINE,
  );
  const { key, record } = await createKey(
    deps,
    { accountId: account._id, product: 'weh', label: 'chaos' },
    BY_COMMAND_LINE,
  );
  return { accountId: account._id, key, keyId: record._id };
}

async function registerEndpoint(
  { api, receiver, paths }: { api: Api; receiver: ReceiverProcess; paths: Set<string> },
  path: string,
  behaviour: Partial<Behaviour>,
  registration: object,
): Promise<TenantEndpoint> {
  const url = `${receiver.url}${path}`;
  const answer = await api.insist('POST', '/endpoints', { url, ...registration });
  if (answer.status !== 201) throw new Error(`an endpoint was refused with ${answer.status}: ${answer.text}`);
  const { id, secret } = answer.body as { id: string; secret: string };
  const behave = async (at: string, changes: Partial<Behaviour>): Promise<void> => {
    paths.add(at);
    await receiver.behave(at, { status: 200, delayMs: ANSWER_MS, secret, ...changes });
  };
  await behave(path, behaviour);
  return {
    id,
    path,
    url,
    receiver,
    async place(name, changes) {
      const there = `${path}/${name}`;
      await behave(there, changes);
      return { path: there, url: `${receiver.url}${there}` };
    },
  };
}
