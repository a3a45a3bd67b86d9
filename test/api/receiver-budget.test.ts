import { apiClient } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
const DELIVERIES = '/api/v1/webhooks/deliveries';
const MOST = 4;
const tier = { name: 'Strangers', monthlyQuota: null, perMinute: 1_000_000 };

const stack = useStack({
  env: {
    TIERS: JSON.stringify([
      { ...tier, id: 'strangers', attemptsPerReceiver: MOST },
      { ...tier, id: 'hoarders', storedBytesPerDay: 300_000 },
    ]),
  },
});
const receiver = useReceiver();

/** A stranger's account with endpoints at the receiver, that retries at once. */
async function stranger(endpoints: number) {
  const { key } = await stack.account({ tier: 'strangers' });
  const api = apiClient(stack.url, key);
  for (let index = 0; index < endpoints; index += 1) {
    const options = { retry_schedule: [0, 1, 1, 1, 1] };
    const { status } = await api.post(ENDPOINTS, { url: `${receiver.url}/${index}`, options });
    expect(status).toBe(201);
  }
  return api;
}

it('a receiver gets a bounded number of attempts, retries included, from all accounts and endpoints; the others wait', async () => {
  receiver.answerWith(500);
  const callers = [await stranger(3), await stranger(3)];
  for (const api of callers) expect((await api.post(EVENTS, { type: 'order.created', data: {} })).status).toBe(202);

  const open = await eventually(
    async () =>
      (await Promise.all(callers.map((api) => api.get(`${DELIVERIES}?state=open`)))).flatMap(
        ({ body }) => body.deliveries,
      ),
    (deliveries) => deliveries.length === 6 && deliveries.every(({ held_for: heldFor }) => heldFor === 'at_rate'),
  );

  expect(receiver.requests).toHaveLength(MOST);
  // No attempt is used up by waiting.
  const attempts = open.map(({ attempt_count: count }) => Number(count));
  expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(MOST);
});

it('an account may store so many bytes a day, test events included', async () => {
  const { key } = await stack.account({ tier: 'hoarders' });
  const api = apiClient(stack.url, key);
  receiver.answerWith(200);
  const { body: endpoint } = await api.post(ENDPOINTS, { url: receiver.url, events: ['never'] });
  const data = { text: 'x'.repeat(200_000) };

  expect((await api.post(`${ENDPOINTS}/${endpoint.id}/test`, { data })).status).toBe(202);
  const refused = await api.post(`${ENDPOINTS}/${endpoint.id}/test`, { data });
  const [batch, alone, small] = [
    await api.post(`${EVENTS}/batch`, { events: [{ type: 'order.created', data }] }),
    await api.post(EVENTS, { type: 'order.created', data }),
    await api.post(EVENTS, { type: 'order.created', data: {} }),
  ];

  expect([refused.status, refused.body]).toMatchObject([
    429,
    {
      code: 'storage_budget_exceeded',
      storage_limit: 300_000,
      retry_after: expect.any(Number),
      reset_at: expect.any(String),
    },
  ]);
  expect(batch.body.results).toMatchObject([{ status: 429, code: 'storage_budget_exceeded' }]);
  expect([alone.body.code, small.status]).toEqual(['storage_budget_exceeded', 202]);
});
