import { get, type IncomingMessage } from 'node:http';
import { apiClient } from '../support/api-client';
import { buildApi } from '../support/build-api';
import { buildReceiver } from '../support/build-receiver';
import type { Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { buildBrowser, buildDashboardStack, PASSWORD, randomAddress, signedUp, type Browser } from './browser';

let stack: Stack;

beforeAll(async () => {
  stack = await buildDashboardStack();
}, 60_000);

afterAll(() => stack?.close());

interface LiveStream {
  readonly response: IncomingMessage;
  /** Everything that came. */
  text(): string;
  messages(): { event: string; data: Record<string, (string | number)[]> }[];
  hasEnded(): boolean;
  close(): void;
}

const open: LiveStream[] = [];
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

/** Opens a stream as EventSource would. */
async function follow(browser: Browser, url = stack.url): Promise<LiveStream> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let text = '';
  let ended = false;
  const request = get(`${url}/dashboard/api/live`, { headers: { Cookie: cookie, Accept: 'text/event-stream' } });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  response.on('data', (chunk: Buffer) => (text += chunk.toString()));
  response.once('close', () => (ended = true));
  response.on('error', () => (ended = true));
  const stream: LiveStream = {
    response,
    text: () => text,
    hasEnded: () => ended,
    messages: () =>
      [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event, data]) => ({
        event: event!,
        data: JSON.parse(data!),
      })),
    close: () => request.destroy(),
  };
  open.push(stream);
  return stream;
}

const until = (what: () => boolean, timeoutMs?: number) => eventually(async () => what(), Boolean, timeoutMs);

async function isReady(stream: LiveStream): Promise<void> {
  await until(() => stream.messages().some(({ event }) => event === 'ready'));
}

const changed = (stream: LiveStream, kind: string) =>
  stream.messages().flatMap(({ event, data }) => (event === 'change' ? (data[kind] ?? []) : []));

async function newAccount() {
  const account = await signedUp(stack);
  const { key } = (await account.browser.post('/keys', { product: 'weh', label: 'live' })).body;
  return { ...account, api: apiClient(stack.url, key as string) };
}

test('several browsers see an event come and be delivered, and nobody else does', async () => {
  const [mine, others] = [await newAccount(), await newAccount()];
  const receiver = await buildReceiver();
  try {
    const streams = [await follow(mine.browser), await follow(mine.browser)];
    const stranger = await follow(others.browser);
    expect(streams[0]!.response.headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/event-stream/),
      'cache-control': 'no-store',
    });
    await Promise.all([...streams, stranger].map(isReady));

    const endpoint = await mine.browser.post('/webhooks/endpoints', { url: receiver.url });
    await until(() => streams.every((stream) => changed(stream, 'endpoints').includes(endpoint.body.id)));

    const { body } = await mine.api.post('/api/v1/webhooks/events', {
      type: 'order.created',
      data: { secret: 'x1y2' },
    });
    await receiver.waitFor(1);
    // The event itself, and then its delivery.
    await until(() => streams.every((stream) => changed(stream, 'events').length >= 1));
    await until(() => streams.every((stream) => changed(stream, 'events').every((id) => id === body.id)));
    const delivered = await eventually(
      () => mine.browser.get(`/webhooks/events/${body.id}`),
      (answer) => answer.body.status === 'delivered',
    );
    expect(delivered.status).toBe(200);
    for (const stream of streams) expect(stream.text()).not.toContain('x1y2');
    expect(stranger.messages().map(({ event }) => event)).toEqual(['ready']);
  } finally {
    await receiver.close();
  }
}, 60_000);

test('what another process changes is seen', async () => {
  const { browser } = await newAccount();
  const other = await buildApi(stack.config);
  try {
    const stream = await follow(browser, other.url);
    await isReady(stream);
    const { body } = await browser.post('/keys', { product: 'weh', label: 'elsewhere' });
    await until(() => changed(stream, 'keys').includes(body.id));
    await browser.delete(`/keys/${body.id}`);
    await until(() => changed(stream, 'keys').filter((id) => id === body.id).length >= 2);
    expect(stream.hasEnded()).toBe(false);
  } finally {
    await other.close();
  }
}, 60_000);

test('a burst of changes is few messages', async () => {
  const { browser, api, accountId } = await newAccount();
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: accountId }, { $set: { tier: 'enterprise' } });
  const stream = await follow(browser);
  await isReady(stream);
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 150 }, () => api.post('/api/v1/webhooks/events', { type: 'order.created', data: {} })),
  );
  const ids = answers.map(({ body }) => body.id as number);
  await until(() => ids.every((id) => changed(stream, 'events').includes(id)));
  // `ready`, and then at most one in 300 ms.
  expect(stream.messages().length).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 300);
}, 60_000);

test.each([
  ['signs out', async (browser: Browser) => void (await browser.post('/sign-out'))],
  [
    'is revoked',
    async (browser: Browser) => {
      const { body } = await browser.get('/sessions');
      await browser.delete(`/sessions/${body.sessions[0].id}`);
    },
  ],
  [
    'falls idle',
    async (browser: Browser) => {
      const { body } = await browser.get('/sessions');
      const sessions = stack.mongo.db.collection<{ _id: string }>('sessions');
      await sessions.updateOne({ _id: body.sessions[0].id }, [
        { $set: { last_seen_at: { $subtract: ['$last_seen_at', 31 * 60_000] } } },
      ]);
    },
  ],
])('a stream ends when its session %s', async (_how, end) => {
  const { browser } = await signedUp(stack);
  const stream = await follow(browser);
  await isReady(stream);
  await end(browser);
  await until(() => stream.hasEnded(), 10_000);
  expect(stream.messages().at(-1)?.event).toBe('end');
});

test('a password change ends the streams of the other sessions only', async () => {
  const { browser } = await signedUp(stack);
  const { body: me } = await browser.get('/me');
  const other = await signedUpAgain(me.user.email);
  const [kept, ended] = [await follow(browser), await follow(other)];
  await Promise.all([kept, ended].map(isReady));
  const body = { current_password: PASSWORD, new_password: 'copper-lantern-4-orbit' };
  expect((await browser.post('/password', body)).status).toBe(204);
  await until(() => ended.hasEnded(), 10_000);
  expect(kept.hasEnded()).toBe(false);
});

async function signedUpAgain(email: string): Promise<Browser> {
  const browser = buildBrowser(stack.url, { 'X-Forwarded-For': randomAddress() });
  await browser.post('/sign-in', { email, password: PASSWORD });
  return browser;
}

test('a session has at most 12 streams, and nobody without a session has one', async () => {
  const { browser } = await signedUp(stack);
  const streams = [];
  for (let index = 0; index < 12; index += 1) streams.push(await follow(browser));
  expect(streams.map(({ response }) => response.statusCode)).toEqual(streams.map(() => 200));
  expect((await follow(browser)).response.statusCode).toBe(429);
  streams[0]!.close();
  await eventually(
    async () => (await follow(browser)).response.statusCode,
    (status) => status === 200,
  );
  const { browser: out } = await signedUp(stack);
  await out.post('/sign-out');
  expect((await follow(out)).response.statusCode).toBe(401);
});

test('an API that is told to stop ends its streams, and is not held up by them', async () => {
  const { browser } = await signedUp(stack);
  const other = await buildApi(stack.config);
  const stream = await follow(browser, other.url);
  await isReady(stream);
  const startedAt = performance.now();
  await other.close();
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  await until(() => stream.hasEnded());
});
