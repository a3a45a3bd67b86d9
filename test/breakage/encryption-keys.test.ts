import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../src/platform/secret-box';
import { verifySignature } from '../../src/sender/signature';
import { apiClient, expectError } from '../support/api-client';
import { buildAccount, buildConfig, UNLIMITED } from '../support/build-stack';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { startRoleProcess, type RoleProcess } from '../support/role-process';
import { cliOf } from '../support/run-cli';
import { createMongo } from '../../src/platform/mongo';
import type { Config } from '../../src/config';

// An operator replaces ENCRYPTION_KEY: real processes, each with its own list of keys.

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
const TOKEN = 'token-of-the-receiver';
/** One for each state of the rotation, and a few more. */
const MAX_ENDPOINTS = 14;
const EVENT = { type: 'order.created', data: {} };
/** A claim lasts 40 s, which a process that ended may have left. */
const PATIENCE_MS = 150_000;

interface Delivery {
  readonly state: string;
  readonly attempt_count: number;
}

const receiver = useReceiver();
const installation = useFixture('test', buildInstallation, (it) => it.close());

function newKey(): { readonly key: string; readonly id: string } {
  const key = randomBytes(32).toString('base64');
  return { key, id: createSecretBox([key]).keyIds[0] };
}

/** A database and a namespace, and processes on them. */
async function buildInstallation() {
  const config = await buildConfig(UNLIMITED);
  const mongo = createMongo(config.mongodb.uri!);
  const { key } = await buildAccount(config, mongo);
  const processes: RoleProcess[] = [];
  return {
    config,
    key,
    async start(role: 'api' | 'worker', keys: readonly string[], env: Record<string, string> = {}) {
      const started = await startRoleProcess(role, { ...settingsOf(config), ENCRYPTION_KEY: keys.join(','), ...env });
      processes.push(started);
      return started;
    },
    client: ({ url }: RoleProcess) => apiClient(url!, key),
    cli: (keys: readonly string[]) => cliOf({ config: { ...config, encryptionKeys: keys } }),
    async close() {
      // No drop of the database: where a process was killed in a transaction, mongod holds its locks for a minute.
      await Promise.all(processes.map((it) => it.kill()));
      await mongo.close();
    },
  };
}

function settingsOf({ mongodb, temporal }: Config): Record<string, string> {
  return {
    ...UNLIMITED,
    MONGODB_URI: mongodb.uri!,
    TEMPORAL_ADDRESS: temporal.address!,
    TEMPORAL_NAMESPACE: temporal.namespace,
    // The worker opens what the API sealed.
    FIRST_ATTEMPT: 'workflow',
    DELIVERY_ALLOW_HTTP: '1',
    DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_ALLOW_PORTS: '1-65535',
  };
}

describe('the documented rotation', () => {
  it('works without a failed request, process by process, under load', async () => {
    const [old, next] = [newKey(), newKey()];
    const running = {
      api: await installation.start('api', [old.key]),
      worker: await installation.start('worker', [old.key]),
    };
    const load = startLoad(() => installation.client(running.api));
    /**
     * Replaces a process. While old and new run side by side, everything sealed, sent and requested must be correct.
     */
    const replace = async (role: 'api' | 'worker', keys: readonly string[]): Promise<void> => {
      const [before, after] = [running[role], await installation.start(role, keys)];
      running[role] = after;
      await load.oneMoreRound();
      await before.stop();
      await load.oneMoreRound();
    };

    await load.oneMoreRound();
    for (const keys of [
      [old.key, next.key],
      [next.key, old.key],
    ]) {
      await replace('api', keys);
      await replace('worker', keys);
    }
    const [, oldKey] = await installation.cli([next.key, old.key]).json<object[]>('secrets', 'reseal');
    await load.oneMoreRound();
    await replace('api', [next.key]);
    await replace('worker', [next.key]);
    const rounds = await load.stop();

    expect(oldKey).toMatchObject({ key_id: old.id, values: 0, use: 'may be retired' });
    // Those that were sealed with the old key alone, too.
    expect(rounds.every(({ attempts }) => attempts.every((count) => count === 1))).toBe(true);
    for (const { headers } of receiver.requests) expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
  }, 900_000);
});

/** What a round found out: how many attempts each of its deliveries took. */
interface Round {
  readonly attempts: readonly number[];
}

/**
 * Registers an endpoint, sends an event to all endpoints, waits until each has it, signed with its own secret, and
 * reads all secrets; repeatedly.
 *
 * @param client of the API that gets new calls
 */
