import { setTimeout as pass } from 'node:timers/promises';
import type { Attempt } from '../../src/deliveries/attempt-store';
import type { StoredEvent } from '../../src/events/store';
import { apiClient } from '../support/api-client';
import { insertEvents } from '../support/build-events';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildCluster, type Cluster, type RoleProcess } from './support/build-cluster';

// A bulk replay with kill -9 of the worker, twice, in the middle: each delivery is replayed exactly once, and arrives
// exactly once beyond the attempts that were in flight at a kill. With ten thousand of them:
//
//     BULK_REPLAY_COUNT=10000 npm test -- test/e2e/bulk-replay

const COUNT = Number(process.env['BULK_REPLAY_COUNT'] ?? 300);
const RATE = COUNT > 1_000 ? 100 : 40;
const KILLS = 2;
/** At this rate, and what three starts of a worker, their leases and Temporal's time-outs take. */
const PATIENCE_MS = (COUNT / RATE) * 4_000 + 240_000;

let cluster: Cluster;
let receiver: Receiver;
let api: RoleProcess;
let worker: RoleProcess;

beforeAll(async () => {
  cluster = await buildCluster({ RETRY_SCHEDULE: '0s,1s,2s,4s,8s,8s' });
  receiver = await buildReceiver(async () => {
    await pass(50);
    return 200;
  });
  [api, worker] = await Promise.all([cluster.start('api'), cluster.start('worker')]);
}, 120_000);

afterAll(async () => {
  await cluster?.close();
  await receiver?.close();
}, 60_000);

const idOf = ({ body }: { body: Buffer }): number => JSON.parse(body.toString()).id;

test(
  `a bulk replay of ${COUNT} deliveries, with the worker killed twice in the middle, replays each exactly once`,
  async () => {
    const client = apiClient(api.url!, cluster.key);
    const { id: endpointId } = (await client.post('/api/v1/webhooks/endpoints', { url: receiver.url })).body;
    const events = cluster.mongo.db.collection<StoredEvent>('events');
    const endpoint = await cluster.mongo.db.collection<{ _id: string; account_id: string }>('endpoints').findOne();
    const accountId = endpoint!.account_id;
    await insertEvents(
      cluster.mongo,
      Array.from({ length: COUNT }, (_, index) => ({
        id: 1_000_000 + index,
        accountId,
        deliveries: [{ endpointId, state: 'failed' as const }],
      })),
    );
    const inFlight = new Set<number>();
    const attempts = cluster.mongo.db.collection<Attempt>('attempts');
    // What the killed worker had claimed and not written down: it may have been sent, and is sent again.
    const noteInFlight = async (): Promise<void> => {
      for (const { event_id: id } of await attempts.find({ answer: { $exists: false } }).toArray()) inFlight.add(id);
    };
    const startedAt = Date.now();

    const { body: job } = await client.post('/api/v1/webhooks/replays', { filter: {}, rate_per_second: RATE });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await receiver.waitFor(Math.floor((COUNT * kill) / (KILLS + 1)), PATIENCE_MS);
      await worker.kill();
      await noteInFlight();
      worker = await cluster.start('worker');
    }
    const ended = await eventually(
      () => client.get(`/api/v1/webhooks/replays/${job.job_id}`),
      ({ body }) => body.state !== 'running',
      PATIENCE_MS,
    );
    await eventually(
      () => events.countDocuments({ 'destinations.state': { $ne: 'delivered' } }),
      (left) => left === 0,
      PATIENCE_MS,
    );
    const tookSeconds = Math.round((Date.now() - startedAt) / 1_000);

    // Each delivery was replayed exactly once: run 2 of all of them, by this job, and the job counted right.
    expect(ended.body).toMatchObject({ state: 'completed', matched: COUNT, replayed: COUNT, skipped: 0 });
    expect(await events.countDocuments({ 'destinations.run': 2, 'destinations.replay_job': job.job_id })).toBe(COUNT);
    // Each arrived exactly once, but for what was in flight when the worker was killed.
    const counts = new Map<number, number>();
    for (const request of receiver.requests) counts.set(idOf(request), (counts.get(idOf(request)) ?? 0) + 1);
    const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
    expect(counts.size).toBe(COUNT);
    expect(twice.filter((id) => !inFlight.has(id))).toEqual([]);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(1 + KILLS);
    process.stdout.write(
      `${COUNT} replayed in ${tookSeconds} s; ${twice.length} arrived twice, of ${inFlight.size} in flight at a kill\n`,
    );
  },
  PATIENCE_MS * 3,
);
