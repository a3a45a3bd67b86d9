import { apiClient } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';
import { createDeliveryCountStore } from '../../src/stores/delivery-count-store';

// GET /api/v1/reports/deliveries: what became of a month's deliveries.

const REPORT = '/api/v1/reports/deliveries';
const TIERS = [
  { id: 'priced', name: 'Priced', monthlyQuota: 10_000, perMinute: 1_000, pricePer1000: '1500.00' },
  { id: 'plenty', name: 'Plenty', monthlyQuota: 10_000, perMinute: 1_000 },
];

const stack = useStack({ env: { RETRY_SCHEDULE: '0s,50ms', TIERS: JSON.stringify(TIERS) } });
const api = useCaller(stack);
const receiver = useReceiver();

const { json, expectRefused } = cliOf(stack);

const untilCounted = (failed: number, delivered: number, query = '') =>
  eventually(
    () => api.get(`${REPORT}?${query}`),
    ({ body }) => body.totals.failed === failed && body.totals.delivered === delivered,
  ).then(({ body }) => body);

it('counts deliveries by endpoint, type, key and day, each once; a replay that delivers recovers what had failed', async () => {
  const good = await api.register({ url: `${receiver.url}/good`, events: ['report.*'], description: 'Billing' });
  const bad = await api.register({ url: `${receiver.url}/bad`, events: ['report.*'] });
  receiver.answerWith(({ path }) => (path.endsWith('/good') ? 200 : 503));
  const { id } = await api.ingest({ type: 'report.one' });
  const { id: second } = await api.ingest({ type: 'report.two' });
  for (const event of [id, second]) await api.untilEvent(event, 'partially_failed');

  const report = await untilCounted(2, 2, 'by=endpoint');
  expect(report.totals).toMatchObject({ accepted: 4, delivered: 2, failed: 2, recovered: 0, delivered_share: 0.5 });
  const rowOf = (row: string) => report.rows.find((it: { id: string }) => it.id === row);
  expect(rowOf(good.id)).toMatchObject({ name: 'Billing', accepted: 2, delivered: 2, failed: 0, delivered_share: 1 });
  expect(rowOf(bad.id)).toMatchObject({ name: bad.url, delivered: 0, failed: 2, time_to_delivered_ms: null });
  const { p50, p95 } = rowOf(good.id).time_to_delivered_ms;
  expect(p50 > 0 && p50 <= p95).toBe(true);
  expect(report).toMatchObject({ other: null, cost: null, month_before: { accepted: 0, delivered_share: null } });

  const byType = await untilCounted(2, 2, 'by=type');
  expect(byType.rows.map((row: { id: string; failed: number }) => [row.id, row.failed])).toEqual([
    ['report.one', 1],
    ['report.two', 1],
  ]);
  const byKey = await untilCounted(2, 2, 'by=key');
  expect(byKey.rows).toMatchObject([{ id: expect.stringMatching(/^key_/), name: 'test', delivered: 2, failed: 2 }]);
  const byDay = await untilCounted(2, 2, 'by=day');
  expect(byDay.rows.reduce((sum: number, row: { accepted: number }) => sum + row.accepted, 0)).toBe(4);

  // A replay of what was delivered counts as nothing, and of what had failed as recovered.
  receiver.answerWith(200);
  for (const endpoint of [good.id, bad.id]) {
    const replay = await api.post(`/api/v1/webhooks/deliveries/${id}.${endpoint}/replay`);
    expect(replay.status).toBe(202);
  }
  await eventually(
    () => api.get(REPORT),
    ({ body }) => body.totals.recovered === 1,
  );
  expect(await untilCounted(2, 2)).toMatchObject({ totals: { accepted: 4, recovered: 1 } });

  const { status, headers, text } = await csvOf('by=endpoint');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(text.split('\r\n')[0]).toMatch(/^"month","by","id","name","accepted","delivered"/);
  expect(text).toContain(`"${good.id}","Billing","2","2","0","0","1"`);
  expect(text).toContain('"total","","4","2","2","1","0.5"');
});

it('the operator reads the same at the command line, which refuses what is no month', async () => {
  const report = await untilCounted(2, 2, 'by=type');
  const rows = await json<{ id: string; failed: number }[]>('report', api.accountId, '--by', 'type');
  expect(rows.map(({ id, failed }) => [id, failed])).toEqual([
    ...report.rows.map(({ id, failed }: { id: string; failed: number }) => [id, failed]),
    ['total', 2],
  ]);
  await expectRefused('invalid_request', 'report', api.accountId, '--month', '2026-13');
});

async function csvOf(query: string) {
  const answer = await fetch(`${stack.url}${REPORT}.csv?${query}`, { headers: { authorization: `Bearer ${api.key}` } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

it('the month before is also counted up to the same day, and what is in no row is other', async () => {
  const { accountId, key } = await stack.account({ tier: 'priced' });
  const counts = { accepted: 1, delivered: 1, failed: 0, recovered: 0, times: { '40': 1 } };
  const reader = apiClient(stack.url, key);
  const { body: now } = await reader.get(`${REPORT}?by=day`);
  const before = new Date(Date.UTC(Number(now.month.slice(0, 4)), Number(now.month.slice(5)) - 2, 1));
  const monthBefore = before.toISOString().slice(0, 7);
  const account = { accountId, group: 'account' as const, name: '', counts };
  await createDeliveryCountStore(stack.mongo.db).add([
    { ...account, period: `${monthBefore}-01` },
    { ...account, period: `${now.month}-01` },
    ...Array.from({ length: 101 }, (_, n) => ({
      ...account,
      group: 'type' as const,
      period: now.month as string,
      name: `=type.${n}`,
    })),
    { ...account, period: `${now.month}-01`, counts: { ...counts, delivered: 101, accepted: 101 } },
  ]);

  const { body } = await reader.get(`${REPORT}?by=type`);
  expect(body.rows).toHaveLength(100);
  expect(body).toMatchObject({
    totals: { accepted: 102, delivered: 102 },
    month_before: { delivered: 1 },
    month_before_to_date: { delivered: 1 },
    other: { accepted: 2, delivered: 2 },
    cost: { price_per_1000_calls: '1500.00', calls: 2, amount: 3 },
  });
  const past = await reader.get(`${REPORT}?by=type&month=${monthBefore}`);
  expect(past.body).toMatchObject({ totals: { delivered: 1 }, rows: [], other: { delivered: 1 }, cost: null });
  const answer = await fetch(`${stack.url}${REPORT}.csv?by=type`, { headers: { authorization: `Bearer ${key}` } });
  expect(await answer.text()).toContain(`"'=type.1"`);
});

it('needs its scope, and says what a month is', async () => {
  const { key } = await stack.account({ tier: 'plenty', scopes: ['events:read'] });
  expect((await apiClient(stack.url, key).get(REPORT)).body).toMatchObject({ code: 'missing_scope' });
  const { body } = await api.get(`${REPORT}?month=2026-13`);
  expect(body).toMatchObject({ details: [{ path: 'month', message: 'must be a month such as 2026-11' }] });
});