function startLoad(client: () => ReturnType<typeof apiClient>) {
  const secrets = new Map<string, string>();
  const rounds: Round[] = [];
  let isStopped = false;
  let failure: unknown;
  const run = (async () => {
    while (!isStopped) rounds.push(await makeRound(client, secrets));
  })().catch((error: unknown) => (failure = error));
  const until = async (count: number): Promise<void> => {
    await eventually(
      () => rounds.length,
      (made) => made >= count || failure !== undefined,
      2 * PATIENCE_MS,
    );
    if (failure !== undefined) throw failure as Error;
  };
  return {
    /** Resolves when a round has ended that began after this call. */
    oneMoreRound: () => until(rounds.length + 2),
    async stop(): Promise<readonly Round[]> {
      isStopped = true;
      await run;
      if (failure !== undefined) throw failure as Error;
      return rounds;
    },
  };
}

async function makeRound(client: () => ReturnType<typeof apiClient>, secrets: Map<string, string>): Promise<Round> {
  if (secrets.size < MAX_ENDPOINTS) {
    const url = `${receiver.url}/${secrets.size}`;
    const options = { authentication: { type: 'bearer', token: TOKEN } };
    const { status, body } = await client().post(ENDPOINTS, { url, options });
    expect(status).toBe(201);
    secrets.set(body.id, body.secret);
  }
  const sent = await client().post(EVENTS, EVENT);
  expect(sent.status).toBe(202);
  for (const [id, secret] of secrets) {
    const { status, body } = await client().get(`${ENDPOINTS}/${id}/secret`);
    expect([status, body.secret]).toEqual([200, secret]);
  }
  const got = () => receiver.requests.filter(({ headers }) => headers['x-webhook-id'] === String(sent.body.id));
  await eventually(got, ({ length }) => length >= secrets.size, PATIENCE_MS);
  const read = async (): Promise<Delivery[]> => (await client().get(`${EVENTS}/${sent.body.id}`)).body.deliveries;
  const deliveries = await eventually(read, areDelivered, PATIENCE_MS);
  const right = [...secrets.values()].filter((secret) =>
    got().some(({ body, headers }) => verifySignature(secret, body, headers['x-webhook-signature'])),
  );
  expect([deliveries.length, right.length]).toEqual([secrets.size, secrets.size]);
  return { attempts: deliveries.map(({ attempt_count: count }) => count) };
}

function areDelivered(deliveries: readonly Delivery[]): boolean {
  return deliveries.every(({ state }) => state === 'delivered');
}

function saysMissing(keyId: string): (log: string) => boolean {
  return (log) => log.includes(`no key with the id ${keyId} is in ENCRYPTION_KEY`);
}

it('a process that lacks a key answers 503, and its deliveries wait until the key is there', async () => {
  const [old, next] = [newKey(), newKey()];
  const newer = await installation.start('api', [next.key, old.key]);
  // It makes first attempts itself; those of the other API are the worker's.
  const older = await installation.start('api', [old.key], { FIRST_ATTEMPT: 'express' });
  const worker = await installation.start('worker', [old.key]);
  const [ofNewer, ofOlder] = [installation.client(newer), installation.client(older)];
  // It seals the data key of the account, which both can open.
  expect((await ofOlder.post(EVENTS, EVENT)).status).toBe(202);
  const options = { headers: { 'X-Tenant': 'a' }, authentication: { type: 'bearer', token: TOKEN } };
  const registered = await ofNewer.post(ENDPOINTS, { url: receiver.url, options });
  const at = `${ENDPOINTS}/${registered.body.id}`;

  for (const answer of [
    await ofOlder.get(`${at}/secret`),
    await ofOlder.get(at),
    await ofOlder.get(ENDPOINTS),
    await ofOlder.patch(at, { options: { max_per_second: 10 } }),
  ]) {
    expectError(answer, 503, 'encryption_key_missing');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    // Which keys there are is the operator's matter, and in the log.
    expect(answer.text).not.toContain(next.id);
  }
  const sent = [await ofNewer.post(EVENTS, EVENT), await ofOlder.post(EVENTS, EVENT)];
  for (const { log } of [older, worker]) await eventually(log, saysMissing(next.id), PATIENCE_MS);
  const read = async (): Promise<Delivery[]> => {
    const events = await Promise.all(sent.map(({ body }) => ofNewer.get(`${EVENTS}/${body.id}`)));
    return events.map(({ body }) => body.deliveries[0] as Delivery);
  };
  for (const delivery of await read()) expect(delivery).toMatchObject({ state: 'pending', attempt_count: 0 });
  expect(receiver.requests).toHaveLength(0);

  await worker.stop();
  await installation.start('worker', [old.key, next.key]);
  const delivered = await eventually(read, areDelivered, PATIENCE_MS);

  expect(delivered.map(({ attempt_count: count }) => count)).toEqual([1, 1]);
  for (const { body, headers } of receiver.requests) {
    expect(verifySignature(registered.body.secret, body, headers['x-webhook-signature'])).toBe(true);
  }
  for (const { log } of [older, worker]) for (const { key } of [old, next]) expect(log()).not.toContain(key);
}, 600_000);
