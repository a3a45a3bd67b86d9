import { createUsageStore } from '../../src/keys/usage-store';
import { apiClient, untilStatus, type ApiAnswer } from '../support/api-client';
import { buildApi, useApi } from '../support/build-api';
import { buildAccount, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { countersIn } from '../support/limit-counters';
import { watchReads } from '../support/watch-reads';

// GET /api/v1/usage: what an account's keys called, what was refused, and what is left.

const TIERS = [
  { id: 'burst', name: 'Burst', monthlyQuota: 1_000, perMinute: 5 },
  { id: 'quota', name: 'Quota', monthlyQuota: 5, perMinute: 100 },
  { id: 'budget', name: 'Budget', monthlyQuota: 1_000, perMinute: 100, deliveriesPerMinute: 1 },
  { id: 'pending', name: 'Pending', monthlyQuota: 1_000, perMinute: 100, pendingDeliveries: 1 },
  { id: 'plenty', name: 'Plenty', monthlyQuota: 10_000, perMinute: 1_000 },
];
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify(TIERS) } });
const otherApi = useApi(stack);
const { countersOf, setCounters } = countersIn(stack);

const SELF = '/api/v1/keys/self';
const EVENTS = '/api/v1/webhooks/events';
const NONE = {
  rate_limit_exceeded: 0,
  quota_exceeded: 0,
  delivery_budget_exceeded: 0,
  pending_budget_exceeded: 0,
  filter_budget_exceeded: 0,
  storage_budget_exceeded: 0,
};

interface UsageBody {
  readonly days: readonly { readonly calls: number; readonly refused: Record<string, number> }[];
}

/** The stored usage of an account: a call of the operation would count too, and be refused with the others. */
const storedOf = async (accountId: string) => {
  const { records } = await createUsageStore(stack.mongo.db).list(accountId, '2026-01-01');
  return records.map(({ key_id, operation, calls, refused }) => ({ key_id, operation, calls, refused }));
};
const statusesOf = (answers: readonly ApiAnswer[]): number[] => answers.map(({ status }) => status);

/** Calls one after the other. */
async function inTurn(count: number, call: () => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  const answers = [];
  for (let made = 0; made < count; made += 1) answers.push(await call());
  return answers;
}

it('calls are counted by day and key, in every process, and add up to the quota used', async () => {
  const { accountId, key, keyId } = await stack.account({ tier: 'plenty' });
  await inTurn(3, () => apiClient(stack.url, key).get(SELF));
  await inTurn(2, () => apiClient(otherApi.url, key).get(SELF));
  // A 404 counts, and a batch counts as one call for each event.
  await apiClient(stack.url, key).get(`${EVENTS}/1`);
  const event = { type: 'order.created', data: {} };
  await apiClient(stack.url, key).post(`${EVENTS}/batch`, { events: [event, event, event] });

  const { body } = await eventually(
    () => apiClient(stack.url, key).get('/api/v1/usage?days=2'),
    ({ body: answer }) => (answer as UsageBody).days.at(-1)!.calls >= 9,
  );

  const [yesterday, today] = body.days;
  expect(yesterday).toEqual({ day: body.from, calls: 0, refused: NONE, attempts: 0, keys: [] });
  expect(today).toMatchObject({ day: body.to, refused: NONE, attempts: 0, keys: [{ key_id: keyId, refused: 0 }] });
  expect(today.keys[0].calls).toBe(today.calls);
  expect(body.keys).toEqual([{ id: keyId, label: 'test' }]);
  expect(body.quota).toMatchObject({ limit: 10_000, outlook: 'unknown', runs_out_at: null });
  expect(body.calls_per_minute).toEqual({ limit: 1_000, used: body.quota.used, resets_at: expect.any(String) });
  expect(body.deliveries_per_minute).toEqual({ limit: 10_000, used: 0, resets_at: null });
  expect(body.pending_deliveries).toEqual({ limit: 100_000, at_most: 0 });
  await eventually(
    () => storedOf(accountId),
    ([record]) => record?.calls === body.quota.used,
  );
});

it('reads the names of the keys that were used, however many keys the account has had', async () => {
  const { key, keyId } = await stack.account({ tier: 'plenty' });
  const keys = stack.mongo.db.collection<{ _id: string }>('api_keys');
  const own = await keys.findOne({ _id: keyId });
  const revoked = { ...own, revoked_at: new Date() };
  await keys.insertMany(
    Array.from({ length: 50 }, (_, n) => ({ ...revoked, _id: `${keyId}_${n}`, hash: `${keyId}_${n}` })),
  );
  const usage = () => apiClient(stack.url, key).get('/api/v1/usage');
  await eventually(usage, ({ body }) => body.keys.length > 0);

  const reads = await watchReads(stack.mongo, usage);

  const ofKeys = reads.filter(({ collection }) => collection === 'api_keys');
  expect(ofKeys.reduce((sum, { documents }) => sum + documents, 0)).toBeLessThan(5);
  expect((await usage()).body.keys).toEqual([{ id: keyId, label: 'test' }]);
});

