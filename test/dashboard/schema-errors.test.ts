import { createSchemaErrorStore } from '../../src/event-types/schema-error-store';
import { apiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack();
const EVENTS = '/api/v1/webhooks/events';

it('types whose events did not match the catalog need attention for a day, those with the most events first', async () => {
  const { browser, accountId } = await signedUp(stack);
  const platform = apiClient(stack.url, (await stack.managementKey()).key);
  await platform.put(`/api/v1/accounts/${accountId}`, { event_types: 'warn', tier: 'enterprise' });
  const { body: key } = await browser.post('/keys', { product: 'weh', label: 'test' });
  const api = apiClient(stack.url, key.key as string);
  expect((await browser.get('/overview')).body.schema_errors).toEqual([]);

  const send = async (type: string): Promise<number> => (await api.post(EVENTS, { type, data: {} })).body.id;
  await send('order.rare');
  await send('order.often');
  const last = await send('order.often');

  const { schema_errors: errors } = await eventually(
    async () => (await browser.get('/overview')).body,
    (overview) =>
      overview.schema_errors.length === 2 && overview.schema_errors[0].count + overview.schema_errors[1].count === 3,
  );
  expect(errors).toMatchObject([
    { type: 'order.often', count: 2, event_id: last },
    { type: 'order.rare', count: 1 },
  ]);
  expect(Date.parse(errors[0].at)).toBeGreaterThan(0);
});

describe('the counts', () => {
  const add = (accountId: string, type: string, at: string, eventId: number) =>
    createSchemaErrorStore(stack.mongo.db).add([
      { accountId, type, at: new Date(at), eventId, hours: { [Number(at.slice(11, 13))]: 2 } },
    ]);
  const since = (accountId: string, from: string, now: string) =>
    createSchemaErrorStore(stack.mongo.db).since(accountId, new Date(from), new Date(now));

  it('are of the hours since a time, of two days, and of one account', async () => {
    await add('acc_one', 'a', '2026-11-20T09:59:00.000Z', 1);
    await add('acc_one', 'a', '2026-11-20T10:00:00.000Z', 2);
    await add('acc_one', 'a', '2026-11-21T09:00:00.000Z', 3);
    await add('acc_one', 'b', '2026-11-20T09:00:00.000Z', 4);
    await add('acc_two', 'c', '2026-11-21T09:00:00.000Z', 5);

    expect(await since('acc_one', '2026-11-20T10:30:00.000Z', '2026-11-21T10:30:00.000Z')).toEqual([
      { type: 'a', count: 4, eventId: 3, at: new Date('2026-11-21T09:00:00.000Z') },
    ]);
  });

  it('of a day expire 30 days after it', async () => {
    await add('acc_three', 'a', '2026-11-20T09:00:00.000Z', 1);
    const stored = await stack.mongo.db.collection('schema_error_counts').findOne({ account_id: 'acc_three' });
    expect(stored).toMatchObject({ day: '2026-11-20', count: 2, expires_at: new Date('2026-12-21T00:00:00.000Z') });
  });
});
