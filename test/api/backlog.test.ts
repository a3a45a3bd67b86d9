import { expectError } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { buildReceiver } from '../support/build-receiver';
import { FAST_SWEEPERS, useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';

// What waits for an endpoint: a resume sends it at a rate, which can be changed, and a call cancels it.

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

const stack = useStack(FAST_SWEEPERS);
const api = useCaller(stack, 'test');
const receiver = useFixture('file', buildReceiver, (it) => it.close());
const { json, expectRefused } = cliOf(stack);

/** A paused endpoint for which events wait. */
async function paused(count: number): Promise<{ id: string; events: number[] }> {
  const { id } = await api.register({ url: receiver.url, enabled: false });
  if (count === 0) return { id, events: [] };
  const events = Array.from({ length: count }, (_, n) => ({ type: 'order.created', data: { n } }));
  const { body } = await api.post(`${EVENTS}/batch`, { events });
  return { id, events: body.results.map((result: { id: number }) => result.id) };
}
const resume = (id: string, body?: object) => api.post(`${ENDPOINTS}/${id}/resume`, body);
const backlogOf = async (id: string) => (await api.get(`${ENDPOINTS}/${id}`)).body.backlog;
const statusesOf = (events: readonly number[]) =>
  Promise.all(events.map(async (id) => (await api.get(`${EVENTS}/${id}`)).body.status as string));
const actionsOn = async (id: string) =>
  (await stack.mongo.db.collection('audit_log').find({ object: id }).sort({ at: 1 }).toArray()).map(
    ({ action, changes = [] }) => [action, changes.map(({ field }: { field: string }) => field)] as unknown,
  );

it('a resume has a rate, which another resume changes or lifts, and which a pause keeps', async () => {
  // Minutes of work at this rate.
  const { id, events } = await paused(30);

  const { status, body } = await resume(id, { backlog_per_second: 0.1 });
  expect([status, body]).toMatchObject([200, { status: 'active', backlog: { per_second: 0.1 } }]);
  const { since } = body.backlog;
  await eventually(
    () => statusesOf(events),
    (them) => them.includes('delivered'),
  );

  expect((await resume(id)).body.backlog).toEqual({ per_second: 0.1, since });
  expect((await resume(id, {})).body.backlog).toEqual({ per_second: 0.1, since });
  expect((await resume(id, { backlog_per_second: 0.2 })).body.backlog).toEqual({ per_second: 0.2, since });
  await api.post(`${ENDPOINTS}/${id}/pause`);
  expect(await backlogOf(id)).toEqual({ per_second: 0.2, since });
  expect((await resume(id)).body).toMatchObject({ status: 'active', backlog: { per_second: 0.2 } });
  expect(await statusesOf(events)).toContain('pending');

  expect((await resume(id, { backlog_per_second: null })).body.backlog).toBeNull();
  for (const event of events) await api.untilEvent(event, 'delivered');
  expect(await actionsOn(id)).toEqual([
    ['endpoint.created', expect.anything()],
    ['endpoint.resumed', ['status', 'backlog_per_second']],
    ['endpoint.resumed', ['backlog_per_second']],
    ['endpoint.paused', ['status']],
    ['endpoint.resumed', ['status']],
    ['endpoint.resumed', ['backlog_per_second']],
  ]);
});

it('a rate ends where nothing waits, after its shortest time, and a resume without one sets none', async () => {
  const { id } = await paused(0);
  expect((await resume(id)).body.backlog).toBeNull();

  await resume(id, { backlog_per_second: 1 });

  await eventually(
    () => backlogOf(id),
    (backlog) => backlog === null,
  );
});

it.each([
  ['too little', { backlog_per_second: 0 }, 'must be a number from 0.1 to 1000'],
  ['too much', { backlog_per_second: 1_001 }, 'must be a number from 0.1 to 1000'],
  ['an unknown field', { per_second: 1 }, expect.any(String)],
])('a resume refuses %s, and does nothing', async (_what, body, message) => {
  const { id } = await paused(0);

  expectError(await resume(id, body), 400, {
    code: 'invalid_request',
    details: [{ path: Object.keys(body)[0], message }],
  });
  expect((await api.get(`${ENDPOINTS}/${id}`)).body.status).toBe('paused');
});

it('200 with the number of deliveries that were cancelled; later events are delivered', async () => {
  const { id, events } = await paused(3);

  const { status, body } = await api.post(`${ENDPOINTS}/${id}/cancel-deliveries`);

  expect([status, body]).toEqual([200, { endpoint_id: id, cancelled: 3, complete: true }]);
  expect(await statusesOf(events)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect((await api.post(`${ENDPOINTS}/${id}/cancel-deliveries`)).body.cancelled).toBe(0);
  expect((await actionsOn(id)).slice(1)).toEqual([
    ['endpoint.deliveries_cancelled', []],
    ['endpoint.deliveries_cancelled', []],
  ]);
  await resume(id);
  await api.untilEvent((await api.ingest()).id, 'delivered');
});

it('cancels in an ordered endpoint too, and the next event is first in its line', async () => {
  const { id, events } = await paused(2);
  await api.call('PATCH', `${ENDPOINTS}/${id}`, { options: { ordered: true } });
  await api.post(`${ENDPOINTS}/${id}/cancel-deliveries`);
  await resume(id);

  await api.untilEvent((await api.ingest()).id, 'delivered');
  expect(await statusesOf(events)).toEqual(['cancelled', 'cancelled']);
});

it("404 for another account's endpoint", async () => {
  expectError(await api.post(`${ENDPOINTS}/ep_${'0'.repeat(26)}/cancel-deliveries`), 404, 'endpoint_not_found');
});

describe('everpost endpoint', () => {
  it('resume has a rate', async () => {
    const { id } = await paused(3);
    await json('endpoint', 'resume', '--id', id, '--backlog-per-second', '0.1');
    expect(await backlogOf(id)).toMatchObject({ per_second: 0.1 });
  });

  it('resume refuses a rate that is none', async () => {
    const { id } = await paused(0);
    await expectRefused('invalid_request', 'endpoint', 'resume', '--id', id, '--backlog-per-second', 'fast');
  });

  it('cancel-deliveries ends what waits', async () => {
    const { id, events } = await paused(2);
    expect(await json('endpoint', 'cancel-deliveries', '--id', id)).toEqual({ endpoint_id: id, cancelled: 2 });
    expect(await statusesOf(events)).toEqual(['cancelled', 'cancelled']);
  });
});
