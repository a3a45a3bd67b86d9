import { Binary, Long, MongoClient, Timestamp } from 'mongodb';
import { createDeliveryStore } from '../../src/stores/delivery-store';
import { newBacklogCursor, createDispatchStore } from '../../src/stores/dispatch-store';
import { createEventStore, type NewEvent } from '../../src/stores/event-store';
import { startMongod } from '../../dev/mongod';
import { createMongo } from '../../src/platform/mongo';
import { buildAttempt } from '../support/build-data-path';
import { serverBinary } from '../support/server-binary';
import { useFixture } from '../support/fixture';
import { useTemporaryFolder } from '../support/temporary-folder';
import { UNSEALED } from '../../dev/unsealed';

// A mongod whose cluster time is an hour ahead of its wall clock: what a clock leaves behind that was an hour ahead.

const AHEAD_S = 3_600;
const folder = useTemporaryFolder();
const server = useFixture(
  'test',
  async () => {
    const mongod = await startMongod({
      binary: await serverBinary('mongod'),
      dataDir: folder(),
      port: 0,
      onProgress: () => undefined,
    });
    await advanceClusterTime(mongod.uri);
    const mongo = createMongo(mongod.uri);
    return { mongod, mongo };
  },
  async ({ mongod, mongo }) => {
    await mongo.close();
    await mongod.kill();
  },
);

/** Cluster time goes from client to server, too. */
async function advanceClusterTime(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  const session = client.startSession();
  const { localTime } = await client.db('admin').command({ hello: 1 });
  session.advanceClusterTime({
    clusterTime: new Timestamp({ t: Math.floor((localTime as Date).getTime() / 1_000) + AHEAD_S, i: 1 }),
    signature: { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO },
  });
  await client.db('admin').command({ ping: 1 }, { session });
  await session.endSession();
  await client.close();
}

/** A new event with one destination that is not started. */
function buildEvent(id: number, now: Date): NewEvent {
  const destination = {
    endpoint_id: 'ep_a',
    url: 'https://receiver.example/',
    state: 'pending',
    attempt_count: 0,
    next_attempt_at: now,
    completed_at: null,
    run: 1,
    dispatch: 'due',
  } as const;
  return {
    id,
    accountId: 'acc_a',
    type: 'order.created',
    data: Buffer.from('{}'),
    timestamp: Math.floor(now.getTime() / 1_000),
    idempotencyKey: null,
    payloadHash: null,
    search: [],
    retentionMs: 1,
    destinations: [destination],
    endpoints: [],
    now,
    madeAt: 0,
  };
}

it("a dead worker's claim blocks others for its lease, not for the hour", async () => {
  const leaseMs = 40_000;
  const { db } = server.mongo;
  const deliveries = createDeliveryStore(db, leaseMs, 86_400_000, UNSEALED);
  const attempt = buildAttempt({ eventId: 1, endpointId: 'ep_a', run: 1 });
  expect(await deliveries.claim(attempt, 'a worker that died')).toEqual({ kind: 'claimed' });
  const claim = await db.collection('attempts').findOne<{ claimed_at: Timestamp }>({});
  expect(claim!.claimed_at.t - Date.now() / 1_000).toBeGreaterThan(AHEAD_S - 600);

  const taken = await deliveries.claim(attempt, 'another');

  expect(taken).toEqual({ kind: 'taken', forMs: expect.any(Number) });
  expect((taken as { forMs: number }).forMs).toBeLessThanOrEqual(leaseMs);
});

it('an event that was never started is found after the grace period, not after the hour', async () => {
  const { db } = server.mongo;
  const events = createEventStore(db, UNSEALED);
  await events.ensureIndexes();
  const dispatch = createDispatchStore(db);
  const now = await dispatch.now();
  await events.insert([buildEvent(1, now)]);
  const find = (before: Date) => dispatch.findDue(before, now, 10, newBacklogCursor());
  const later = (ms: number) => new Date(now.getTime() + ms);

  expect(await find(later(-10_000))).toEqual([]);
  expect((await find(later(1_000))).map(({ event }) => event._id)).toEqual([1]);
});
