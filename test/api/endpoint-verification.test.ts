import { createServer, type AddressInfo } from 'node:net';
import type { StoredEvent } from '../../src/stores/event-store';
import { verifySignature } from '../../src/sender/signature';
import { buildApi } from '../support/build-api';
import { buildCaller, type Caller } from '../support/build-caller';
import { buildReceiver, type ReceivedRequest, type Receiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { apiClient } from '../support/api-client';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
const two = { id: 'two', name: 'Two deliveries', monthlyQuota: null, perMinute: 100, deliveriesPerMinute: 2 };
const stack = useStack({ env: { ENDPOINT_VERIFICATION: 'challenge', TIERS: JSON.stringify([two]) } });

beforeAll(() => stack.role.workerReady);

let receiver: Receiver;
beforeEach(async () => {
  receiver = await buildReceiver();
});
afterEach(() => receiver.close());

const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString());
const typesOf = ({ requests }: Receiver): string[] => requests.map((request) => bodyOf(request).type);
const echoText = (request: ReceivedRequest): string => `${bodyOf(request).data.challenge}\n`;
const echoJson = (request: ReceivedRequest): string => JSON.stringify({ challenge: bodyOf(request).data.challenge });
const register = async (api: Caller, url = receiver.url) => (await api.post(ENDPOINTS, { url })).body;
const ingest = async (api: Caller) => (await api.post(EVENTS, { type: 'order.created', data: {} })).body.id as number;
const untilStatus = (api: Caller, eventId: number, status: string) =>
  eventually(
    () => api.get(`${EVENTS}/${eventId}`),
    ({ body }) => body.status === status,
  );
const untilAnswered = (api: Caller, id: string) =>
  eventually(
    async () => (await api.get(`${ENDPOINTS}/${id}`)).body.verification,
    ({ state, error }) => state === 'verified' || error !== null,
  );
const untilHeld = (eventId: number) =>
  eventually(
    () => stack.mongo.db.collection<StoredEvent>('events').findOne({ _id: eventId }),
    (event) => event?.destinations[0]?.held_for === 'unverified',
  );

it('a new host gets only a signed challenge; once it echoes it, the held deliveries are sent', async () => {
  const api = await buildCaller(stack);
  const endpoint = await register(api);
  expect(endpoint.verification).toEqual({
    host: new URL(receiver.url).host,
    state: 'unverified',
    asked_at: null,
    error: null,
  });

  const [challenge] = await receiver.waitFor(1);
  expect(bodyOf(challenge!)).toMatchObject({ type: 'endpoint.verification', data: { challenge: expect.any(String) } });
  expect(verifySignature(endpoint.secret, challenge!.body, challenge!.headers['x-webhook-signature'])).toBe(true);
  // A 200 alone proves nothing.
  expect(await untilAnswered(api, endpoint.id)).toMatchObject({
    state: 'unverified',
    error: expect.stringContaining('challenge'),
    asked_at: expect.any(String),
  });
  const eventId = await ingest(api);
  await untilHeld(eventId);
  expect(typesOf(receiver)).toEqual(['endpoint.verification']);

  receiver.answerWith(200, (request) => (bodyOf(request).data.challenge ? echoText(request) : 'ok'));
  const verified = await api.post(`${ENDPOINTS}/${endpoint.id}/verify`, undefined);

  expect([verified.status, verified.body.verification]).toMatchObject([200, { state: 'verified', error: null }]);
  await untilStatus(api, eventId, 'delivered');
  expect(typesOf(receiver)).toEqual(['endpoint.verification', 'endpoint.verification', 'order.created']);
});

it('a host that echoes the challenge in JSON is verified at once, for the whole account and no other', async () => {
  const [api, stranger] = [await buildCaller(stack), await buildCaller(stack)];
  receiver.answerWith(200, echoJson);
  const first = await register(api);
  expect(await untilAnswered(api, first.id)).toMatchObject({ state: 'verified' });

  const [second, foreign] = [await register(api, `${receiver.url}/other`), await register(stranger)];

  expect([second.verification.state, foreign.verification.state]).toEqual(['verified', 'unverified']);
  expect(await untilAnswered(stranger, foreign.id)).toMatchObject({ state: 'verified' });
  // A verified one gets no further challenge.
  await api.post(`${ENDPOINTS}/${second.id}/verify`, undefined);
  expect(typesOf(receiver)).toHaveLength(2);
});

it('an answer without 2xx or with another text does not verify the host', async () => {
  const api = await buildCaller(stack);
  receiver.answerWith(403, echoText);
  const { id } = await register(api);
  expect(await untilAnswered(api, id)).toMatchObject({ state: 'unverified', error: expect.stringContaining('403') });

  receiver.answerWith(200, (request) => `${echoText(request)}and more`);
  const asked = await api.post(`${ENDPOINTS}/${id}/verify`, undefined);

  expect(asked.body.verification).toMatchObject({ state: 'unverified', error: expect.stringContaining('challenge') });
});

