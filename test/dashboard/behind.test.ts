import { Timestamp } from 'mongodb';
import { apiClient } from '../support/api-client';
import { buildReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack();

it('an endpoint whose rate is too low falls behind: how many wait, since when, and how many arrive', async () => {
  const { browser, accountId } = await signedUp(stack);
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: accountId }, { $set: { tier: 'enterprise' } });
  const receiver = await buildReceiver(200);
  try {
    const options = { max_per_second: 0.1 };
    const body = { url: receiver.url, description: 'Customer: Globex', events: ['order.slow'], options };
    const { body: endpoint } = await browser.post('/webhooks/endpoints', body);
    await browser.post('/webhooks/endpoints', { url: receiver.url, events: ['order.fast'] });
    const { body: key } = await browser.post('/keys', { product: 'weh', label: 'test' });
    const api = apiClient(stack.url, key.key as string);
    for (const type of ['order.fast', ...Array.from({ length: 20 }, () => 'order.slow')]) {
      expect((await api.post('/api/v1/webhooks/events', { type, data: {} })).status).toBe(202);
    }
    await eventually(
      async () => (await browser.get(`/webhooks/endpoints/${endpoint.id}/waiting`)).body.held,
      (held) => held[0]?.deliveries > 10,
    );
    expect((await browser.get('/overview')).body.behind).toEqual([]);

    const sixMinutesAgo = Math.floor(Date.now() / 1_000) - 360;
    await stack.mongo.db
      .collection('events')
      .updateMany(
        { 'destinations.dispatch': 'held' },
        { $set: { accepted_at: new Timestamp({ t: sixMinutesAgo, i: 1 }) } },
      );
    const { behind } = await eventually(
      async () => (await browser.get('/overview')).body,
      (overview) => overview.behind.length > 0,
    );

    expect(behind).toMatchObject([
      {
        endpoint: { id: endpoint.id, description: 'Customer: Globex' },
        waiting: { at_least: false },
        oldest_at: new Date(sixMinutesAgo * 1_000).toISOString(),
        through_at: null,
      },
    ]);
    expect(behind[0].waiting.deliveries).toBeGreaterThan(10);
    expect(behind[0].arrived_per_minute).toBeGreaterThan(0);
  } finally {
    await receiver.close();
  }
});
