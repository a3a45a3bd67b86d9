import { MAX_RUNS } from '../../src/domain/replay-contract';
import { ACCEPTED_AT, buildEndpointId, insertEvents } from '../support/build-events';
import { signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack({ role: 'api' });

const at = (seconds: number): string => new Date((ACCEPTED_AT + seconds) * 1_000).toISOString();
const endedAt = (seconds: number): Date => new Date(at(seconds));
let nextId = 1;

/** A user with failed deliveries to an endpoint, some seconds apart, and one delivered to another endpoint. */
async function withFailures(count: number, apart = 60) {
  const user = await signedUp(stack);
  const { accountId } = user;
  const [down, up] = [buildEndpointId(), buildEndpointId()];
  const failures = Array.from({ length: count }, (_, index) => ({
    id: (nextId += 1),
    accountId,
    type: index % 2 === 0 ? 'order.created' : 'invoice.paid',
    acceptedAt: ACCEPTED_AT + index * apart,
    deliveries: [{ endpointId: down, state: 'failed' as const, completedAt: endedAt(index * apart + 3_600) }],
  }));
  const delivered = { id: (nextId += 1), accountId, deliveries: [{ endpointId: up, state: 'delivered' as const }] };
  await insertEvents(stack.mongo, [...failures, delivered]);
  const preview = async (query: string) => {
    const { status, body } = await user.browser.get(`/replay-preview?${query}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    return body as { matched: number; at_least: boolean; endpoint_removed: number; at_run_limit: number };
  };
  return { ...user, preview, down, up };
}

it('counts what a replay with the same filter would send again', async () => {
  const { preview, down, up } = await withFailures(10);

  const matched = async (query: string) => (await preview(query)).matched;
  expect(await preview('')).toMatchObject({ matched: 10, at_least: false, endpoint_failed: null });
  expect(await matched('state=delivered')).toBe(1);
  expect(await matched(`endpoint_id=${up}`)).toBe(0);
  expect(await matched(`endpoint_id=${down}&type=invoice.*`)).toBe(5);
  expect(await matched(`after=${at(120)}&before=${at(240)}`)).toBe(2);
  // From the first to before the second, by the end of the delivery.
  expect(await matched(`completed_after=${at(3_660)}&completed_before=${at(3_780)}`)).toBe(2);
});

it('says whether the newest delivery to the endpoint failed', async () => {
  const { preview, down, up, accountId } = await withFailures(2);

  expect(await preview(`endpoint_id=${down}`)).toMatchObject({ endpoint_failed: true });
  expect(await preview(`endpoint_id=${up}`)).toMatchObject({ endpoint_failed: false });
  expect(await preview(`endpoint_id=${buildEndpointId()}`)).toMatchObject({ endpoint_failed: null });
  await insertEvents(stack.mongo, [
    {
      id: (nextId += 1),
      accountId,
      acceptedAt: ACCEPTED_AT + 9_000,
      deliveries: [{ endpointId: down, state: 'delivered' }],
    },
    {
      id: (nextId += 1),
      accountId,
      acceptedAt: ACCEPTED_AT + 9_001,
      deliveries: [{ endpointId: down, state: 'pending' }],
    },
  ]);
  expect(await preview(`endpoint_id=${down}`)).toMatchObject({ matched: 2, endpoint_failed: false });
});

it('stops at ten thousand, and says that there are more', async () => {
  const { preview } = await withFailures(10_050, 1);

  expect(await preview('')).toMatchObject({ matched: 10_000, at_least: true, endpoint_failed: null });
});

it('counts the few that match among many events that do not (regression)', async () => {
  const { preview, up, accountId } = await withFailures(2);
  const delivered = (type: string, acceptedAt: number) => ({
    id: (nextId += 1),
    accountId,
    type,
    acceptedAt,
    deliveries: [{ endpointId: up, state: 'delivered' as const }],
  });
  const beside = Array.from({ length: 12_000 }, (_, n) => delivered('ping.sent', ACCEPTED_AT + 10_000 + n));
  await insertEvents(stack.mongo, [delivered('refund.made', ACCEPTED_AT), ...beside]);

  expect(await preview('state=delivered&type=refund.*')).toMatchObject({ matched: 1, at_least: false });
  expect(await preview('state=delivered&type=nothing.*')).toMatchObject({ matched: 0, at_least: false });
});

it('says how many are skipped, and why', async () => {
  const { preview, browser, accountId, down } = await withFailures(3);
  const { body: endpoint } = await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/x' });
  const endpointId = (endpoint as { id: string }).id;
  const ids = [(nextId += 1), (nextId += 1)];
  await insertEvents(
    stack.mongo,
    ids.map((id) => ({ id, accountId, deliveries: [{ endpointId, state: 'failed' as const }] })),
  );
  await stack.mongo.db
    .collection<{ _id: number }>('events')
    .updateOne({ _id: ids[0]! }, { $set: { 'destinations.0.run': MAX_RUNS } });

  expect(await preview('')).toMatchObject({ matched: 5, endpoint_removed: 3, at_run_limit: 1 });
  expect(await preview(`endpoint_id=${endpointId}`)).toMatchObject({ endpoint_removed: 0, at_run_limit: 1 });
  expect(await preview(`endpoint_id=${down}`)).toMatchObject({ endpoint_removed: 3, at_run_limit: 0 });
});

it("counts nothing of another account's, and refuses what a replay refuses", async () => {
  const { down } = await withFailures(3);
  const { browser } = await signedUp(stack);

  expect((await browser.get(`/replay-preview?endpoint_id=${down}`)).body).toEqual({
    matched: 0,
    at_least: false,
    endpoint_removed: 0,
    at_run_limit: 0,
    endpoint_failed: null,
  });
  expect((await browser.get('/replay-preview?state=pending')).status).toBe(400);
  expect((await browser.get('/replay-preview?since=yesterday')).status).toBe(400);
});
