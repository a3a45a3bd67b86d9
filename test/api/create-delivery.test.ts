import { expectError } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
const tier = { id: 'two', name: 'Two deliveries', monthlyQuota: 1_000, perMinute: 100, deliveriesPerMinute: 2 };

const stack = useStack({ env: { TIERS: JSON.stringify([tier, { ...tier, id: 'free', deliveriesPerMinute: 1_000 }]) } });
const receiver = useReceiver();
const api = useCaller(stack, 'test');

const register = async (more: object = {}): Promise<string> =>
  (await api.register({ url: receiver.url, events: ['nothing'], ...more })).id;
const send = (eventId: number, endpointId: string) =>
  api.post(`${EVENTS}/${eventId}/deliveries`, { endpoint_id: endpointId });
const stored = (id: number) =>
  stack.mongo.db
    .collection<{ _id: number; unfinished: number; finished_at: Date | null; destinations: object[] }>('events')
    .findOne({ _id: id });

it('sends a finished event to one more endpoint, whatever its patterns and filter; the audit log says who', async () => {
  await register({ events: ['order.*'] });
  const { id } = await api.ingest({ data: { total: 5 } });
  await api.untilEvent(id, 'delivered');
  const endpoint = await register({ options: { filter: { total: { $gt: 1_000 } } } });

  const { status, body } = await send(id, endpoint);

  expect([status, body]).toMatchObject([202, { id: `${id}.${endpoint}`, event_id: id, state: 'pending', run: 1 }]);
  await api.untilDelivery(body.id, 'delivered');
  const bodies = receiver.requests.map((request) => request.body.toString());
  expect(bodies).toEqual([bodies[0], bodies[0]]);
  expect(await stored(id)).toMatchObject({ unfinished: 0, finished_at: expect.any(Date), destinations: [{}, {}] });
  const entry = await stack.mongo.db
    .collection('audit_log')
    .findOne({ account_id: api.accountId, action: 'delivery.created' });
  expect(entry).toMatchObject({ object: body.id, actor: { type: 'key', id: api.keyId } });
});

it('an event that was delivered to nobody is unfinished again, and held while the endpoint is paused', async () => {
  const { id } = await api.ingest();
  expect(await stored(id)).toMatchObject({ unfinished: 0, finished_at: expect.any(Date) });
  const endpoint = await register({ enabled: false });

  const { body } = await send(id, endpoint);

  expect(body).toMatchObject({ state: 'pending', held_for: 'paused' });
  expect(await stored(id)).toMatchObject({ unfinished: 1, finished_at: null });
  const { deliveries } = (await api.get(`/api/v1/webhooks/deliveries?endpoint_id=${endpoint}&state=open`)).body;
  expect(deliveries).toMatchObject([{ id: body.id }]);
  await api.post(`${ENDPOINTS}/${endpoint}/resume`);
  await api.untilDelivery(body.id, 'delivered');
});

it('of two concurrent calls one creates the delivery; the other one is told to replay it', async () => {
  const { id } = await api.ingest();
  const endpoint = await register();

  const answers = await Promise.all([send(id, endpoint), send(id, endpoint), send(id, endpoint)]);

  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  expectError(
    answers.find(({ status }) => status === 409)!,
    409,
    'delivery_exists',
  );
  expect((await stored(id))!.destinations).toHaveLength(1);
});

it('409 at a thousand deliveries, 404 for what is not there, 429 for a used up budget, and nothing is stored', async () => {
  const { id } = await api.ingest();
  const endpoint = await register();
  const full = Array.from({ length: 1_000 }, (_, index) => ({ endpoint_id: `ep_${index}`, state: 'delivered' }));
  await stack.mongo.db.collection<{ _id: number }>('events').updateOne({ _id: id }, { $set: { destinations: full } });

  expectError(await send(id, endpoint), 409, 'destination_limit_reached');
  expect((await stored(id))!.destinations).toHaveLength(1_000);
  expectError(await send(id, `ep_${'0'.repeat(26)}`), 404, 'endpoint_not_found');
  expectError(await send(9_007_199_254_740_991, endpoint), 404, 'event_not_found');
  const other = await buildCaller(stack, { tier: 'two' });
  expectError(await other.post(`${EVENTS}/${id}/deliveries`, { endpoint_id: endpoint }), 404, 'event_not_found');

  const fresh = (await other.ingest()).id;
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await other.register({ url: receiver.url, events: ['x'] })).id);
  const answers = [];
  for (const own of ids) answers.push(await other.post(`${EVENTS}/${fresh}/deliveries`, { endpoint_id: own }));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect((await stored(fresh))!.destinations).toHaveLength(2);
});

it('an ordered endpoint gets an earlier event before later ones that wait', async () => {
  const early = (await api.ingest()).id;
  const endpoint = await register({ events: ['order.*'], enabled: false, options: { ordered: true } });
  const late = (await api.ingest()).id;
  await send(early, endpoint);
  await api.post(`${ENDPOINTS}/${endpoint}/resume`);

  await api.untilDelivery(`${late}.${endpoint}`, 'delivered');

  expect(receiver.requests.map(({ headers }) => headers['x-webhook-id'])).toEqual([String(early), String(late)]);
});
