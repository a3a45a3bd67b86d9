import { buildCaller, useCaller } from '../support/build-caller';
import { buildReceiver } from '../support/build-receiver';
import { HURRIED_SWEEPERS, useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { cliOf } from '../support/run-cli';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

const stack = useStack(HURRIED_SWEEPERS);
const api = useCaller(stack);
const receiver = useFixture('file', buildReceiver, (it) => it.close());

const register = async (events = ['nothing']): Promise<string> =>
  (await api.register({ url: receiver.url, events })).id;

it('200 for a pause and a resume, and the same again for a second one, which changes nothing', async () => {
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

it('202 for a test event, which answers like an ingest and can be looked at like an event', async () => {
  const id = await register();
  const from = receiver.requests.length;

  const { status, body, headers } = await api.post(`${ENDPOINTS}/${id}/test`);

  expect([status, body]).toEqual([
    202,
    { id: expect.any(Number), type: 'endpoint.test', timestamp: expect.any(Number), duplicate: false, deliveries: 1 },
  ]);
  expect(headers.get('Location')).toBe(`${EVENTS}/${body.id}`);
  await api.untilEvent(body.id, 'delivered');
  const [request] = receiver.requests.slice(from);
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    id: body.id,
    type: 'endpoint.test',
    data: { endpoint_id: id },
  });
});

describe('everpost endpoint', () => {
  const { json, expectRefused } = cliOf(stack);

  it("list shows an account's endpoints, newest first, without secrets", async () => {
    const own = await buildCaller(stack);
    const first = await own.register({ url: receiver.url, events: ['a', 'b.*'], description: 'One' });
    const second = await own.register({ url: receiver.url });

    const rows = await json<object[]>('endpoint', 'list', '--account', own.accountId);

    const common = { account_id: own.accountId, status: 'active', url: receiver.url };
    expect(rows).toEqual([
      { ...common, id: second.id, events: '*', description: '' },
      { ...common, id: first.id, events: 'a b.*', description: 'One' },
    ]);
  });

  it('pause holds deliveries and resume lets them go, seen by the API at once and written down in the audit log', async () => {
    const type = 'cli.held';
    const id = await register([type]);

    expect(await json('endpoint', 'pause', '--id', id)).toMatchObject({ id, status: 'paused' });
    expect((await api.get(`${ENDPOINTS}/${id}`)).body.status).toBe('paused');
    const { id: eventId } = await api.ingest({ type });
    expect(await json('endpoint', 'resume', '--id', id)).toMatchObject({ id, status: 'active' });

    await api.untilEvent(eventId, 'delivered');
    const entries = await stack.mongo.db
      .collection('audit_log')
      .find({ object: id, 'actor.type': 'cli' })
      .sort({ at: 1 })
      .toArray();
    expect(entries.map(({ action, account_id: account }) => [action, account] as unknown)).toEqual([
      ['endpoint.paused', api.accountId],
      ['endpoint.resumed', api.accountId],
    ]);
  });

  it.each(['pause', 'resume'])('%s refuses an id that is none', async (name) => {
    await expectRefused('endpoint_not_found', 'endpoint', name, '--id', 'ep_x');
  });
});
