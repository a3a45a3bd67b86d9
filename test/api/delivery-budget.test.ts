import { apiClient } from '../support/api-client';
import { useApi } from '../support/build-api';
import { useStack } from '../support/build-stack';
import { limitsOf } from '../support/limit-counters';

const tier = { id: 'ten', name: 'Ten deliveries', monthlyQuota: 1_000, perMinute: 100, deliveriesPerMinute: 10 };
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify([tier]) } });
const otherApi = useApi(stack);
const EVENTS = '/api/v1/webhooks/events';

/** An account with 10 deliveries a minute and this many endpoints for every event. */
async function account(endpoints: number) {
  const { key, accountId } = await stack.account({ tier: 'ten' });
  const api = apiClient(stack.url, key);
  for (let slot = 0; slot < endpoints; slot += 1) {
    await api.post('/api/v1/webhooks/endpoints', { url: `https://example.com/${slot}`, events: ['order.*'] });
  }
  const ingest = (more: object = {}) => api.post(EVENTS, { type: 'order.created', data: {}, ...more });
  return { ...api, key, accountId, ingest };
}

/** As if the minute of the account's deliveries were over. */
async function endMinute(accountId: string): Promise<void> {
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: accountId }, { $set: { 'deliveries.window_started_at': new Date(0) } });
}

it('each destination counts; 429 says why, and takes nothing from the quota', async () => {
  const api = await account(5);

  const answers = [await api.ingest(), await api.ingest(), await api.ingest()];

  expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
  const refused = answers.at(-1)!;
  expect(refused.body).toEqual({
    error: expect.stringContaining('10 deliveries a minute'),
    code: 'delivery_budget_exceeded',
    retry_after: expect.any(Number),
    remaining: 0,
    delivery_limit: 10,
    reset_at: expect.any(String),
    request_id: expect.any(String),
  });
  expect(refused.headers.get('Retry-After')).toBe(String(refused.body.retry_after));
  expect(limitsOf(refused)).toMatchObject({ limit: 100 });
  const used = limitsOf(answers[1]!).used;
  expect(limitsOf(await api.get('/api/v1/keys/self')).used).toBe(used + 1);
});

it('an event with more destinations than the budget is accepted, and uses up the rest of the minute', async () => {
  const api = await account(12);

  expect((await api.ingest()).body).toMatchObject({ deliveries: 12 });
  expect((await api.ingest()).status).toBe(429);
});

it('an event without a destination costs nothing', async () => {
  const api = await account(10);
  await api.ingest();

  expect((await api.ingest()).status).toBe(429);
  expect((await api.ingest({ type: 'invoice.paid' })).status).toBe(202);
});

it('a repeated event gets its original answer although the budget is used up, and costs nothing', async () => {
  const api = await account(5);
  const first = await api.ingest({ idempotency_key: 'one' });
  const repeat = await api.ingest({ idempotency_key: 'one' });
  await api.ingest();

  const late = await api.ingest({ idempotency_key: 'one' });

  for (const { status, body } of [repeat, late]) expect([status, body.id]).toEqual([200, first.body.id]);
  expect((await api.ingest()).status).toBe(429);
});

it('a refused event is accepted later under the same idempotency key', async () => {
  const api = await account(10);
  await api.ingest();
  expect((await api.ingest({ idempotency_key: 'late' })).status).toBe(429);
  await endMinute(api.accountId);

  const accepted = await api.ingest({ idempotency_key: 'late' });

  expect([accepted.status, accepted.body.duplicate]).toEqual([202, false]);
});

it('the events of a batch that fit are accepted; each of the others says why it was refused', async () => {
  const api = await account(4);
  const event = { type: 'order.created', data: {} };

  const { status, body } = await api.post(`${EVENTS}/batch`, {
    events: [event, event, event, event, { ...event, type: 'invoice.paid' }],
  });

  expect(status).toBe(207);
  expect(body.results.map((result: { status: number; code?: string }) => [result.status, result.code])).toEqual([
    [202, undefined],
    [202, undefined],
    [202, undefined],
    [429, 'delivery_budget_exceeded'],
    [202, undefined],
  ]);
});

it('a second process learns with its next call what the first accepted', async () => {
  const api = await account(5);
  const other = apiClient(otherApi.url, api.key);
  const event = { type: 'order.created', data: {} };
  await api.ingest();
  await api.ingest();
  // This call reports them.
  await api.get('/api/v1/keys/self');

  expect((await other.post(EVENTS, event)).status).toBe(429);
});
