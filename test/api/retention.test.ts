import { apiClient, expectError, type ApiClient } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const EVENTS = '/api/v1/webhooks/events';
const DAY_MS = 86_400_000;
const RULE = 'must be a whole number of days from 2 to 3650';

const stack = useStack({ env: { RETENTION: '20d' } });
const receiver = useReceiver();
const api = useCaller(stack, 'test');
let platform: ApiClient;
const account = () => `/api/v1/accounts/${api.accountId}`;
const setDays = (days: unknown) => platform.put(account(), { retention_days: days });

/** For how many days an event is kept after it finished. */
async function daysOf(id: number): Promise<number> {
  const events = stack.mongo.db.collection<{ _id: number; finished_at: Date; expires_at?: Date }>('events');
  const { finished_at: from, expires_at: to } = await eventually(
    async () => (await events.findOne({ _id: id }))!,
    (event) => event.expires_at !== undefined,
  );
  return (to!.getTime() - from.getTime()) / DAY_MS;
}
const send = async (more: object = {}): Promise<number> => {
  const { status, body } = await api.post(EVENTS, { type: 'order.created', data: { n: 1 }, ...more });
  expect(status).toBe(202);
  return body.id;
};

beforeAll(async () => {
  platform = apiClient(stack.url, (await stack.managementKey()).key);
});
beforeEach(() => api.register({ url: receiver.url, events: ['*'] }));

it('an event is kept as long as it says, else as its account says, else as the installation says', async () => {
  expect(await daysOf(await send())).toBe(20);
  expect(await daysOf(await send({ retention_days: 3 }))).toBe(3);
  const before = await send();

  expect((await setDays(7)).body).toMatchObject({ retention_days: 7 });

  expect(await daysOf(await send())).toBe(7);
  expect(await daysOf(await send({ retention_days: 12 }))).toBe(12);
  // Events that were accepted before keep theirs.
  expect(await daysOf(before)).toBe(20);
  expect((await platform.get(account())).body).toMatchObject({ retention_days: 7 });
  expect((await setDays(null)).body).toMatchObject({ retention_days: null });
  expect(await daysOf(await send())).toBe(20);
});

it('a test event is kept as its account says, and a repeat changes nothing', async () => {
  await setDays(5);
  const endpoint = await api.register({ url: receiver.url, events: ['none'] });
  const test = await api.post(`/api/v1/webhooks/endpoints/${endpoint.id}/test`, {});
  expect(await daysOf(test.body.id)).toBe(5);

  const id = await send({ idempotency_key: 'kept', retention_days: 2 });
  const again = await api.post(EVENTS, {
    ...{ type: 'order.created', data: { n: 1 }, idempotency_key: 'kept', retention_days: 9 },
  });
  expect([again.status, again.body.id]).toEqual([200, id]);
  expect(await daysOf(id)).toBe(2);
});

it('a batch has a retention for each of its events, and refuses one alone', async () => {
  const event = { type: 'order.created', data: {} };
  const { status, body } = await api.post(`${EVENTS}/batch`, {
    events: [{ ...event, retention_days: 4 }, { ...event, retention_days: 21 }, event],
  });

  expect(status).toBe(207);
  expect(body.results).toMatchObject([{ status: 202 }, { status: 422, code: 'retention_too_long' }, { status: 202 }]);
  expect([await daysOf(body.results[0].id), await daysOf(body.results[2].id)]).toEqual([4, 20]);
});

it.each([
  [0, RULE],
  [1, RULE],
  [-7, RULE],
  [3_651, RULE],
  [2.5, 'must be an integer'],
  ['7', 'must be a number'],
])('%p days are refused, of an event and of an account', async (days, message) => {
  for (const answer of [
    await api.post(EVENTS, { type: 'order.created', data: {}, retention_days: days }),
    await setDays(days),
  ]) {
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.details).toEqual([{ path: 'retention_days', message }]);
  }
});

it('more days than the installation keeps events are refused, of an event and of an account', async () => {
  const message = 'must be at most 20: this installation keeps no event longer';
  for (const answer of [
    await api.post(EVENTS, { type: 'order.created', data: {}, retention_days: 21 }),
    await setDays(21),
  ]) {
    expectError(answer, 422, 'retention_too_long');
    expect(answer.body).toMatchObject({
      error: `"retention_days" ${message}.`,
      details: [{ path: 'retention_days', message }],
    });
  }
  expect((await setDays(20)).status).toBe(200);
});

it('an installation that keeps events for less than before keeps no event longer', async () => {
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: api.accountId }, { $set: { retention_days: 300 } });
  expect(await daysOf(await send())).toBe(20);
});

it('the audit log says who changed it, from what and to what', async () => {
  await setDays(9);
  await setDays(9);
  await setDays(6);
  const entries = await stack.mongo.db
    .collection('audit_log')
    .find({ account_id: api.accountId, action: 'account.changed' })
    .sort({ _id: -1 })
    .toArray();
  const changes = entries.flatMap((entry) => entry['changes']);
  expect(changes).toContainEqual({ field: 'retention_days', to: '9' });
  expect(changes).toContainEqual({ field: 'retention_days', from: '9', to: '6' });
  expect(changes.filter(({ to }) => to === '9')).toHaveLength(1);
});
