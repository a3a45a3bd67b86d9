import { apiClient, type ApiAnswer } from '../support/api-client';
import { insertEvents } from '../support/build-events';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const LIMIT = 10;
/** What is accepted at the moment of a count is in it twice, or not at all. */
const INEXACT = 1;
const tier = { id: 'narrow', name: 'Narrow', monthlyQuota: null, perMinute: 1_000_000, pendingDeliveries: LIMIT };
// An API alone: what it accepts stays unfinished.
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify([tier]) } });
const EVENTS = '/api/v1/webhooks/events';

/** An account that may have 10 unfinished deliveries, with an endpoint for orders. */
async function account() {
  const { key, accountId } = await stack.account({ tier: 'narrow' });
  const api = apiClient(stack.url, key);
  const { body } = await api.post('/api/v1/webhooks/endpoints', { url: 'https://example.com/', events: ['order.*'] });
  const endpointId = String(body.id);
  const ingest = (type = 'order.created') => api.post(EVENTS, { type, data: {} });
  const cancel = (eventId: number) =>
    api.post(`/api/v1/webhooks/deliveries/${eventId}.${endpointId}/cancel`, undefined);
  /** Ingests until that is refused. @returns the ids of what was accepted, and the refusal */
  const fill = async (): Promise<{ ids: number[]; refused: ApiAnswer }> => {
    const ids: number[] = [];
    for (;;) {
      const answer = await ingest();
      if (answer.status !== 202) return { ids, refused: answer };
      ids.push(answer.body.id);
      if (ids.length > LIMIT + INEXACT) throw new Error(`${ids.length} were accepted`);
    }
  };
  return { ...api, accountId, endpointId, ingest, cancel, fill };
}

it("when the tier's number of unfinished deliveries is reached, new events get 429 with the reason", async () => {
  const api = await account();

  const { ids, refused } = await api.fill();

  expect(ids.length).toBeGreaterThanOrEqual(LIMIT - INEXACT);
  expect([refused.status, refused.body]).toEqual([
    429,
    {
      error: expect.stringContaining('10 pending deliveries'),
      code: 'pending_budget_exceeded',
      retry_after: expect.any(Number),
      remaining: 0,
      pending_limit: LIMIT,
      request_id: expect.any(String),
    },
  ]);
  expect(refused.headers.get('Retry-After')).toBe(String(refused.body.retry_after));
  // Events without a delivery are still accepted.
  expect((await api.ingest('invoice.paid')).status).toBe(202);
});

it('each delivery that finishes makes room for one', async () => {
  const api = await account();
  const { ids } = await api.fill();

  for (const id of ids.slice(0, 6)) expect((await api.cancel(id)).status).toBe(202);

  await eventually(
    () => api.ingest(),
    ({ status }) => status === 202,
  );
  const more = await api.fill();
  expect(more.ids.length).toBeGreaterThanOrEqual(5 - 2 * INEXACT);
  expect(more.ids.length).toBeLessThanOrEqual(5 + 2 * INEXACT);
});

it('a retry is not refused, because it starts no new delivery', async () => {
  const api = await account();
  const { accountId, endpointId } = api;
  await insertEvents(stack.mongo, [{ id: 8_100_001, accountId, deliveries: [{ endpointId, state: 'retrying' }] }]);
  await api.fill();

  const retried = await api.post(`/api/v1/webhooks/deliveries/8100001.${endpointId}/retry`, undefined);

  expect(retried.status).toBe(202);
});

it('an account that finishes its deliveries is never refused, however many they were', async () => {
  const api = await account();
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  for (let round = 0; round < 2; round += 1) {
    // As if the last count were a second ago.
    await accounts.updateOne({ _id: api.accountId }, { $unset: { 'deliveries.count_again_at': '' } });
    for (let sent = 0; sent < 6; sent += 1) {
      const { status, body } = await api.ingest();
      expect(status).toBe(202);
      await api.cancel(body.id);
    }
  }
});