it('an endpoint moved to a new host waits for its verification, deliveries under way included', async () => {
  const api = await buildCaller(stack);
  receiver.answerWith(200, echoJson);
  const { id } = await register(api);
  await untilAnswered(api, id);
  const elsewhere = await buildReceiver();
  try {
    const moved = await api.patch(`${ENDPOINTS}/${id}`, { url: elsewhere.url });
    expect(moved.body.verification).toMatchObject({ host: new URL(elsewhere.url).host, state: 'unverified' });
    const eventId = await ingest(api);
    await untilHeld(eventId);

    const retried = await api.post(`/api/v1/webhooks/deliveries/${eventId}.${id}/retry`, undefined);
    expect([retried.status, retried.body.code]).toEqual([409, 'endpoint_not_verified']);

    await api.patch(`${ENDPOINTS}/${id}`, { url: receiver.url });
    await eventually(
      () => api.post(`${ENDPOINTS}/${id}/verify`, undefined),
      ({ body }) => body.verification.state === 'verified',
    );
    await untilStatus(api, eventId, 'delivered');
    expect(typesOf(elsewhere).filter((type) => type !== 'endpoint.verification')).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

describe('a challenge that is not answered as it should be', () => {
  /** Answers with these bytes, which may contain the challenge, and keeps the connection open. */
  async function answering(bytes: (challenge: string) => string) {
    const server = createServer((socket) => {
      let request = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        request += chunk.toString();
        const challenge = /"challenge":"([^"]+)"/.exec(request)?.[1];
        if (challenge !== undefined) socket.write(bytes(challenge));
      });
      closing.push(() => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));
  const long = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

  it.each<[how: string, bytes: (challenge: string) => string, error: RegExp]>([
    [
      'a body longer than 1 KiB',
      (it) => long(JSON.stringify({ challenge: it, more: 'x'.repeat(2_000) })),
      /longer than 1 KiB/,
    ],
    ['a body that comes too late', () => 'HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\n', /did not end within 2 s/],
    ['headers that come too late', () => 'HTTP/1.1 200 OK\r\n', /headers of the answer did not end within 2 s/],
    ['another body', () => long('yes'), /was not the challenge/],
  ])('says what happened: %s', async (_how, bytes, error) => {
    const api = await buildCaller(stack);
    const { id } = await register(api, await answering(bytes));

    expect(await untilAnswered(api, id)).toMatchObject({ state: 'unverified', error: expect.stringMatching(error) });
  });

  it('the challenge counts although its body never ends', async () => {
    const api = await buildCaller(stack);
    const { id } = await register(api, await answering((it) => `HTTP/1.1 200 OK\r\n\r\n${it}`));

    expect(await untilAnswered(api, id)).toMatchObject({ state: 'verified', error: null });
  });
});

it("challenges count against the account's budget of deliveries", async () => {
  const api = await buildCaller(stack, { tier: 'two' });
  const { id } = await register(api);
  await untilAnswered(api, id);

  const asked = [];
  for (let again = 0; again < 2; again += 1) asked.push(await api.post(`${ENDPOINTS}/${id}/verify`, undefined));

  expect(asked.map(({ status, body }) => [status, body.code])).toEqual([
    [200, undefined],
    [429, 'delivery_budget_exceeded'],
  ]);
});

it('a host that does not agree gets a few challenges a minute, from the registration, changes and calls together', async () => {
  const api = await buildCaller(stack);
  receiver.answerWith(404, echoText);
  const { id } = await register(api);
  await untilAnswered(api, id);

  const asked = [];
  for (let again = 0; again < 10; again += 1) asked.push(await api.post(`${ENDPOINTS}/${id}/verify`, undefined));

  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
  expect(asked[9]!.body).toMatchObject({ code: 'challenge_limit_exceeded', retry_after: expect.any(Number) });
  // Moving it away and back does not help.
  for (const url of ['https://nowhere.invalid/', receiver.url]) await api.patch(`${ENDPOINTS}/${id}`, { url });
  expect((await api.post(`${ENDPOINTS}/${id}/verify`, undefined)).status).toBe(429);
  expect(typesOf(receiver)).toHaveLength(5);
});

it('switched off, no challenge is sent, and held deliveries are released', async () => {
  const api = await buildCaller(stack);
  await untilAnswered(api, (await register(api)).id);
  const eventId = await ingest(api);
  await untilHeld(eventId);

  const { config } = stack;
  const process = await buildApi(config, { delivery: { ...config.delivery, verifiesHosts: false } });
  try {
    await untilStatus(api, eventId, 'delivered');
    const off = apiClient(process.url, api.key);
    const plain = await off.post(ENDPOINTS, { url: `${receiver.url}/plain` });
    expect(plain.body).not.toHaveProperty('verification');
    const asked = await off.post(`${ENDPOINTS}/${plain.body.id}/verify`, undefined);
    expect([asked.status, asked.body.id]).toEqual([200, plain.body.id]);
    expect(asked.body).not.toHaveProperty('verification');
  } finally {
    await process.close();
  }
});

it('a challenge carries neither the credentials nor the headers of the endpoint', async () => {
  const api = await buildCaller(stack);
  const options = { authentication: { type: 'bearer', token: 'tok_123' }, headers: { 'X-Tenant': 'blue' } };
  receiver.answerWith(200, echoText);
  const { id } = (await api.post(ENDPOINTS, { url: receiver.url, options })).body;
  await untilAnswered(api, id);
  await untilStatus(api, await ingest(api), 'delivered');

  const [challenge, delivery] = receiver.requests.map(({ headers }) => [headers.authorization, headers['x-tenant']]);
  expect([challenge, delivery]).toEqual([
    [undefined, undefined],
    ['Bearer tok_123', 'blue'],
  ]);
});
