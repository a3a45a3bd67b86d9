import { verifySignature } from '../../src/sender/signature';
import { apiClient, expectError } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { useReceiver, type ReceivedRequest } from '../support/build-receiver';
import { useStack } from '../support/build-stack';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
const DATA = '{ "n":12345678901234567890, "x":1.0,"card":{"number":"4111","last4":"1111"},"2":0,"1":0 }';
const MASKED = '{"n":12345678901234567890,"x":1.0,"card":{"last4":"1111"},"2":0,"1":0}';

const stack = useStack();
const receiver = useReceiver();
const api = useCaller(stack, 'test');

const register = (options: object) => api.register({ url: receiver.url, options });
const ingest = async (data = DATA): Promise<number> => {
  const { status, body } = await api.post(EVENTS, `{"type":"order.created","data":${data}}`);
  expect(status).toBe(202);
  return body.id;
};
const bodies = () => receiver.requests.map(({ body }) => body.toString());
const only = (): ReceivedRequest => {
  expect(receiver.requests).toHaveLength(1);
  return receiver.requests[0]!;
};

describe('each shape', () => {
  const SHAPES = [
    ['envelope', (id: number, at: number) => `{"id":${id},"type":"order.created","data":${DATA},"timestamp":${at}}`],
    ['data', () => DATA],
    ['standard', (_id: number, at: number) => `{"type":"order.created","timestamp":"${iso(at)}","data":${DATA}}`],
    [
      'cloudevents',
      (id: number, at: number) =>
        `{"specversion":"1.0","id":"${id}","source":"urn:everpost:${api.accountId}","type":"order.created",` +
        `"time":"${iso(at)}","datacontenttype":"application/json","data":${DATA}}`,
    ],
  ] as const;
  const iso = (at: number): string => new Date(at * 1_000).toISOString();

  it.each(SHAPES)(
    '%s is sent with its bytes and signed; the history shows it as it was sent',
    async (shape, bodyOf) => {
      const { id: endpointId, secret } = await register({ body: shape });
      const id = await ingest();
      const event = (await api.untilEvent(id, 'delivered')).body;

      const { headers, body } = only();
      expect(body.toString()).toBe(bodyOf(id, event.timestamp));
      expect(verifySignature(secret, body, headers['x-webhook-signature'])).toBe(true);
      const type = shape === 'cloudevents' ? 'application/cloudevents+json' : 'application/json';
      const said = { 'content-type': type, 'x-webhook-id': String(id), 'x-webhook-type': 'order.created' };
      expect(headers).toMatchObject(said);
      expect(headers['x-webhook-event-timestamp']).toBe(shape === 'data' ? String(event.timestamp) : undefined);

      const { body: delivery } = await api.get(`/api/v1/webhooks/deliveries/${id}.${endpointId}`);
      const source = shape === 'cloudevents' ? `urn:everpost:${api.accountId}` : null;
      expect(delivery.body).toEqual({ shape, include: null, exclude: null, source });
      const shown = Object.entries(delivery.attempts[0].request_headers as Record<string, string>);
      expect(Object.fromEntries(shown.map(([name, value]) => [name.toLowerCase(), value]))).toEqual(headers);
      const { body: list } = await api.get(`/api/v1/webhooks/deliveries/${id}.${endpointId}/attempts`);
      expect(list.attempts[0].request_headers).toEqual(delivery.attempts[0].request_headers);
    },
  );

  it.each([
    [{ exclude: ['card.number', 'nothing.here'] }, MASKED],
    [{ include: ['card.last4', 'x'] }, '{"x":1.0,"card":{"last4":"1111"}}'],
  ])('with %j only the rest of data is sent, and what is stored stays whole', async (masks, sent) => {
    const { id: endpointId } = await register({ body: 'data', ...masks });
    const id = await ingest();
    await api.untilEvent(id, 'delivered');

    expect(only().body.toString()).toBe(sent);
    expect(only().headers['content-length']).toBe(String(sent.length));
    const { body: delivery } = await api.get(`/api/v1/webhooks/deliveries/${id}.${endpointId}`);
    expect(delivery.body).toMatchObject(masks);
    expect(delivery.attempts[0].request_headers['Content-Length']).toBe(String(sent.length));
    expect((await api.get(`${EVENTS}/${id}`)).body.data.card.number).toBe('4111');
  });
});

