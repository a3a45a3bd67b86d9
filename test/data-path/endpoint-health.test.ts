import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { answerSeen, mergeSeen, type FailureCause } from '../../src/domain/endpoint-health';
import { createAnswerLog } from '../../src/endpoints/answer-log';
import { createDeliveryLog } from '../../src/endpoints/delivery-log';
import { getEndpointHistory } from '../../src/endpoints/read-health';
import { createLogger } from '../../src/platform/logger';
import { createAttemptCountStore } from '../../src/stores/attempt-count-store';
import type { StoredAnswer } from '../../src/stores/attempt-store';
import { createDeliveryCountStore } from '../../src/stores/delivery-count-store';
import type { LoadedDelivery } from '../../src/stores/delivery-store';
import { createEndpointHealthStore } from '../../src/stores/endpoint-health-store';
import { buildAttempt, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// The counters of attempts and the health of endpoints, as they are written with the answers.

const path = useDataPath();
const receiver = useReceiver(500);
let type: string;
let id: string;

beforeEach(async () => {
  type = ownType();
  id = await path.endpoint(receiver.url, type);
});

/** What the API would show of the endpoint now. */
async function shown() {
  await path.parts.answerLog.flush();
  const viewer = { accountId: path.accountId, now: await path.parts.stores.dispatch.now() };
  return getEndpointHistory(path.parts.stores, viewer, id, { window: '24h' });
}

describe('attempts', () => {
  it('that are repeated after a crash are counted once', async () => {
    const attempt = buildAttempt((await path.promise(type)).ref);
    await path.executor().attemptDelivery(attempt);
    await path.executor().attemptDelivery(attempt);

    expect((await shown()).history.totals.attempts).toBe(1);
  });

  it('of an endpoint that only fails make it fail, from the first one on, with the last error', async () => {
    for (let count = 0; count < 3; count += 1) await path.attempt(type);
    receiver.answerWith(410);
    await path.attempt(type);

    const { state, seen } = (await shown()).health;

    expect(state).toBe('failing');
    expect(seen).toMatchObject({
      succeededAt: null,
      cause: { code: 'http_status', statusCode: 410, text: 'The receiver answered 410 Gone.' },
      run: { failures: 4, sameCause: 1 },
    });
    const [first] = await path.attempts.find({ endpoint_id: id }).sort({ 'answer.started_at': 1 }).toArray();
    expect(seen!.run!.since.getTime()).toBe(first!.answer!.started_at.getTime() + first!.answer!.latency_ms);
  });

  it('of a replay that succeeds end an outage, and do not erase it', async () => {
    const { ref } = await path.promise(type);
    await path.executor().attemptDelivery(buildAttempt(ref, { nextDelayMs: null }));
    expect((await shown()).health.state).toBe('failing');
    receiver.answerWith(200);
    const again = (await path.parts.stores.deliveries.replay(ref))!;
    await path.executor().attemptDelivery(buildAttempt(again, { nextDelayMs: null }));

    const { health, history } = await shown();

    expect(health.state).toBe('degraded');
    expect(health.seen).toMatchObject({ cause: { statusCode: 500 }, run: null });
    expect(history.totals).toMatchObject({ attempts: 2, succeeded: 1, failedBy: { http_500: 1 } });
  });

  it('are kept by five minutes for a day, and by hour for 30 days', async () => {
    const before = await path.parts.stores.dispatch.now();
    await path.attempt(type);
    await shown();
    const kept = await path.mongo.db.collection('attempt_counts').find({ endpoint_id: id }).toArray();
    const daysOf = (grain: string): number => {
      const { expires_at: expiresAt } = kept.find((it) => it['grain'] === grain) as { expires_at?: Date };
      return Math.floor((expiresAt!.getTime() - before.getTime()) / 86_400_000);
    };
    expect([kept.length, daysOf('5m'), daysOf('1h')]).toEqual([2, 1, 30]);
    const indexes = await path.mongo.db.collection('attempt_counts').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
  });

  it('of a removed endpoint leave no health behind', async () => {
    await path.attempt(type);
    await shown();
    await path.parts.stores.health.remove(id);

    expect(await path.parts.stores.health.find([id])).toEqual(new Map());
  });
});

describe('the record of a run of failures', () => {
  const CAUSES: readonly FailureCause[] = [
    { code: 'http_status', statusCode: 503, text: '$503' },
    { code: 'timeout', statusCode: null, text: 'No answer.' },
  ];
  const cause = fc.option(fc.constantFrom(...CAUSES));

  it('is the same however many flushes and processes write it', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cause, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
        async (flushes) => {
          count += 1;
          const endpointId = `ep_property${count}`;
          let second = 0;
          const groups = flushes.map((group) =>
            group.map((it) => answerSeen(new Date((second += 1) * 1_000), it)).reduce(mergeSeen),
          );
          for (const seen of groups) {
            await path.parts.stores.health.note([{ endpointId, accountId: path.accountId, seen }]);
          }
          const stored = await path.parts.stores.health.find([endpointId]);
          expect(stored.get(endpointId)).toEqual(groups.reduce(mergeSeen));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('what counting costs', () => {
  const ANSWER: Omit<StoredAnswer, 'sent'> = {
    started_at: new Date(),
    latency_ms: 12,
    succeeded: true,
    status_code: 200,
    error_code: null,
    error: null,
    response_snippet: null,
    url: 'https://example.com/',
    resends: 0,
    timings: {},
  };

  it.each([
    ['20 answers of one second', 20, 20, 0.15],
    ['1,000 answers to 50 endpoints, in a burst', 1_000, 50, 0.003],
  ])('%s: %d answers, %d endpoints, %d commands for each', async (_title, answers, endpoints, commands) => {
    const client = await new MongoClient(path.config.mongodb.uri!, { monitorCommands: true }).connect();
    const db = client.db(path.mongo.db.databaseName);
    const sent: string[] = [];
    client.on('commandStarted', ({ commandName, databaseName }) => {
      if (databaseName === db.databaseName) sent.push(commandName);
    });
    const log = createAnswerLog({
      attemptCounts: createAttemptCountStore(db),
      health: createEndpointHealthStore(db),
      deliveryLog: createDeliveryLog({
        deliveryCounts: createDeliveryCountStore(db),
        clock: Date.now,
        logger: createLogger('silent'),
      }),
      logger: createLogger('silent'),
    });
    try {
      for (let count = 0; count < answers; count += 1) {
        const endpoint = { _id: `ep_cost${answers}_${count % endpoints}`, account_id: 'acc_cost' };
        const event = { account_id: 'acc_cost', type: `type.${count}`, timestamp: 0, key_id: 'key_cost' };
        const delivery = { event, destination: { endpoint_id: endpoint._id } } as LoadedDelivery;
        const input = { number: 1, run: 1, nextDelayMs: null };
        log.note({ delivery, endpoint, input, answer: ANSWER as StoredAnswer });
      }
      await log.close();
    } finally {
      await client.close();
    }

    expect(sent).toEqual(['update', 'update', 'update']);
    expect(sent.length / answers).toBe(commands);
  });
});

describe('reading', () => {
  it('health examines only the documents that it returns', async () => {
    const { db } = path.mongo;
    await path.parts.ensureIndexes();
    const { attemptCounts } = path.parts.stores;
    const at = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    const counts = { attempts: 1, succeeded: 1, retries: 0, failedBy: {}, latencies: { 4: 1 } };
    const others = Array.from({ length: 300 }, (_, index) => ({
      accountId: `acc_${index % 30}`,
      endpointId: `ep_reading${index}`,
      at,
      counts,
    }));
    await attemptCounts.add(others);
    await db.command({ profile: 2 });
    await attemptCounts.byEndpoint(['ep_reading7', 'ep_reading37'], '1h', at);
    await attemptCounts.series('acc_7', '5m', at);
    await attemptCounts.series('ep_reading7', '1h', at);
    await path.parts.stores.outages.findUnannounced(0);
    await path.parts.stores.outages.findRecovered();
    await path.parts.stores.outages.countFailing();
    await db.command({ profile: 0 });
    const reads = await db
      .collection('system.profile')
      .find({ $or: [{ 'command.find': 'attempt_counts' }, { 'command.aggregate': 'endpoint_health' }] })
      .sort({ ts: 1 })
      .toArray();

    expect(reads.map(({ planSummary }) => String(planSummary).split(' ')[0])).toEqual(Array(6).fill('IXSCAN'));
    expect(reads.slice(0, 3).map(({ docsExamined }) => docsExamined as number)).toEqual([2, 1, 1]);
  });
});
