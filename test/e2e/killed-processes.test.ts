import { setTimeout as pass } from 'node:timers/promises';
import { apiClient } from '../support/api-client';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildCluster, type Cluster, type RoleProcess } from './support/build-cluster';
import { buildLedger, untilAllArrived, type Ledger } from './support/build-ledger';

// kill -9 of each part while it works. What was answered with 202 arrives, whatever is killed next.

const ENDPOINTS = '/api/v1/webhooks/endpoints';
/** How many requests the receiver holds open at the moment of a kill, at most: those may be made again. */
const RECEIVER_MS = 150;

let cluster: Cluster;
let receiver: Receiver;
let api: RoleProcess;
let worker: RoleProcess;
let ledger: Ledger;

beforeAll(async () => {
  cluster = await buildCluster({ RETRY_SCHEDULE: '0s,1s,2s,4s,8s,8s' });
  receiver = await buildReceiver(async () => {
    await pass(RECEIVER_MS);
    return 200;
  });
  [api, worker] = await Promise.all([cluster.start('api'), cluster.start('worker')]);
  ledger = buildLedger(() => api.url!, cluster.key);
  const endpoint = await apiClient(api.url!, cluster.key).post(ENDPOINTS, { url: receiver.url });
  expect(endpoint.status).toBe(201);
}, 120_000);

afterAll(async () => {
  await cluster?.close();
  await receiver?.close();
}, 60_000);

/** Ids under way at the receiver now: begun, and not yet answered for long. */
function underWay(): Set<number> {
  const since = Date.now() - RECEIVER_MS - 1_000;
  return new Set(receiver.requests.filter(({ at }) => at > since).map(({ body }) => JSON.parse(body.toString()).id));
}

test('kill -9 of the worker in load, of the API between promise and start, and of the worker again: nothing acknowledged is lost', async () => {
  // The worker, in load.
  const load = ledger.load(40);
  await receiver.waitFor(60, 30_000);
  const inFlight = underWay();
  await worker.kill();
  for (const id of underWay()) inFlight.add(id);
  await pass(1_000);
  await load.stop();
  expect(new Set(ledger.statuses)).toEqual(new Set([202]));

  // The API, between promise and start: Temporal hangs, so what is promised now can't be started by it.
  cluster.temporal.freeze();
  const promised = await Promise.all(Array.from({ length: 30 }, () => ledger.post()));
  expect(new Set(promised)).toEqual(new Set([202]));
  await api.kill();
  const unstarted = { _id: { $in: ledger.acknowledged.slice(-30) }, 'destinations.started': false };
  expect(await cluster.mongo.db.collection<{ _id: number }>('events').countDocuments(unstarted)).toBe(30);
  cluster.temporal.thaw();

  // A new worker finds what the old one had begun and what the API had not, and is killed in its turn.
  worker = await cluster.start('worker');
  await pass(1_500);
  for (const id of underWay()) inFlight.add(id);
  await worker.kill();
  for (const id of underWay()) inFlight.add(id);
  [api, worker] = await Promise.all([cluster.start('api'), cluster.start('worker')]);
  await Promise.all(Array.from({ length: 20 }, () => ledger.post()));

  // What was in flight at a kill is made again after its lease of 40 s, and Temporal's own patience.
  const counts = await untilAllArrived(ledger, receiver, 120_000);
  const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  expect(ledger.acknowledged.length).toBeGreaterThan(100);
  // Never twice, but for what was under way when its worker was killed; and never more than once for each kill.
  expect(twice.filter((id) => !inFlight.has(id))).toEqual([]);
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(3);

  // And the record says what the receiver knows: each delivered by its first attempt, for a crash consumes none.
  const states = await eventually(
    () => deliveryStates(ledger.acknowledged),
    (all) => all.every(({ state }) => state === 'delivered'),
    60_000,
  );
  expect(new Set(states.map(({ attempt_count: count }) => count))).toEqual(new Set([1]));
}, 200_000);

async function deliveryStates(ids: readonly number[]): Promise<{ state: string; attempt_count: number }[]> {
  const events = await cluster.mongo.db
    .collection<{ _id: number; destinations: { state: string; attempt_count: number }[] }>('events')
    .find({ _id: { $in: [...ids] } })
    .toArray();
  expect(events).toHaveLength(ids.length);
  return events.flatMap(({ destinations }) => destinations);
}
