import { apiClient, type ApiClient } from '../support/api-client';
import { buildApi } from '../support/build-api';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const REPLAYS = '/api/v1/webhooks/replays';
const DELIVERIES = '/api/v1/webhooks/deliveries';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

let stack: Stack;
let receiver: Receiver;
let api: ApiClient;
let key: string;
let endpointId: string;

// One attempt, so that a refusal fails a delivery for good.
beforeAll(async () => {
  stack = await buildStack({ env: { RETRY_SCHEDULE: '0s' } });
  await stack.role.workerReady;
});

afterAll(() => stack?.close());

beforeEach(async () => {
  receiver = await buildReceiver(500);
  ({ key } = await stack.account());
  api = apiClient(stack.url, key);
  endpointId = (await api.post(ENDPOINTS, { url: receiver.url })).body.id;
});

afterEach(() => receiver.close());

/** Ingests events that fail for good. @returns the ids of their deliveries */
async function failed(count: number, type = 'order.created'): Promise<string[]> {
  const sent = await Promise.all(
    Array.from({ length: count }, () => api.post('/api/v1/webhooks/events', { type, data: {} })),
  );
  await eventually(
    () => api.get(`${DELIVERIES}?endpoint_id=${endpointId}&type=${type}&state=failed&limit=100`),
    ({ body }) => body.deliveries.length >= count,
    30_000,
  );
  return sent.map(({ body }) => `${body.id}.${endpointId}`);
}

function untilEnded(jobId: string) {
  return eventually(
    () => api.get(`${REPLAYS}/${jobId}`),
    ({ body }) => body.state !== 'running',
    30_000,
  );
}