describe('a delivery keeps its shape', () => {
  it('on retries and replays, whatever its endpoint and its account say since; the next event has the new one', async () => {
    receiver.answerWith(503);
    const { id: endpointId } = await register({ body: 'data', exclude: ['card.number'], retry_schedule: [0, 600] });
    const id = await ingest();
    await receiver.waitFor(1);
    const path = `/api/v1/webhooks/deliveries/${id}.${endpointId}`;
    await api.untilDelivery(`${id}.${endpointId}`, 'retrying');

    await api.patch(`${ENDPOINTS}/${endpointId}`, { options: { body: 'cloudevents', exclude: null } });
    receiver.answerWith(200);
    expect((await api.post(`${path}/retry`)).status).toBe(202);
    await api.untilDelivery(`${id}.${endpointId}`, 'delivered');
    expect((await api.post(`${path}/replay`)).status).toBe(202);
    await api.untilDelivery(`${id}.${endpointId}`, 'delivered', 2);

    expect(bodies()).toEqual([MASKED, MASKED, MASKED]);
    const next = await ingest();
    await api.untilEvent(next, 'delivered');
    expect(JSON.parse(bodies()[3]!)).toMatchObject({ specversion: '1.0', data: { card: { number: '4111' } } });
  });

  it('an endpoint that gets a stored event later, and a test, have the present one', async () => {
    const id = await ingest();
    const { id: endpointId } = await api.register({ url: receiver.url, events: ['x'], options: { body: 'standard' } });
    await api.patch(`${ENDPOINTS}/${endpointId}`, { options: { body: 'data' } });

    expect((await api.post(`${EVENTS}/${id}/deliveries`, { endpoint_id: endpointId })).status).toBe(202);
    await api.untilEvent(id, 'delivered');
    const test = await api.post(`${ENDPOINTS}/${endpointId}/test`, { data: { hello: 1 } });
    await api.untilEvent(test.body.id, 'delivered');

    expect(bodies()).toEqual([DATA, '{"hello":1}']);
  });
});

describe("the account's default", () => {
  it('is used by endpoints without a shape of their own, for events from now on', async () => {
    const platform = apiClient(stack.url, (await stack.managementKey()).key);
    const account = `/api/v1/accounts/${api.accountId}`;
    await register({});
    await api.register({ url: receiver.url, options: { body: 'envelope' } });
    expect((await platform.get(account)).body.defaults).toEqual({});

    const put = await platform.put(account, { defaults: { body: 'data' } });
    expect([put.status, put.body.defaults]).toEqual([200, { body: 'data' }]);
    const id = await ingest();
    await api.untilEvent(id, 'delivered');
    expect(
      bodies()
        .toSorted()
        .map((body) => body === DATA),
    ).toEqual([true, false]);

    expect((await platform.put(account, { defaults: {} })).body.defaults).toEqual({});
    const later = await ingest();
    await api.untilEvent(later, 'delivered');
    expect(
      bodies()
        .slice(2)
        .map((body) => JSON.parse(body).id),
    ).toEqual([later, later]);
  });

  it('is one of the shapes', async () => {
    const platform = apiClient(stack.url, (await stack.managementKey()).key);
    const path = `/api/v1/accounts/${api.accountId}`;
    const refused = await platform.put(path, { defaults: { body: 'xml' } });
    expectError(refused, 400, 'invalid_request');
    expect(refused.body.details).toEqual([
      { path: 'defaults.body', message: 'must be one of "envelope", "data", "standard", "cloudevents"' },
    ]);
    expectError(await platform.put(path, { defaults: { filter: {} } }), 400, 'invalid_request');
  });
});

describe('refused', () => {
  it.each([
    [{ body: 'xml' }, 'options.body', 'must be one of "envelope", "data", "standard", "cloudevents"'],
    [{ include: [] }, 'options.include', 'must hold at least one path; null switches the option off'],
    [{ exclude: ['a..b'] }, 'options.exclude[0]', 'must be the path to a field: names with dots between them'],
    [{ exclude: ['a', 'a'] }, 'options.exclude', 'must not hold a path twice'],
    [{ exclude: Array.from({ length: 51 }, (_, n) => `a${n}`) }, 'options.exclude', 'must hold at most 50 paths'],
    [{ exclude: ['a'.repeat(2_049)] }, 'options.exclude', 'must have at most 2048 characters in all paths'],
    [
      { include: ['a'], exclude: ['b'] },
      'options.exclude',
      'can\'t be set together with "include"; use one of the two',
    ],
    [{ retry_jitter: 0.6 }, 'options.retry_jitter', 'must be a number from 0 to 0.5'],
  ])('%j', async (options, path, message) => {
    const refused = await api.post(ENDPOINTS, { url: receiver.url, events: ['*'], options });
    expectError(refused, 400, 'invalid_request');
    expect(refused.body.details).toEqual([{ path, message }]);
  });

  it('a second mask beside a stored one; with the first one switched off it is taken', async () => {
    const { id } = await register({ include: ['x'] });
    const path = `${ENDPOINTS}/${id}`;
    expectError(await api.patch(path, { options: { exclude: ['card'] } }), 400, 'invalid_request');
    const changed = await api.patch(path, { options: { exclude: ['card'], include: null } });
    expect(changed.body.options).toMatchObject({ include: null, exclude: ['card'] });
  });
});
