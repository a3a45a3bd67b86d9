import { apiClient } from '../support/api-client';
import { buildApi, useApi } from '../support/build-api';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildStranger, PASSWORD, signedUp, useDashboardStack, type Browser } from './browser';
import { followLive } from './follow-live';

const stack = useDashboardStack();
const otherApi = useApi(stack);
const receiver = useReceiver();
const open: { close(): void }[] = [];
afterEach(() => open.splice(0).forEach((stream) => stream.close()));

async function follow(browser: Browser, url = stack.url) {
  const stream = await followLive(browser, url);
  open.push(stream);
  return stream;
}

const until = (what: () => boolean) => eventually(what, Boolean);

async function newAccount() {
  const account = await signedUp(stack);
  const { key } = (await account.browser.post('/keys', { product: 'weh', label: 'live' })).body;
  return { ...account, api: apiClient(stack.url, key as string) };
}

it('several browsers see an event arrive and be delivered, and other accounts see nothing', async () => {
  const [mine, others] = [await newAccount(), await newAccount()];
  const streams = [await follow(mine.browser), await follow(mine.browser)];
  const stranger = await follow(others.browser);
  expect(streams[0]!.response.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/event-stream/),
    'cache-control': 'no-store',
  });
  await Promise.all([...streams, stranger].map((stream) => stream.ready()));

  const endpoint = await mine.browser.post('/webhooks/endpoints', { url: receiver.url });
  await until(() => streams.every((stream) => stream.changed('endpoints').includes(endpoint.body.id)));
  const { body } = await mine.api.post('/api/v1/webhooks/events', { type: 'order.created', data: { secret: 'x1y2' } });
  await eventually(
    () => mine.browser.get(`/webhooks/events/${body.id}`),
    (answer) => answer.body.status === 'delivered',
  );

  // The event itself, and then its delivery.
  await until(() => streams.every((stream) => stream.changed('events').length >= 1));
  for (const stream of streams) {
    expect(new Set(stream.changed('events'))).toEqual(new Set([body.id]));
    expect(stream.text()).not.toContain('x1y2');
  }
  expect(stranger.messages().map(({ event }) => event)).toEqual(['ready']);
});

it('a change made by another process appears', async () => {
  const { browser } = await newAccount();
  const stream = await follow(browser, otherApi.url);
  await stream.ready();

  const { body } = await browser.post('/keys', { product: 'weh', label: 'elsewhere' });
  await until(() => stream.changed('keys').includes(body.id));
  await browser.delete(`/keys/${body.id}`);

  await until(() => stream.changed('keys').filter((id) => id === body.id).length >= 2);
  expect(stream.hasEnded()).toBe(false);
});

it.each([
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
  await stream.ready();
  await end(browser);
  await until(() => stream.hasEnded());
  expect(stream.messages().at(-1)?.event).toBe('end');
});

it('a password change ends the streams of the other sessions only', async () => {
  const { browser } = await signedUp(stack);
  const { body: me } = await browser.get('/me');
  const other = buildStranger(stack);
  await other.post('/sign-in', { email: me.user.email, password: PASSWORD });
  const [kept, ended] = [await follow(browser), await follow(other)];
  await Promise.all([kept, ended].map((stream) => stream.ready()));
  const body = { current_password: PASSWORD, new_password: 'copper-lantern-4-orbit' };
  expect((await browser.post('/password', body)).status).toBe(204);
  await until(() => ended.hasEnded());
  expect(kept.hasEnded()).toBe(false);
});

it('a session has at most 12 streams, and a request without a session gets none', async () => {
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

it('an account has at most 60 streams over all its sessions; other accounts keep theirs', async () => {
  const { browser, email } = await signedUp(stack);
  const full: Browser[] = [browser];
  for (let session = 1; session < 5; session += 1) {
    const more = buildStranger(stack);
    await more.post('/sign-in', { email, password: PASSWORD });
    full.push(more);
  }
  const own = full.flatMap((each) => Array.from({ length: 12 }, () => follow(each)));
  expect((await Promise.all(own)).map(({ response }) => response.statusCode)).toEqual(own.map(() => 200));

  const sixth = buildStranger(stack);
  await sixth.post('/sign-in', { email, password: PASSWORD });
  const refused = await follow(sixth);
  expect(refused.response.statusCode).toBe(429);
  await until(() => refused.text().includes('60 windows of this account'));

  const { browser: other } = await signedUp(stack);
  expect((await follow(other)).response.statusCode).toBe(200);
});

it('an API that stops ends its streams, and does not wait for them', async () => {
  const { browser } = await signedUp(stack);
  const stopping = await buildApi(stack.config);
  const stream = await follow(browser, stopping.url);
  await stream.ready();

  await stopping.close();

  await until(() => stream.hasEnded());
  // The stream ended properly. A stream that delays the process is cut instead.
  expect(stream.response.complete).toBe(true);
});