test('a replay sends every failed delivery again, once, and shows its progress', async () => {
  const ids = await failed(20);
  receiver.answerWith(200);

  const created = await api.post(REPLAYS, { filter: {}, rate_per_second: 500 });

  expect(created.status).toBe(202);
  expect(created.headers.get('Location')).toBe(`${REPLAYS}/${created.body.job_id}`);
  expect(created.body).toMatchObject({
    state: 'running',
    filter: { state: 'failed', endpoint_id: null },
    rate_per_second: 500,
    matched: null,
    replayed: 0,
    skipped: 0,
    finished_at: null,
  });
  const { body } = await untilEnded(created.body.job_id);
  expect(body).toMatchObject({ state: 'completed', matched: 20, replayed: 20, skipped: 0 });
  expect(Date.parse(body.finished_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at));
  await receiver.waitFor(40);
  const after = await eventually(
    () => api.get(`${DELIVERIES}?state=delivered&limit=100`),
    (it) => it.body.deliveries.length === 20,
  );
  expect(after.body.deliveries.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  expect(after.body.deliveries.every(({ run }: { run: number }) => run === 2)).toBe(true);
  expect(receiver.requests).toHaveLength(40);
});

test('what fails again because of the replay is not replayed by it again', async () => {
  await failed(8);

  const { body: job } = await api.post(REPLAYS, { filter: { state: 'failed' }, rate_per_second: 2 });

  expect((await untilEnded(job.job_id)).body).toMatchObject({ state: 'completed', matched: 8, replayed: 8 });
  await eventually(
    () => api.get(`${DELIVERIES}?state=failed&limit=100`),
    ({ body }) => body.deliveries.every(({ run }: { run: number }) => run === 2),
  );
  expect(receiver.requests).toHaveLength(16);
});

test('a filter keeps to its type, its endpoint and its times', async () => {
  const before = await failed(2, 'order.created');
  const wanted = await failed(3, 'order.paid');
  receiver.answerWith(200);
  const elsewhere = (await api.post(ENDPOINTS, { url: receiver.url, events: ['never'] })).body.id;

  const nothing = [
    { type: 'order.paid', endpoint_id: elsewhere },
    { type: 'order.paid', before: '2020-01-01T00:00:00Z' },
    { type: 'order.paid', completed_after: '2100-01-01T00:00:00Z' },
    { type: 'order.paid', state: 'cancelled' },
  ];
  for (const filter of nothing) {
    const { body } = await api.post(REPLAYS, { filter, rate_per_second: 500 });
    expect((await untilEnded(body.job_id)).body).toMatchObject({ matched: 0, replayed: 0 });
  }
  const filter = { type: 'order.paid', endpoint_id: endpointId, after: '2020-01-01T00:00:00Z' };
  const { body } = await api.post(REPLAYS, { filter, rate_per_second: 500 });

  expect((await untilEnded(body.job_id)).body).toMatchObject({ matched: 3, replayed: 3 });
  const untouched = await Promise.all(before.map((id) => api.get(`${DELIVERIES}/${id}`)));
  expect(untouched.map((it) => it.body.run)).toEqual([1, 1]);
  const replayed = await Promise.all(wanted.map((id) => api.get(`${DELIVERIES}/${id}`)));
  expect(replayed.map((it) => it.body.run)).toEqual([2, 2, 2]);
});

test('recover sends again what failed at an endpoint since a time', async () => {
  const ids = await failed(3);
  const second = (await api.get(`${DELIVERIES}/${ids[1]}`)).body;
  const inOrder = (await Promise.all(ids.map((id) => api.get(`${DELIVERIES}/${id}`)))).map(
    (it) => it.body.completed_at,
  );
  receiver.answerWith(200);

  const path = `${ENDPOINTS}/${endpointId}/recover`;
  const created = await api.post(path, { since: second.completed_at, rate_per_second: 500 });

  expect(created.status).toBe(202);
  expect(created.body.filter).toMatchObject({
    state: 'failed',
    endpoint_id: endpointId,
    completed_after: second.completed_at,
    completed_before: null,
  });
  const since = inOrder.filter((at) => at >= second.completed_at).length;
  expect((await untilEnded(created.body.job_id)).body).toMatchObject({ matched: since, replayed: since });

  const rest = await api.post(path, { since: '2020-01-01T00:00:00Z', until: second.completed_at });
  expect((await untilEnded(rest.body.job_id)).body).toMatchObject({ matched: 3 - since, replayed: 3 - since });
});

test('deliveries to an endpoint that was removed are skipped', async () => {
  await failed(3);
  await api.call('DELETE', `${ENDPOINTS}/${endpointId}`);

  const { body: job } = await api.post(REPLAYS, { filter: {} });

  expect((await untilEnded(job.job_id)).body).toMatchObject({
    state: 'completed',
    matched: 3,
    replayed: 0,
    skipped: 3,
  });
  expect(receiver.requests).toHaveLength(3);
});

test('to a paused endpoint the runs wait for its resume', async () => {
  await failed(3);
  receiver.answerWith(200);
  await api.post(`${ENDPOINTS}/${endpointId}/pause`);

  const { body: job } = await api.post(REPLAYS, { filter: { endpoint_id: endpointId } });
  expect((await untilEnded(job.job_id)).body).toMatchObject({ matched: 3, replayed: 3 });
  expect(receiver.requests).toHaveLength(3);
  await api.post(`${ENDPOINTS}/${endpointId}/resume`);

  await receiver.waitFor(6, 90_000);
}, 120_000);

test('a delivery that somebody replays while the job runs is sent once', async () => {
  const ids = await failed(12);
  receiver.answerWith(200);

  const { body: job } = await api.post(REPLAYS, { filter: {}, rate_per_second: 3 });
  const byHand = await api.post(`${DELIVERIES}/${ids.at(-1)}/replay`);

  const { body } = await untilEnded(job.job_id);
  expect(body.matched).toBe(body.replayed + body.skipped);
  await eventually(
    () => api.get(`${DELIVERIES}?state=delivered&limit=100`),
    (it) => it.body.deliveries.length === 12,
  );
  expect(byHand.status).toBe(202);
  expect(receiver.requests).toHaveLength(24);
});

test('a cancelled replay begins nothing more; what it has begun goes on', async () => {
  await failed(20);
  receiver.answerWith(200);
  const { body: job } = await api.post(REPLAYS, { filter: {}, rate_per_second: 2 });
  await receiver.waitFor(22);

  const cancelled = await api.post(`${REPLAYS}/${job.job_id}/cancel`);

  expect(cancelled.status).toBe(202);
  expect(cancelled.body).toMatchObject({ job_id: job.job_id, state: 'cancelled' });
  const again = await api.post(`${REPLAYS}/${job.job_id}/cancel`);
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ code: 'replay_finished', error: 'This replay is cancelled already.' });
  const { body } = await eventually(
    () => api.get(`${DELIVERIES}?limit=100`),
    (it) => it.body.deliveries.every(({ state }: { state: string }) => state !== 'pending'),
  );
  const begun = body.deliveries.filter(({ run }: { run: number }) => run === 2).length;
  expect(begun).toBeLessThan(20);
  expect(receiver.requests).toHaveLength(20 + begun);
  const after = await eventually(
    () => api.get(`${REPLAYS}/${job.job_id}`),
    (it) => it.body.replayed === begun,
  );
  expect(after.body.state).toBe('cancelled');
});

