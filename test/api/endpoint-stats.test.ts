import { Timestamp } from 'mongodb';
import type { StoredEvent } from '../../src/stores/event-store';
import { useCaller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { watchReads } from '../support/watch-reads';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const HOUR_S = 3_600;

const stack = useStack({ env: { RETRY_SCHEDULE: '0s,50ms,50ms' } });
const api = useCaller(stack);
const receiver = useReceiver();

const register = async (events: string[]): Promise<string> => (await api.register({ url: receiver.url, events })).id;

/** Ingests events, and waits until they have ended. */
async function sendAll(type: string, count: number): Promise<number[]> {
  const sent = await Promise.all(Array.from({ length: count }, () => api.ingest({ type })));
  const ids = sent.map(({ id }) => id as number);
  for (const id of ids) await api.untilEvent(id, 'delivered', 'failed');
  return ids;
}

/** As if the events had been accepted that long ago. */
async function age(ids: number[], seconds: number): Promise<void> {
  const acceptedAt = new Timestamp({ t: Math.floor(Date.now() / 1_000) - seconds, i: 1 });
  await stack.mongo.db
    .collection<StoredEvent>('events')
    .updateMany({ _id: { $in: ids } }, { $set: { accepted_at: acceptedAt } });
}

describe('GET /api/v1/webhooks/endpoints/{endpoint_id}/stats', () => {
  it('200 with zeros for an endpoint without deliveries', async () => {
    const id = await register(['never']);
    const { status, body } = await api.get(`${ENDPOINTS}/${id}/stats`);
    expect([status, body]).toEqual([
      200,
      {
        endpoint_id: id,
        window: '24h',
        since: expect.any(String),
        until: expect.any(String),
        complete: true,
        deliveries: { pending: 0, retrying: 0, delivered: 0, failed: 0, cancelled: 0 },
        success_rate: null,
        attempts: { total: 0, succeeded: 0, failed: 0 },
        latency_ms: null,
      },
    ]);
    expect(Date.parse(body.until) - Date.parse(body.since)).toBe(24 * HOUR_S * 1_000);
  });

  it("200 counts this endpoint's deliveries by state, its attempts and latencies, and no other endpoint's", async () => {
    const id = await register(['stats.*']);
    await register(['stats.*']);
    await sendAll('stats.good', 6);
    receiver.answerWith(503);
    await sendAll('stats.bad', 2);
    await api.post(`${ENDPOINTS}/${id}/pause`);
    await api.ingest({ type: 'stats.held' });

    const { body } = await api.get(`${ENDPOINTS}/${id}/stats?window=1h`);

    expect(body).toMatchObject({
      window: '1h',
      complete: true,
      deliveries: { pending: 1, retrying: 0, delivered: 6, failed: 2, cancelled: 0 },
      success_rate: 0.75,
      attempts: { total: 12, succeeded: 6, failed: 6 },
    });
    expect(body.latency_ms.p50).toBeGreaterThanOrEqual(0);
    expect(body.latency_ms.p95).toBeGreaterThanOrEqual(body.latency_ms.p50);
  });

  it('a percentile is the latency that so many attempts did not exceed', async () => {
    const id = await register(['percentile']);
    const ids = await sendAll('percentile', 20);
    // 10, 20, … 200 ms.
    const attempts = stack.mongo.db.collection<{ _id: string }>('attempts');
    await Promise.all(
      ids.map((eventId, index) =>
        attempts.updateOne({ _id: `${eventId}.${id}/1/1` }, { $set: { 'answer.latency_ms': (index + 1) * 10 } }),
      ),
    );
    expect((await api.get(`${ENDPOINTS}/${id}/stats`)).body.latency_ms).toEqual({ p50: 100, p95: 190 });
  });

  it('a window covers the events accepted in it', async () => {
    const id = await register(['window']);
    const ids = await sendAll('window', 4);
    await age([ids[0]!], 2 * HOUR_S);
    await age([ids[1]!], 25 * HOUR_S);
    await age([ids[2]!], 8 * 24 * HOUR_S);
    const delivered = async (window: string) =>
      (await api.get(`${ENDPOINTS}/${id}/stats?window=${window}`)).body.deliveries.delivered as number;
    expect([await delivered('1h'), await delivered('24h'), await delivered('7d')]).toEqual([1, 2, 3]);
  });

  it('above 10,000 deliveries it reads only the newest, and says so', async () => {
    const id = await register(['many']);
    const template = (await stack.mongo.db.collection<StoredEvent>('events').findOne({ account_id: api.accountId }))!;
    const destination = { ...template.destinations[0]!, endpoint_id: id, attempt_count: 0 };
    const now = Math.floor(Date.now() / 1_000);
    const documents = Array.from({ length: 10_050 }, (_, index) => ({
      ...template,
      _id: 5_000_000 + index,
      accepted_at: new Timestamp({ t: now - 60, i: index + 1 }),
      // The oldest hundred failed.
      destinations: [{ ...destination, state: index < 100 ? ('failed' as const) : ('delivered' as const) }],
    }));
    await stack.mongo.db.collection<StoredEvent>('events').insertMany(documents);

    const { body } = await api.get(`${ENDPOINTS}/${id}/stats`);

    expect(body).toMatchObject({ complete: false, deliveries: { delivered: 9_950, failed: 50 } });
  });

  it("reads through an index, and never another endpoint's deliveries", async () => {
    const id = await register(['indexed']);
    const reads = await watchReads(stack.mongo, () => api.get(`${ENDPOINTS}/${id}/stats`));
    const ofAccount = reads.filter(({ command }) => command['pipeline']?.[0]?.$match?.account_id === api.accountId);
    expect(ofAccount).toEqual([
      expect.objectContaining({
        collection: 'events',
        plan: expect.stringContaining('IXSCAN'),
        documents: 0,
        returned: 0,
      }),
    ]);
  });

  it.each([
    ['window=2h', 'window'],
    ['window=', 'window'],
    ['since=1', 'since'],
  ])('400 for ?%s', async (query, path) => {
    const id = await register(['x']);
    const { status, body } = await api.get(`${ENDPOINTS}/${id}/stats?${query}`);
    expect([status, body.code, body.details]).toEqual([400, 'invalid_request', [expect.objectContaining({ path })]]);
  });
});
