import { Timestamp } from 'mongodb';
import { expectError } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

const stack = useStack({ role: 'api' });
const api = useCaller(stack, 'test');

const register = async (more: object): Promise<string> =>
  (await api.register({ url: 'https://example.com/', events: ['order.*'], ...more })).id;
const explain = (eventId: number, endpointId: string) => api.get(`${EVENTS}/${eventId}/endpoints/${endpointId}`);
/** As if the event had been accepted so much later than it was. */
const acceptLater = async (eventId: number, seconds: number): Promise<void> => {
  const events = stack.mongo.db.collection<{ _id: number; accepted_at: Timestamp }>('events');
  const { accepted_at: at } = (await events.findOne({ _id: eventId }))!;
  await events.updateOne({ _id: eventId }, { $set: { accepted_at: new Timestamp({ t: at.t + seconds, i: 1 }) } });
};

it('names the delivery of an endpoint that got the event, also a paused one, where it is held', async () => {
  const [active, paused] = [await register({}), await register({ enabled: false })];
  const { id } = await api.ingest();

  const { status, body } = await explain(id, active);

  expect([status, body]).toEqual([
    200,
    {
      event_id: id,
      endpoint_id: active,
      delivery: expect.objectContaining({ id: `${id}.${active}`, held_for: null }),
      reasons: [],
      patterns: ['order.*'],
      conditions: [],
      changed_since: false,
    },
  ]);
  expect((await explain(id, paused)).body).toMatchObject({ delivery: { held_for: 'paused' }, reasons: [] });
});

it('says which conditions refused, and what the event has there, besides a pattern that does not match', async () => {
  const filter = { total: { $gte: 1_000, $lt: 5_000 }, $or: [{ country: 'DE' }, { 'items.sku': 'x' }], paid: true };
  const endpoint = await register({ events: ['invoice.*', 'refund'], options: { filter } });
  const { id } = await api.ingest({
    data: { total: 5, paid: true, items: [{ sku: 'a' }, { sku: 'b' }], note: 'private' },
  });
  await acceptLater(id, 60);

  const { body } = await explain(id, endpoint);

  expect(body).toMatchObject({
    delivery: null,
    reasons: ['type_not_matched', 'filter_refused'],
    patterns: ['invoice.*', 'refund'],
    conditions: [
      { path: 'total.$gte', field: 'total', operator: '$gte', operand: 1_000, found: '5' },
      { path: '$or.0.country', field: 'country', operator: '$eq', operand: 'DE', found: null },
      { path: '$or.1.items.sku', field: 'items.sku', operator: '$eq', operand: 'x', found: '"a", "b"' },
    ],
    changed_since: false,
  });
  expect(JSON.stringify(body)).not.toContain('private');
});

it('shows at most 200 characters of a value, and at most ten conditions', async () => {
  const filter = { $and: Array.from({ length: 12 }, (_, index) => ({ long: { $gt: index } })) };
  const endpoint = await register({ options: { filter } });
  const { id } = await api.ingest({ data: { long: 'x'.repeat(10_000) } });

  const { conditions } = (await explain(id, endpoint)).body;

  expect(conditions).toHaveLength(10);
  expect(conditions[0].found).toBe(`"${'x'.repeat(199)}…`);
});

it('says that the endpoint was created later', async () => {
  const { id } = await api.ingest();
  const endpoint = await register({});

  expect((await explain(id, endpoint)).body).toMatchObject({ delivery: null, reasons: ['created_later'] });
});

it('says that the event matches now, if the endpoint was changed since', async () => {
  const endpoint = await register({ events: ['invoice.*'] });
  const { id } = await api.ingest();
  await acceptLater(id, 1);
  expect((await explain(id, endpoint)).body).toMatchObject({ reasons: ['type_not_matched'], changed_since: false });

  await acceptLater(id, -1);
  const endpoints = stack.mongo.db.collection<{ _id: string }>('endpoints');
  await endpoints.updateOne({ _id: endpoint }, { $set: { created_at: new Date(0) } });
  await api.call('PATCH', `${ENDPOINTS}/${endpoint}`, { events: ['*'] });

  expect((await explain(id, endpoint)).body).toMatchObject({
    delivery: null,
    reasons: ['matches_now'],
    patterns: ['*'],
    changed_since: true,
  });
});

it('refuses a filter that takes too long for the data, before it is evaluated', async () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 5);
  const endpoint = await register({ options: { filter: { a: { $nin: values } } }, events: ['invoice.*'] });
  const { id } = await api.ingest({ data: { a: Array.from({ length: 2_000 }, () => 1) } });

  expectError(await explain(id, endpoint), 422, 'filters_too_costly');
});

it('404 for an event or an endpoint that is gone or belongs to another account', async () => {
  const endpoint = await register({});
  const { id } = await api.ingest();
  const other = await buildCaller(stack);
  const others = await other.register({ url: 'https://example.com/' });

  expectError(await explain(id, others.id), 404, 'endpoint_not_found');
  expectError(await explain((await other.ingest()).id, endpoint), 404, 'event_not_found');
  await api.call('DELETE', `${ENDPOINTS}/${endpoint}`);
  expectError(await explain(id, endpoint), 404, 'endpoint_not_found');
});
