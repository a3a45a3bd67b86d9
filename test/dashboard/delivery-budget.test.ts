import { apiClient } from '../support/api-client';
import { insertEvents } from '../support/build-events';
import { buildKey } from '../support/build-stack';
import { signedUp, useDashboardStack } from './browser';

// What a person does in the dashboard counts in the budget of deliveries that the account's keys share.

const stack = useDashboardStack({ role: 'api' });

/** A free account with an endpoint, signed in, and a client with a key of it. */
async function freeAccount() {
  const { browser, accountId } = await signedUp(stack);
  const registered = await browser.post('/webhooks/endpoints', { url: 'https://example.com/hooks' });
  const { db } = stack.mongo;
  const { key } = await buildKey(stack.mongo, accountId);
  // A minute that begins in an hour: it does not end while a busy machine goes through the test.
  const accounts = db.collection<{ _id: string }>('accounts');
  const minute = { window_started_at: new Date(Date.now() + 3_600_000), window_used: 0 };
  await accounts.updateOne({ _id: accountId }, { $set: { deliveries: minute } });
  return { browser, accountId, endpointId: String(registered.body.id), api: apiClient(stack.url, key) };
}

it("the dashboard and the account's keys share one budget", async () => {
  const { browser, endpointId, api } = await freeAccount();
  for (let sent = 0; sent < 98; sent += 1) await browser.post(`/webhooks/endpoints/${endpointId}/test`);

  const event = { type: 'order.created', data: {} };
  const ingests = [];
  for (let sent = 0; sent < 3; sent += 1) ingests.push(await api.post('/api/v1/webhooks/events', event));

  expect(ingests.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect(ingests.at(-1)!.body).toMatchObject({ code: 'delivery_budget_exceeded' });
  expect((await browser.post(`/webhooks/endpoints/${endpointId}/test`)).status).toBe(429);
});

it('retries and replays count against it; refused ones change nothing', async () => {
  const { browser, accountId, endpointId } = await freeAccount();
  await insertEvents(stack.mongo, [
    { id: 8_000_001, accountId, deliveries: [{ endpointId, state: 'failed' }] },
    { id: 8_000_002, accountId, deliveries: [{ endpointId, state: 'failed' }] },
    { id: 8_000_003, accountId, deliveries: [{ endpointId, state: 'retrying' }] },
  ]);
  const replay = (id: number) => browser.post(`/webhooks/deliveries/${id}.${endpointId}/replay`);
  const retry = (id: number) => browser.post(`/webhooks/deliveries/${id}.${endpointId}/retry`);
  for (let sent = 0; sent < 98; sent += 1) await browser.post(`/webhooks/endpoints/${endpointId}/test`);

  expect((await replay(8_000_001)).status).toBe(202);
  expect((await retry(8_000_003)).status).toBe(202);
  const refused = [await replay(8_000_002), await retry(8_000_003)];

  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [429, 'delivery_budget_exceeded'],
    [429, 'delivery_budget_exceeded'],
  ]);
  const event = await browser.get('/webhooks/events/8000002');
  expect(event.body.status).toBe('failed');
});