it.each([
  ['rate_limit_exceeded', 'burst', 5],
  ['quota_exceeded', 'quota', 5],
])('a call that gets 429 %s is counted as refused, and not as a call', async (code, tier, admitted) => {
  const { accountId, key, keyId } = await stack.account({ tier });
  await setCounters(accountId, { window_started_at: new Date(Date.now() + 3_600_000), window_used: 0 });

  const answers = await inTurn(admitted + 3, () => apiClient(stack.url, key).get(SELF));

  expect(answers.filter(({ body }) => body.code === code)).toHaveLength(3);
  await eventually(
    () => storedOf(accountId),
    ([record]) => record?.refused?.[code as 'quota_exceeded'] === 3,
  );
  expect(await storedOf(accountId)).toEqual([
    { key_id: keyId, operation: 'api', calls: admitted, refused: { [code]: 3 } },
  ]);
});

it.each([
  ['delivery_budget_exceeded', 'budget'],
  ['pending_budget_exceeded', 'pending'],
] as const)('an event that gets 429 %s is counted as refused, and not as a call', async (code, tier) => {
  const { accountId, key } = await stack.account({ tier });
  const api = apiClient(stack.url, key);
  await api.post('/api/v1/webhooks/endpoints', { url: 'https://example.com/hooks' });

  const answers = await inTurn(4, () => api.post(EVENTS, { type: 'order.created', data: {} }));

  const refused = answers.filter(({ body }) => body.code === code).length;
  expect(refused).toBeGreaterThan(0);
  await eventually(
    () => storedOf(accountId),
    ([record]) => record?.refused?.[code] === refused && record.calls === 5 - refused,
  );
});

it('a batch that does not fit counts as one call and as one refusal', async () => {
  const { accountId, key, keyId } = await stack.account({ tier: 'quota' });
  const event = { type: 'order.created', data: {} };
  await apiClient(stack.url, key).get(SELF);

  const events = Array.from({ length: 5 }, () => event);
  const batch = await apiClient(stack.url, key).post(`${EVENTS}/batch`, { events });

  expect(statusesOf([batch])).toEqual([429]);
  expect((await countersOf(accountId)).quota_used).toBe(2);
  await eventually(
    () => storedOf(accountId),
    ([record]) => record?.calls === 2,
  );
  expect(await storedOf(accountId)).toEqual([
    { key_id: keyId, operation: 'api', calls: 2, refused: { quota_exceeded: 1 } },
  ]);
});

it('what was counted is stored when the process stops', async () => {
  const api = await buildApi(stack.config);
  const { key, keyId, accountId } = await buildAccount(stack.config, stack.mongo, { tier: 'plenty' });
  // A process is up before its database connection is.
  await untilStatus(() => apiClient(api.url, key).get(SELF), 200);
  await api.close();
  const { quota_used: calls } = await countersOf(accountId);
  expect(await storedOf(accountId)).toEqual([{ key_id: keyId, operation: 'api', calls }]);
});

it('the outlook is at the pace of the month, and of a new account at its own', async () => {
  const { key, accountId } = await stack.account({ tier: 'plenty' });
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  const dayAgo = new Date(Date.now() - 86_400_000 - 1_000);
  await accounts.updateOne({ _id: accountId }, { $set: { created_at: dayAgo } });
  const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1));
  await setCounters(accountId, { month, quota_used: 9_998 });

  const { quota } = (await apiClient(stack.url, key).get('/api/v1/usage')).body;

  // On the first of a month, less than a day of it has passed.
  if (dayAgo < month) return expect(quota.outlook).toBe('unknown');
  expect(quota).toMatchObject({ used: 9_999, limit: 10_000, outlook: 'runs_out' });
  expect(Date.parse(quota.runs_out_at)).toBeLessThan(Date.now() + 60_000);
});

it('needs its scope, and whole days from 1 to 400', async () => {
  const { key } = await stack.account({ tier: 'plenty', scopes: ['events:read'] });
  expect((await apiClient(stack.url, key).get('/api/v1/usage')).body).toMatchObject({ code: 'missing_scope' });
  const { key: reader } = await stack.account({ tier: 'plenty', scopes: ['usage:read'] });
  for (const days of ['0', '401', '1.5', 'x']) {
    expect((await apiClient(stack.url, reader).get(`/api/v1/usage?days=${days}`)).status).toBe(400);
  }
  const { body } = await apiClient(stack.url, reader).get('/api/v1/usage?days=400');
  expect(body.days).toHaveLength(400);
  expect([body.days[0].attempts, body.days.at(-1).attempts]).toEqual([null, 0]);
});
