import { expectError } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { FAST_SWEEPERS, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';

interface Stored {
  readonly _id: string;
  readonly due_at: Date | null;
  readonly claimed_by: string | null;
}

// A running replay changes its rate, pauses and goes on; and deliveries that are still retried get their attempt now.

const REPLAYS = '/api/v1/webhooks/replays';
const DELIVERIES = '/api/v1/webhooks/deliveries';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

const stack = useStack(FAST_SWEEPERS);
const receiver = useReceiver(500);
const api = useCaller(stack, 'test');
const { json, expectRefused } = cliOf(stack);

beforeAll(() => stack.role.workerReady);

/** Has the first attempts of new deliveries fail. @param schedule of the endpoint */
async function failing(count: number, schedule: readonly number[]): Promise<string> {
  const { id } = await api.register({ url: receiver.url, options: { retry_schedule: schedule } });
  const events = Array.from({ length: count }, (_, n) => ({ type: 'order.created', data: { n } }));
  await api.post('/api/v1/webhooks/events/batch', { events });
  await untilIn(id, schedule.length > 1 ? 'retrying' : 'failed', count);
  return id;
}
const deliveriesIn = async (endpointId: string, state: string) =>
  (await api.get(`${DELIVERIES}?endpoint_id=${endpointId}&state=${state}&limit=100`)).body.deliveries as object[];
const untilIn = (endpointId: string, state: string, count: number) =>
  eventually(
    () => deliveriesIn(endpointId, state),
    (them) => them.length === count,
  );
const start = async (filter: object, rate: number): Promise<string> =>
  (await api.post(REPLAYS, { filter, rate_per_second: rate })).body.job_id;
const change = (id: string, body: object) => api.call('PATCH', `${REPLAYS}/${id}`, body);
const untilEnded = async (id: string) =>
  (
    await eventually(
      () => api.get(`${REPLAYS}/${id}`),
      ({ body }) => body.state !== 'running',
    )
  ).body;
const stored = (id: string) => stack.mongo.db.collection<Stored>('replays').findOne({ _id: id });
const untilLeft = (id: string) =>
  eventually(
    () => stored(id),
    (job) => job?.due_at === null && job.claimed_by === null,
  );

it('a replay is paused, and goes on from its place at another rate', async () => {
  const endpointId = await failing(20, [0]);
  receiver.answerWith(200);
  const id = await start({ endpoint_id: endpointId }, 1);
  await receiver.waitFor(21);

  const paused = await change(id, { paused: true });

  expect([paused.status, paused.body]).toMatchObject([200, { state: 'running', paused: true, rate_per_second: 1 }]);
  // No process has it, and none finds it.
  const left = await untilLeft(id);
  expect(left).toMatchObject({ state: 'running', page: null });
  const begun = (await api.get(`${REPLAYS}/${id}`)).body.replayed;
  expect(begun).toBeLessThan(20);
  expect((await change(id, { paused: true, rate_per_second: 500 })).body).toMatchObject({ rate_per_second: 500 });
  expect((await stored(id))!.due_at).toBeNull();

  expect((await change(id, { paused: false })).body).toMatchObject({ paused: false });

  expect(await untilEnded(id)).toMatchObject({ state: 'completed', paused: false, matched: 20, replayed: 20 });
  await untilIn(endpointId, 'delivered', 20);
  expect(receiver.requests).toHaveLength(40);
  const entries = await stack.mongo.db.collection('audit_log').find({ object: id }).sort({ at: 1 }).toArray();
  expect(entries.map(({ action, changes }) => [action, changes] as unknown)).toEqual([
    ['replay.started', undefined],
    ['replay.changed', [{ field: 'paused', from: 'false', to: 'true' }]],
    ['replay.changed', [{ field: 'rate_per_second', from: '1', to: '500' }]],
    ['replay.changed', [{ field: 'paused', from: 'true', to: 'false' }]],
  ]);
});

it('a paused replay can be cancelled; one that has ended can not be changed', async () => {
  const endpointId = await failing(20, [0]);
  const id = await start({ endpoint_id: endpointId }, 1);
  await change(id, { paused: true });
  expect((await api.post(`${REPLAYS}/${id}/cancel`)).body).toMatchObject({ state: 'cancelled', paused: false });

  expectError(await change(id, { paused: false }), 409, {
    code: 'replay_finished',
    error: 'This replay is cancelled already.',
  });
});

it.each([
  [{ rate_per_second: 0 }, 'rate_per_second'],
  [{ rate_per_second: 501 }, 'rate_per_second'],
  [{ paused: 'yes' }, 'paused'],
  [{ state: 'paused' }, 'state'],
])('%j is refused', async (body, path) => {
  expectError(await change(`rpl_${'0'.repeat(26)}`, body), 400, { details: [expect.objectContaining({ path })] });
});

it("404 for another account's replay", async () => {
  const id = await start({}, 1);
  const other = await buildCaller(stack);

  expectError(await other.call('PATCH', `${REPLAYS}/${id}`, { paused: true }), 404, 'replay_not_found');
});

describe('a replay of what is retrying', () => {
  it('makes the next attempt of each now, in the same run', async () => {
    const endpointId = await failing(5, [0, 3_600, 3_600]);
    receiver.answerWith(200);

    const id = await start({ state: 'retrying', endpoint_id: endpointId }, 500);

    expect(await untilEnded(id)).toMatchObject({ state: 'completed', matched: 5, replayed: 5, skipped: 0 });
    const delivered = await untilIn(endpointId, 'delivered', 5);
    expect(delivered).toEqual(delivered.map(() => expect.objectContaining({ run: 1, attempt_count: 2 })));
    expect(receiver.requests).toHaveLength(10);
  });

  it('leaves those that still fail to their schedule', async () => {
    const endpointId = await failing(3, [0, 3_600, 3_600]);

    await untilEnded(await start({ state: 'retrying', endpoint_id: endpointId }, 500));

    await receiver.waitFor(6);
    const again = await eventually(
      () => deliveriesIn(endpointId, 'retrying'),
      (them) => them.every((it) => (it as { attempt_count: number }).attempt_count === 2),
    );
    expect(again).toHaveLength(3);
  });

  it('skips those whose endpoint is paused', async () => {
    const endpointId = await failing(3, [0, 3_600, 3_600]);
    receiver.answerWith(200);
    await api.post(`${ENDPOINTS}/${endpointId}/pause`);

    const id = await start({ state: 'retrying', endpoint_id: endpointId }, 500);

    expect(await untilEnded(id)).toMatchObject({ state: 'completed', matched: 3, replayed: 0, skipped: 3 });
    expect(receiver.requests).toHaveLength(3);
  });

  it('refuses times at which they finished', async () => {
    const filter = { state: 'retrying', completed_after: '2026-11-21T06:00:00Z' };

    expectError(await api.post(REPLAYS, { filter }), 400, {
      details: [{ path: 'filter.completed_after', message: 'must be left out: what is retrying has not finished' }],
    });
  });
});

it('everpost replay pauses, resumes and changes the rate', async () => {
  const endpointId = await failing(3, [0]);
  const id = await start({ endpoint_id: endpointId }, 1);

  expect(await json('replay', 'pause', '--id', id)).toMatchObject({ job_id: id, paused: 'yes' });
  expect(await json('replay', 'set-rate', '--id', id, '--rate', '20')).toMatchObject({ rate_per_second: 20 });
  expect(await json('replay', 'resume', '--id', id)).toMatchObject({ paused: 'no' });
  await expectRefused('invalid_request', 'replay', 'set-rate', '--id', id, '--rate', '0');
  expect(await untilEnded(id)).toMatchObject({ replayed: 3 });
});
