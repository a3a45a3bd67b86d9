import { setTimeout as pass } from 'node:timers/promises';
import type { Attempt } from '../../src/deliveries/attempt-store';
import type { StoredEvent } from '../../src/events/store';
import { apiClient } from '../support/api-client';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildCluster, type Cluster, type RoleProcess } from './support/build-cluster';
import { buildLedger, countById, untilAllArrived, type Ledger } from './support/build-ledger';

// The servers beneath go away, one after the other, while an API and a worker go on.

const EVENTS = '/api/v1/webhooks/events';

let cluster: Cluster;
let receiver: Receiver;
let api: RoleProcess;
let ledger: Ledger;

beforeAll(async () => {
  cluster = await buildCluster({ RETRY_SCHEDULE: '0s,1s,4s,4s,4s,4s,8s,8s' });
  receiver = await buildReceiver(200);
  [api] = await Promise.all([cluster.start('api'), cluster.start('worker')]);
  const client = apiClient(api.url!, cluster.key);
  expect((await client.post('/api/v1/webhooks/endpoints', { url: receiver.url })).status).toBe(201);
}, 120_000);

afterAll(async () => {
  await cluster?.close();
  await receiver?.close();
}, 60_000);

beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answerWith(200);
  ledger = buildLedger(() => api.url!, cluster.key);
});

test('kill -9 of Temporal in load, and a while without it: every event is accepted, and each arrives once when it is back', async () => {
  const load = ledger.load(40);
  await receiver.waitFor(40, 30_000);

  await cluster.temporal.kill();
  const before = ledger.acknowledged.length;
  await pass(3_000);
  expect(ledger.acknowledged.length).toBeGreaterThan(before + 20);
  await cluster.temporal.start();
  await load.stop();

  expect(new Set(ledger.statuses)).toEqual(new Set([202]));
  const counts = await untilAllArrived(ledger, receiver, 150_000);
  expect(ledger.acknowledged.length).toBeGreaterThan(80);
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
}, 300_000);

test('a new, empty Temporal: every unfinished delivery goes on from its recorded attempt', async () => {
  receiver.answerWith(503);
  await Promise.all(Array.from({ length: 25 }, () => ledger.post()));
  await eventually(
    () => eventsOf(ledger),
    (events) => events.every(({ destinations }) => destinations.every((it) => it.attempt_count >= 2)),
    30_000,
  );

  await cluster.temporal.kill();
  // Promised while there is no Temporal at all.
  await Promise.all(Array.from({ length: 10 }, () => ledger.post()));
  receiver.answerWith(200);
  await cluster.temporal.startEmpty();

  const events = await eventually(
    () => eventsOf(ledger),
    (all) => all.every(({ destinations }) => destinations.every(({ state }) => state === 'delivered')),
    150_000,
  );
  expect(new Set(ledger.statuses)).toEqual(new Set([202]));
  expect(events).toHaveLength(35);
  const counts = countById(receiver.requests);
  for (const { _id: id, destinations } of events) {
    const numbers = await attemptNumbers(id);
    // One after the other, none twice, none left out: and the receiver counted the same.
    expect(numbers).toEqual(Array.from({ length: destinations[0]!.attempt_count }, (_, index) => index + 1));
    expect(counts.get(id)).toBe(numbers.length);
  }
  const retried = events.filter(({ destinations }) => destinations[0]!.attempt_count >= 3);
  expect(retried).toHaveLength(25);
}, 300_000);

test('kill -9 of MongoDB in load: 503 with Retry-After and never a false 202; what was acknowledged arrives, and nothing twice', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  receiver.answerWith(() => answered.then(() => 200));
  await Promise.all(Array.from({ length: 5 }, () => ledger.post()));
  // Requests under way, whose answers come when nothing can be written down.
  await receiver.waitFor(5);
  receiver.answerWith(200);
  // As many as it takes: there is no moment without an insert under way.
  const flood = ledger.flood(30);
  await receiver.waitFor(25, 30_000);

  await cluster.mongod.kill();
  await flood.stop();
  answer();
  const acknowledged = ledger.acknowledged.length;
  const away = buildLedger(() => api.url!, cluster.key);
  await Promise.all(Array.from({ length: 10 }, () => away.post()));
  expect(away.statuses).toEqual(Array(10).fill(503));
  for (const { headers, body } of away.refusals) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(body).toMatchObject({ code: 'service_unavailable', request_id: expect.any(String) });
  }
  expect((await apiClient(api.url!, cluster.key).get(`${EVENTS}/${ledger.acknowledged[0]}`)).status).toBe(503);
  expect((await apiClient(api.url!).get('/healthz')).status).toBe(200);
  expect((await apiClient(api.url!).get('/readyz')).status).toBe(503);

  await cluster.mongod.start();
  await eventually(
    () => ledger.post(),
    (status) => status === 202,
    30_000,
  );

  expect(ledger.acknowledged).toHaveLength(acknowledged + 1);
  expect(new Set(ledger.statuses.filter((status) => status !== 202 && status !== 503))).toEqual(new Set());
  // A flood of a thousand, on a machine that does little else, takes its time: what counts is that nothing is missing.
  const counts = await untilAllArrived(ledger, receiver, 150_000);
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  // The answers that could not be written down were kept, and are in the history now.
  const events = await eventually(
    () => eventsOf(ledger),
    (all) => all.every(({ destinations }) => destinations.every(({ state }) => state === 'delivered')),
    150_000,
  );
  expect(events).toHaveLength(ledger.acknowledged.length);
  for (const id of ledger.acknowledged) expect(await attemptNumbers(id)).toEqual([1]);
}, 300_000);

function eventsOf({ acknowledged }: Ledger): Promise<StoredEvent[]> {
  return cluster.mongo.db
    .collection<StoredEvent>('events')
    .find({ _id: { $in: [...acknowledged] } })
    .toArray();
}

async function attemptNumbers(eventId: number): Promise<number[]> {
  const attempts = await cluster.mongo.db
    .collection<Attempt>('attempts')
    .find({ event_id: eventId, answer: { $exists: true } })
    .sort({ number: 1 })
    .toArray();
  return attempts.map(({ number }) => number);
}