test('taken in while Temporal is away, a replay is done when it is back', async () => {
  await failed(3);
  receiver.answerWith(200);
  const { config } = stack;
  const apart = await buildApi({ ...config, temporal: { ...config.temporal, address: '127.0.0.1:1' } });
  try {
    const created = await apiClient(apart.url, key).post(REPLAYS, { filter: {} });
    expect(created.status).toBe(202);

    expect((await untilEnded(created.body.job_id)).body).toMatchObject({ state: 'completed', replayed: 3 });
  } finally {
    await apart.close();
  }
});

test("another account's replay and one that does not exist are the same 404", async () => {
  const { body: job } = await api.post(REPLAYS, { filter: {} });
  const stranger = apiClient(stack.url, (await stack.account()).key);

  for (const id of [job.job_id, `rpl_${'0'.repeat(26)}`]) {
    for (const { status, body } of [
      await stranger.get(`${REPLAYS}/${id}`),
      await stranger.post(`${REPLAYS}/${id}/cancel`),
    ]) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: 'There is no replay with this id.', code: 'replay_not_found' });
    }
  }
  expect((await stranger.get(REPLAYS)).body.replays).toEqual([]);
});

test("another account's endpoint can't be recovered or replayed: 404 as for one that does not exist", async () => {
  await failed(1);
  const stranger = apiClient(stack.url, (await stack.account()).key);

  for (const id of [endpointId, `ep_${'0'.repeat(26)}`]) {
    for (const { status, body } of [
      await stranger.post(`${ENDPOINTS}/${id}/recover`, { since: '2020-01-01T00:00:00Z' }),
      await stranger.post(REPLAYS, { filter: { endpoint_id: id } }),
    ]) {
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: 'There is no endpoint with this id.', code: 'endpoint_not_found' });
    }
  }
  expect(receiver.requests).toHaveLength(1);
});

test('replays are listed newest first, page by page', async () => {
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) made.unshift((await api.post(REPLAYS, { filter: {} })).body.job_id);

  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: { replays: { job_id: string }[]; next_cursor: string | null } } = await api.get(
      `${REPLAYS}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen.push(...body.replays.map(({ job_id: id }) => id));
    cursor = body.next_cursor;
  }

  expect(seen).toEqual(made);
});

test('an account has ten running at most', async () => {
  await failed(40);
  const slow = { filter: {}, rate_per_second: 1 };
  for (let count = 0; count < 10; count += 1) expect((await api.post(REPLAYS, slow)).status).toBe(202);

  const { status, body } = await api.post(REPLAYS, slow);

  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 'replay_limit_reached' });
  for (const { job_id: id } of (await api.get(`${REPLAYS}?limit=100`)).body.replays) {
    await api.post(`${REPLAYS}/${id}/cancel`);
  }
}, 60_000);

test.each([
  [REPLAYS, {}, 'filter'],
  [REPLAYS, { filter: { state: 'pending' } }, 'filter.state'],
  [REPLAYS, { filter: { type: 'order.*' } }, 'filter.type'],
  [REPLAYS, { filter: { endpoint_id: 'x' } }, 'filter.endpoint_id'],
  [REPLAYS, { filter: { after: 'yesterday' } }, 'filter.after'],
  [REPLAYS, { filter: { before: '9999-12-31T23:59:59-00:01' } }, 'filter.before'],
  [REPLAYS, { filter: { completed_after: '0000-01-01T00:00:00+00:01' } }, 'filter.completed_after'],
  [REPLAYS, { filter: { since: '2020-01-01T00:00:00Z' } }, 'filter.since'],
  [REPLAYS, { filter: {}, rate_per_second: 0 }, 'rate_per_second'],
  [REPLAYS, { filter: {}, rate_per_second: 501 }, 'rate_per_second'],
  [`${ENDPOINTS}/ep_${'0'.repeat(26)}/recover`, {}, 'since'],
  [`${ENDPOINTS}/ep_${'0'.repeat(26)}/recover`, { since: 'x' }, 'since'],
])('%s with %j answers 400 and says what is wrong', async (path, sent, field) => {
  const { status, body } = await api.post(path, sent);

  expect(status).toBe(400);
  expect(body.details).toMatchObject([{ path: field }]);
});
