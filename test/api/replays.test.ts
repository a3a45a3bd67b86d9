import { apiClient, expectError, statusesOf } from '../support/api-client';
import { buildApiWithoutTemporal } from '../support/build-api';
import { buildCaller, useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { FAST_SWEEPERS, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const REPLAYS = '/api/v1/webhooks/replays';
const DELIVERIES = '/api/v1/webhooks/deliveries';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

// One attempt, so that one refusal makes a delivery `failed`.
const stack = useStack({ env: { RETRY_SCHEDULE: '0s' }, ...FAST_SWEEPERS });
const receiver = useReceiver(500);
const api = useCaller(stack, 'test');
let endpointId: string;

beforeAll(() => stack.role.workerReady);

beforeEach(async () => {
  endpointId = (await api.register({ url: receiver.url })).id;
});

/** Ingests events whose deliveries fail. @returns the ids of their deliveries */
async function failed(count: number, type = 'order.created'): Promise<string[]> {
  const sent = await Promise.all(Array.from({ length: count }, () => api.ingest({ type })));
  await eventually(
    () => api.get(`${DELIVERIES}?endpoint_id=${endpointId}&type=${type}&state=failed&limit=100`),
    ({ body }) => body.deliveries.length >= count,
  );
  return sent.map(({ id }) => `${id}.${endpointId}`);
}

function untilEnded(jobId: string) {
  return eventually(
    () => api.get(`${REPLAYS}/${jobId}`),
    ({ body }) => body.state !== 'running',
  );
}

it('a replay sends every failed delivery again, once, and shows its progress', async () => {
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
  expect(body.finished_at >= body.created_at).toBe(true);
  await receiver.waitFor(40);
  const after = await eventually(
    () => api.get(`${DELIVERIES}?state=delivered&limit=100`),
    (it) => it.body.deliveries.length === 20,
  );
  expect(after.body.deliveries.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  expect(after.body.deliveries.every(({ run }: { run: number }) => run === 2)).toBe(true);
  expect(receiver.requests).toHaveLength(40);
});

it('the outcomes of a replay can be listed, until another replay sends its deliveries again', async () => {
  const ids = await failed(3);
  receiver.answerWith((_request, count) => (count === 4 ? 500 : 200));
  const { body: job } = await api.post(REPLAYS, { filter: {}, rate_per_second: 500 });
  await untilEnded(job.job_id);
  const listed = async (query: string): Promise<string[]> => {
    const { body } = await api.get(`${DELIVERIES}?replay_id=${job.job_id}${query}`);
    return body.deliveries.map(({ id }: { id: string }) => id);
  };

  const again = await eventually(
    () => listed('&state=failed'),
    (found) => found.length === 1,
  );
  await eventually(
    () => listed('&state=delivered'),
    (found) => found.length === 2,
  );
  expect((await listed('')).sort()).toEqual([...ids].sort());
  expect(await listed('&state=open')).toEqual([]);
  expect(await listed(`&state=delivered&endpoint_id=ep_${'0'.repeat(26)}`)).toEqual([]);
  const stranger = await buildCaller(stack);
  expect((await stranger.get(`${DELIVERIES}?replay_id=${job.job_id}`)).body.deliveries).toEqual([]);

  await api.post(`${DELIVERIES}/${again[0]}/replay`, {});
  expect(await listed('&state=failed')).toEqual([]);
});

it('a filter limits it to a type, an endpoint and a period', async () => {
  const before = await failed(2, 'order.created');
  const wanted = await failed(3, 'order.paid');
  receiver.answerWith(200);
  const elsewhere = (await api.register({ url: receiver.url, events: ['never'] })).id;

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

it('recover sends again what failed at an endpoint since a given time', async () => {
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

it('deliveries to a removed endpoint are skipped', async () => {
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

it('runs to a paused endpoint wait for the resume', async () => {
  await failed(3);
  receiver.answerWith(200);
  await api.post(`${ENDPOINTS}/${endpointId}/pause`);

  const { body: job } = await api.post(REPLAYS, { filter: { endpoint_id: endpointId } });
  expect((await untilEnded(job.job_id)).body).toMatchObject({ matched: 3, replayed: 3 });
  expect(receiver.requests).toHaveLength(3);
  await api.post(`${ENDPOINTS}/${endpointId}/resume`);

  await receiver.waitFor(6);
});

it('a cancelled replay starts no more deliveries; those already started continue', async () => {
  await failed(20);
  receiver.answerWith(200);
  const { body: job } = await api.post(REPLAYS, { filter: {}, rate_per_second: 2 });
  await receiver.waitFor(22);

  const cancelled = await api.post(`${REPLAYS}/${job.job_id}/cancel`);

  expect(cancelled.status).toBe(202);
  expect(cancelled.body).toMatchObject({ job_id: job.job_id, state: 'cancelled' });
  const again = await api.post(`${REPLAYS}/${job.job_id}/cancel`);
  expectError(again, 409, { code: 'replay_finished', error: 'This replay is cancelled already.' });
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

it('a replay requested while Temporal is down runs when Temporal is back', async () => {
  await failed(3);
  receiver.answerWith(200);
  const apart = await buildApiWithoutTemporal(stack);

  const created = await apiClient(apart.url, api.key).post(REPLAYS, { filter: {} });

  expect(created.status).toBe(202);
  expect((await untilEnded(created.body.job_id)).body).toMatchObject({ state: 'completed', replayed: 3 });
  await apart.close();
});

it('replays are listed newest first, in pages', async () => {
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

describe('where no worker runs them', () => {
  const withoutWorker = useStack({ role: 'api' });
  const caller = useCaller(withoutWorker);

  it('an account has at most ten running, however many are started at once', async () => {
    const start = () => caller.post(REPLAYS, { filter: {} });
    const answers = await Promise.all(Array.from({ length: 20 }, start));
    // Twenty transactions on one account: on a busy machine MongoDB refuses some in time (503).
    expect([202, 409, 503]).toEqual(expect.arrayContaining(statusesOf(answers)));

    const refused = await eventually(start, ({ status }) => status === 409);
    expectError(refused, 409, 'replay_limit_reached');
    const { body } = await caller.get(`${REPLAYS}?limit=100`);
    expect(body.replays).toHaveLength(10);
  });
});

it.each([
  [REPLAYS, {}, 'filter'],
  [REPLAYS, { filter: { state: 'pending' } }, 'filter.state'],
  [REPLAYS, { filter: { type: 'order..*' } }, 'filter.type'],
  [REPLAYS, { filter: { endpoint_id: 'ep_x' } }, 'filter.endpoint_id'],
  [REPLAYS, { filter: { after: 'yesterday' } }, 'filter.after'],
  [REPLAYS, { filter: { before: '9999-12-31T23:59:59-00:01' } }, 'filter.before'],
  [REPLAYS, { filter: { completed_after: '0000-01-01T00:00:00+00:01' } }, 'filter.completed_after'],
  [REPLAYS, { filter: { since: '2020-01-01T00:00:00Z' } }, 'filter.since'],
  [REPLAYS, { filter: { after: '2026-01-02T00:00:00Z', before: '2026-01-01T00:00:00Z' } }, 'filter.before'],
  [
    REPLAYS,
    { filter: { completed_after: '2026-01-01T00:00:00Z', completed_before: '2026-01-01T00:00:00Z' } },
    'filter.completed_before',
  ],
  [REPLAYS, { filter: {}, rate_per_second: 0 }, 'rate_per_second'],
  [REPLAYS, { filter: {}, rate_per_second: 501 }, 'rate_per_second'],
  [`${ENDPOINTS}/ep_${'0'.repeat(26)}/recover`, {}, 'since'],
  [`${ENDPOINTS}/ep_${'0'.repeat(26)}/recover`, { since: 'x' }, 'since'],
  [
    `${ENDPOINTS}/ep_${'0'.repeat(26)}/recover`,
    { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
    'until',
  ],
])('%s with %j answers 400 and says what is wrong', async (path, sent, field) => {
  const details = [expect.objectContaining({ path: field })];

  expectError(await api.post(path, sent), 400, { details });
});
