import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

// How endpoints do, in the API.

const ENDPOINTS = '/api/v1/webhooks/endpoints';

const stack = useStack({ env: { RETRY_SCHEDULE: '0s,50ms,50ms' } });
const api = useCaller(stack);
const receiver = useReceiver(503);

/** Waits until an endpoint's health shows this many attempts in the last hour. */
async function untilAttempts(id: string, count: number) {
  const { body } = await eventually(
    () => api.get(`${ENDPOINTS}/${id}/health`),
    (answer) => answer.body.health.last_hour.attempts === count,
  );
  return body;
}

it('an endpoint without attempts waits', async () => {
  const { id } = await api.register({ url: receiver.url, events: ['never'] });
  const { status, body } = await api.get(`${ENDPOINTS}/${id}`);
  expect([status, body.health]).toEqual([
    200,
    {
      state: 'waiting',
      since: null,
      failed_in_a_row: 0,
      last_error: null,
      last_success_at: null,
      last_failure_at: null,
      last_hour: { attempts: 0, failed: 0 },
    },
  ]);
});

it('an endpoint whose attempts all fail fails, with the last error; one that succeeds is healthy', async () => {
  const good = await api.register({ url: `${receiver.url}/good`, events: ['mixed.*'] });
  const bad = await api.register({ url: `${receiver.url}/bad`, events: ['mixed.*'] });
  receiver.answerWith(({ path }) => (path.endsWith('/good') ? 200 : 503));
  const { id } = await api.ingest({ type: 'mixed.one' });
  await api.untilEvent(id, 'partially_failed');
  await untilAttempts(good.id, 1);
  const body = await untilAttempts(bad.id, 3);

  expect(body).toMatchObject({
    endpoint_id: bad.id,
    health: {
      state: 'failing',
      failed_in_a_row: 3,
      last_error: {
        code: 'http_status',
        status_code: 503,
        error: 'The receiver answered 503 Service Unavailable.',
        count: 3,
      },
      last_success_at: null,
    },
    window: '24h',
    totals: { attempts: 3, succeeded: 0, failed: 3, retries: 2, failed_by: { http_status: 3 } },
  });
  const { p50, p95, p99 } = body.totals.latency_ms;
  expect(p50 <= p95 && p95 <= p99).toBe(true);
  expect(Date.parse(body.until) - Date.parse(body.health.since)).toBeLessThan(60_000);
  const inSeries = body.series.reduce((sum: number, { attempts }: { attempts: number }) => sum + attempts, 0);
  expect(inSeries).toBe(3);
  const byHour = await api.get(`${ENDPOINTS}/${bad.id}/health?window=30d`);
  expect(byHour.body).toMatchObject({ window: '30d', totals: body.totals });
  for (const { from } of byHour.body.series) expect(from).toMatch(/:00:00\.000Z$/);
  for (const [window, hours] of [
    ['1h', 1],
    ['7d', 168],
  ] as const) {
    const shorter = await api.get(`${ENDPOINTS}/${bad.id}/health?window=${window}`);
    expect(shorter.body).toMatchObject({ window, totals: body.totals });
    const lengthHours = (Date.parse(shorter.body.until) - Date.parse(shorter.body.since)) / 3_600_000;
    expect([Math.ceil(lengthHours), lengthHours > hours - 1]).toEqual([hours, true]);
  }

  const list = await api.get(ENDPOINTS);
  const states = new Map(list.body.endpoints.map((it: { id: string; health: object }) => [it.id, it.health]));
  expect([states.get(good.id), states.get(bad.id)]).toMatchObject([{ state: 'healthy' }, { state: 'failing' }]);
});

it("the account's health counts endpoints by state, and attempts to all of them", async () => {
  const before = (await api.get('/api/v1/webhooks/health')).body;
  const { id } = await api.register({ url: receiver.url, events: ['account.*'] });
  receiver.answerWith(200);
  for (const name of ['one', 'two']) await api.ingest({ type: `account.${name}` });
  await untilAttempts(id, 2);
  await api.post(`${ENDPOINTS}/${id}/pause`);

  const { body } = await api.get('/api/v1/webhooks/health');

  expect(body.totals.succeeded - before.totals.succeeded).toBe(2);
  expect(body.endpoints).toEqual({ ...before.endpoints, paused: before.endpoints.paused + 1 });
});

it('a test event makes one attempt, which counts nowhere, disables nothing and announces nothing', async () => {
  const { id } = await api.register({ url: receiver.url, events: ['real.*'], options: { disable_on_gone: true } });
  await api.register({ url: receiver.url, events: ['everpost.*'] });
  receiver.answerWith(({ body }) => (body.toString().includes('everpost.') ? 200 : 410));
  const { body: test } = await api.post(`${ENDPOINTS}/${id}/test`);
  const delivery = `${test.id}.${id}`;
  expect(await api.untilDelivery(delivery, 'failed')).toMatchObject({ attempt_count: 1, max_attempts: 1 });
  await api.post(`/api/v1/webhooks/deliveries/${delivery}/replay`);
  expect(await api.untilDelivery(delivery, 'failed', 2)).toMatchObject({ attempt_count: 1, attempts_total: 2 });

  receiver.answerWith(({ body }) => (body.toString().includes('everpost.') ? 200 : 503));
  const real = await api.ingest({ type: 'real.one' });
  await api.untilEvent(real.id, 'failed');

  const { health } = await untilAttempts(id, 3);
  expect(health).toMatchObject({ state: 'failing', failed_in_a_row: 3 });
  expect((await api.get(`${ENDPOINTS}/${id}`)).body.status).toBe('active');
  const { body: stats } = await api.get(`${ENDPOINTS}/${id}/stats`);
  expect([stats.deliveries.failed, stats.attempts.total]).toEqual([1, 3]);
  const announced = await eventually(
    () => api.get('/api/v1/webhooks/events?type=everpost.delivery.failed'),
    ({ body }) => body.events.length > 0,
  );
  expect(announced.body.events).toHaveLength(1);
  const { body: event } = await api.get(`/api/v1/webhooks/events/${announced.body.events[0].id}`);
  expect(event.data.event_id).toBe(real.id);
  const explained = await api.get(`/api/v1/webhooks/events/${test.id}/endpoints/${event.deliveries[0].endpoint_id}`);
  expect(explained.body).toMatchObject({ delivery: null, reasons: ['test_event'] });
});

it('an unknown window is refused', async () => {
  const { id } = await api.register({ url: receiver.url, events: ['never'] });
  const { status, body } = await api.get(`${ENDPOINTS}/${id}/health?window=3d`);
  expect([status, body.error]).toEqual([400, expect.stringContaining('1h, 24h, 7d, 30d')]);
});
