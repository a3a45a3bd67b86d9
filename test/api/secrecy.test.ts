import { Connection } from '@temporalio/client';
import { apiClient } from '../support/api-client';
import { buildLoggedRole } from '../support/build-api';
import { useReceiver } from '../support/build-receiver';
import { buildAccount, buildConfig } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { createMongo } from '../../src/platform/mongo';
import { revokeKey } from '../../src/keys/manage-keys';
import { createAccountStore } from '../../src/accounts/account-store';
import { createKeyStore } from '../../src/keys/key-store';
import { systemClock } from '../../src/platform/clock';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';
const CANARY = 'canary-in-data';
const TOKEN = 'canary-in-url';
const PASSWORD = 'canary-in-a-password';
const HEADER = 'canary-in-a-header';

const config = useFixture(
  'file',
  () => buildConfig(),
  async () => undefined,
);
const stack = useFixture(
  'file',
  () => buildLoggedRole(config, 'all'),
  (role) => role.close(),
);
const mongo = useFixture(
  'file',
  async () => createMongo(config.mongodb.uri!),
  (it) => it.db.dropDatabase().then(it.close),
);
const receiver = useReceiver();
/** Everything that must not be written anywhere. */
const secrets: string[] = [];

beforeAll(() => stack.role.workerReady);

/** Uses the API in every way that touches a secret, well and badly. */
async function useEverything(): Promise<number[]> {
  const { key, keyId } = await buildAccount(config, mongo);
  const other = await buildAccount(config, mongo, { product: 'pii' });
  const api = apiClient(stack.url, key);
  secrets.push(key, other.key, key.slice('svc_live_weh_'.length), ...config.encryptionKeys);

  const endpoint = await api.post(ENDPOINTS, { url: `${receiver.url}?token=${TOKEN}` });
  expect(endpoint.status).toBe(201);
  secrets.push(endpoint.body.secret, endpoint.body.secret.slice('whsec_'.length));
  const path = `${ENDPOINTS}/${endpoint.body.id}`;
  const authentication = { type: 'basic', username: 'everpost', password: PASSWORD };
  const changed = await api.patch(path, { options: { headers: { 'X-Secret': HEADER }, authentication } });
  expect([changed.status, changed.text.includes(PASSWORD)]).toEqual([200, false]);
  const rotated = await api.post(`${path}/secret/rotate`);
  secrets.push(rotated.body.next_secret, rotated.body.next_secret.slice('whsec_'.length), PASSWORD, HEADER);
  secrets.push(Buffer.from(`everpost:${PASSWORD}`).toString('base64'));
  await api.patch(path, { options: { authentication: { ...authentication, password: `${PASSWORD}\n` } } });

  const ids: number[] = [];
  for (const status of [200, 500]) {
    receiver.answerWith((_request, count) => (count % 3 === 0 ? 200 : status));
    const ingest = await api.post(EVENTS, {
      type: 'order.created',
      data: { note: CANARY },
      idempotency_key: `key-${status}`,
    });
    expect(ingest.status).toBe(202);
    ids.push(ingest.body.id);
  }
  for (const id of ids) {
    await eventually(
      () => api.get(`${EVENTS}/${id}`),
      ({ body }) => body.status === 'delivered',
    );
  }
  expect(JSON.parse(receiver.requests[0]!.body.toString()).data.note).toBe(CANARY);

  // Mistakes: secrets in the wrong place.
  await apiClient(stack.url, other.key).get(ENDPOINTS);
  await apiClient(stack.url, `${key}0`).get(ENDPOINTS);
  await apiClient(stack.url).get(`${ENDPOINTS}?key=${key}`);
  await apiClient(stack.url).get(`/${key}`, { Cookie: `key=${key}`, 'X-API-Key': key });
  await api.post(EVENTS, { type: `bad ${key}`, data: { note: CANARY } });
  await api.post(EVENTS, { type: 'a', data: { note: CANARY }, [key]: 1 });
  await api.post(EVENTS, `{"type":"a","data":{"note":"${CANARY}"`);
  await api.post(ENDPOINTS, { url: `https://user:${key}@example.com/` });
  // An error that carries whole documents.
  for (const collection of ['events', 'endpoints']) {
    await mongo.db.command({ collMod: collection, validator: { never_there: true } });
  }
  expect((await api.post(EVENTS, { type: 'a', data: { note: CANARY } })).status).toBe(500);
  expect((await api.post(ENDPOINTS, { url: `${receiver.url}?token=${TOKEN}` })).status).toBe(500);

  const deps = { accounts: createAccountStore(mongo.db), keys: createKeyStore(mongo.db), clock: systemClock };
  await revokeKey(deps, { id: keyId }, BY_COMMAND_LINE);
  await eventually(
    () => api.get(ENDPOINTS),
    ({ status }) => status === 401,
  );
  return ids;
}

/** As it is, and as it would look in base64, in any of its three alignments. */
function spellings(secret: string): string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${secret}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4),
  );
  return [secret, ...base64.map((text) => text.slice(0, -4))];
}

it('no key, signing secret, encryption key or data appears in the log or in Temporal', async () => {
  const ids = await useEverything();
  secrets.push(CANARY);

  const log = stack.log();
  // The log is complete: it has every request, and says what failed.
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });
  expect(lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(12);
  expect(log).toContain('the request failed');
  for (const secret of [...secrets, TOKEN]) {
    for (const spelling of spellings(secret))
      expect(log.split('\n').filter((line) => line.includes(spelling))).toEqual([]);
  }

  const connection = await Connection.connect({ address: config.temporal.address! });
  try {
    const { namespace } = config.temporal;
    const { executions } = await connection.workflowService.listWorkflowExecutions({ namespace });
    const histories = await Promise.all(
      executions.map(({ execution }) =>
        connection.workflowService.getWorkflowExecutionHistory({ namespace, execution: execution! }),
      ),
    );
    expect(histories).toHaveLength(ids.length);
    // Payloads are bytes; here they are read as text.
    const text = [executions, histories]
      .map((value) => JSON.stringify(value, (_name, inner: unknown) => asText(inner)))
      .join('\n');
    for (const id of ids) expect(text).toContain(String(id));
    for (const secret of [...secrets, TOKEN]) {
      for (const spelling of spellings(secret)) expect(text).not.toContain(spelling);
    }
  } finally {
    await connection.close();
  }

  const stored = await Promise.all((await mongo.db.collections()).map((collection) => collection.find().toArray()));
  const database = JSON.stringify(stored);
  // Data is sealed: test/breakage/payload-canaries.test.ts.
  expect(database).toContain('order.created');
  for (const secret of secrets.filter((value) => value !== CANARY)) {
    for (const spelling of spellings(secret)) expect(database).not.toContain(spelling);
  }
});

function asText(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  const json = value as { type?: string; data?: number[] } | null;
  return json?.type === 'Buffer' && json.data ? Buffer.from(json.data).toString('utf8') : value;
}
