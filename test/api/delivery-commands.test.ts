import { createCli } from '../../src/cli';
import { apiClient, type ApiClient } from '../support/api-client';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

let stack: Stack;
let receiver: Receiver;
let api: ApiClient;
let accountId: string;
let endpointId: string;

beforeAll(async () => {
  stack = await buildStack({ env: { RETRY_SCHEDULE: '0s,1h' } });
  receiver = await buildReceiver(503);
  await stack.role.workerReady;
  const account = await stack.account();
  accountId = account.accountId;
  api = apiClient(stack.url, account.key);
  endpointId = (await api.post('/api/v1/webhooks/endpoints', { url: receiver.url })).body.id;
});

afterAll(async () => {
  await stack?.close();
  await receiver?.close();
});

/** Runs a command with --json. @returns the one value that it printed */
async function everpost<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const printed: string[] = [];
  const cli = createCli(stack.config, (text) => printed.push(text));
  await cli.parseAsync(['node', 'everpost', ...args, '--json']);
  expect(printed).toHaveLength(1);
  return JSON.parse(printed[0]!) as T;
}

async function retrying(): Promise<string> {
  receiver.answerWith(503);
  const { body } = await api.post('/api/v1/webhooks/events', { type: 'order.created', data: {} });
  const id = `${body.id}.${endpointId}`;
  await untilState(id, 'retrying', 1);
  return id;
}

function untilState(id: string, state: string, run: number) {
  return eventually(
    () => api.get(`/api/v1/webhooks/deliveries/${id}`),
    ({ body }) => body.state === state && body.run === run,
  );
}

test('delivery retry makes the next attempt; delivery replay sends it again, both are in the audit log', async () => {
  const id = await retrying();
  receiver.answerWith(200);

  expect(await everpost('delivery', 'retry', '--id', id)).toMatchObject({ id, state: 'retrying', run: 1 });
  await untilState(id, 'delivered', 1);
  expect(await everpost('delivery', 'replay', '--id', id)).toMatchObject({ id, state: 'pending', run: 2 });
  await untilState(id, 'delivered', 2);

  const entries = await stack.mongo.db.collection('audit_log').find({ object: id }).toArray();
  expect(entries.map(({ action, actor }) => ({ action, by: actor.type }))).toEqual([
    { action: 'delivery.retried', by: 'cli' },
    { action: 'delivery.replayed', by: 'cli' },
  ]);
});

test('delivery cancel ends it, once', async () => {
  const id = await retrying();

  expect(await everpost('delivery', 'cancel', '--id', id)).toMatchObject({ id, state: 'cancelled' });

  await expect(everpost('delivery', 'cancel', '--id', id)).rejects.toMatchObject({ code: 'delivery_finished' });
});

test.each(['retry', 'cancel', 'replay'])('delivery %s of one that does not exist says so', async (name) => {
  for (const id of ['nonsense', `9007199254740991.${endpointId}`]) {
    await expect(everpost('delivery', name, '--id', id)).rejects.toMatchObject({ code: 'delivery_not_found' });
  }
});

test('replay recover, status, list and cancel', async () => {
  const id = await retrying();
  await everpost('delivery', 'retry', '--id', id);
  await untilState(id, 'failed', 1);
  receiver.answerWith(200);

  const args = ['--endpoint', endpointId, '--since', '2020-01-01T00:00:00Z', '--rate', '5'];
  const job = await everpost<{ job_id: string }>('replay', 'recover', ...args);
  const ended = await eventually(
    () => everpost('replay', 'status', '--id', job.job_id),
    ({ state }) => state !== 'running',
    30_000,
  );

  expect(ended).toMatchObject({ account_id: accountId, state: 'completed', replayed: 1, rate_per_second: 5 });
  await untilState(id, 'delivered', 2);
  expect(await everpost('replay', 'list', '--account', accountId)).toEqual([ended]);
  await expect(everpost('replay', 'cancel', '--id', job.job_id)).rejects.toMatchObject({ code: 'replay_finished' });
});

test.each([
  [['--since', 'yesterday'], 'invalid_request'],
  [['--since', '1'], 'invalid_request'],
  // Of which clock?
  [['--since', '2026-11-21T06:00:00'], 'invalid_request'],
  [['--since', '9999-12-31T23:59:59-00:01'], 'invalid_request'],
  [['--since', '2020-01-01T00:00:00Z', '--until', 'tomorrow'], 'invalid_request'],
  [['--since', '2020-01-01T00:00:00Z', '--rate', '0'], 'invalid_request'],
  [['--since', '2020-01-01T00:00:00Z', '--endpoint', `ep_${'0'.repeat(26)}`], 'endpoint_not_found'],
])('replay recover %j is refused', async (args, code) => {
  const all = ['replay', 'recover', '--endpoint', endpointId, ...args];

  await expect(everpost(...all)).rejects.toMatchObject({ code });
});
