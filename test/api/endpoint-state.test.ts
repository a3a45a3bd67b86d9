import { createCli } from '../../src/cli';
import { apiClient, type ApiClient } from '../support/api-client';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

let stack: Stack;
let api: ApiClient;
let accountId: string;
let receiver: Receiver;

beforeAll(async () => {
  stack = await buildStack();
  const account = await stack.account();
  ({ accountId } = account);
  api = apiClient(stack.url, account.key);
  receiver = await buildReceiver();
});

afterAll(async () => {
  await receiver?.close();
  await stack?.close();
});

async function register(events: string[] = ['nothing']): Promise<string> {
  return (await api.post(ENDPOINTS, { url: receiver.url, events })).body.id as string;
}

test('200 for a pause and a resume, and the same again for a second one, which changes nothing', async () => {
  const id = await register();
  const before = (await api.get(`${ENDPOINTS}/${id}`)).body;

  const paused = await api.post(`${ENDPOINTS}/${id}/pause`);
  expect([paused.status, paused.body]).toEqual([200, { ...before, status: 'paused', updated_at: expect.any(String) }]);
  expect(Date.parse(paused.body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  expect((await api.post(`${ENDPOINTS}/${id}/pause`)).body).toEqual(paused.body);

  const resumed = await api.post(`${ENDPOINTS}/${id}/resume`);
  expect([resumed.status, resumed.body]).toEqual([200, { ...before, updated_at: expect.any(String) }]);
  expect((await api.post(`${ENDPOINTS}/${id}/resume`)).body).toEqual(resumed.body);
  expect((await api.get(`${ENDPOINTS}/${id}`)).body).toEqual(resumed.body);
});

test('202 for a test event, which answers like an ingest and can be looked at like an event', async () => {
  const id = await register();
  const from = receiver.requests.length;

  const { status, body, headers } = await api.post(`${ENDPOINTS}/${id}/test`);

  expect([status, body]).toEqual([
    202,
    { id: expect.any(Number), type: 'endpoint.test', timestamp: expect.any(Number), duplicate: false, deliveries: 1 },
  ]);
  expect(headers.get('Location')).toBe(`${EVENTS}/${body.id}`);
  await eventually(
    () => api.get(`${EVENTS}/${body.id}`),
    (event) => event.body.status === 'delivered',
  );
  const [request] = receiver.requests.slice(from);
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    id: body.id,
    type: 'endpoint.test',
    data: { endpoint_id: id },
  });
});

describe('everpost endpoint', () => {
  async function everpost<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const printed: string[] = [];
    const cli = createCli(stack.config, (text) => printed.push(text));
    await cli.parseAsync(['node', 'everpost', 'endpoint', ...args, '--json']);
    expect(printed).toHaveLength(1);
    return JSON.parse(printed[0]!) as T;
  }

  test("list shows an account's endpoints, newest first, without secrets", async () => {
    const own = await stack.account();
    const others = apiClient(stack.url, own.key);
    const first = await others.post(ENDPOINTS, { url: receiver.url, events: ['a', 'b.*'], description: 'One' });
    const second = await others.post(ENDPOINTS, { url: receiver.url });

    const rows = await everpost<object[]>('list', '--account', own.accountId);

    const common = { account_id: own.accountId, status: 'active', url: receiver.url };
    expect(rows).toEqual([
      { ...common, id: second.body.id, events: '*', description: '' },
      { ...common, id: first.body.id, events: 'a b.*', description: 'One' },
    ]);
  });

  test('pause holds deliveries and resume lets them go, seen by the API at once and written down in the audit log', async () => {
    const type = 'cli.held';
    const id = await register([type]);

    expect(await everpost('pause', '--id', id)).toMatchObject({ id, status: 'paused' });
    expect((await api.get(`${ENDPOINTS}/${id}`)).body.status).toBe('paused');
    const { body } = await api.post(EVENTS, { type, data: {} });
    expect(await everpost('resume', '--id', id)).toMatchObject({ id, status: 'active' });

    await eventually(
      () => api.get(`${EVENTS}/${body.id}`),
      (event) => event.body.status === 'delivered',
      40_000,
    );
    const entries = await stack.mongo.db
      .collection('audit_log')
      .find({ object: id, 'actor.type': 'cli' })
      .sort({ at: 1 })
      .toArray();
    expect(entries.map(({ action, account_id: account }) => [action, account] as unknown)).toEqual([
      ['endpoint.paused', accountId],
      ['endpoint.resumed', accountId],
    ]);
  }, 60_000);

  test.each(['pause', 'resume'])('%s refuses an id that is none', async (name) => {
    await expect(everpost(name, '--id', 'ep_x')).rejects.toMatchObject({ code: 'endpoint_not_found' });
  });
});
