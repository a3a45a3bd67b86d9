import { createRateStore } from '../../src/dispatch/rate-store';
import { createMongo } from '../../src/platform/mongo';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath, type Promised } from '../support/build-data-path';

// `max_per_second`: requests to an endpoint are spaced, over all processes. What is too much waits; nothing is lost, and
// no attempt is consumed.

let path: DataPath;
let receiver: Receiver;

beforeAll(async () => {
  path = await buildDataPath();
});

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
});

afterEach(() => receiver.close());

/** The most of the given moments (in milliseconds) within one second. */
function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1_000).length));
}

describe('turns', () => {
  test('two processes that ask at once get moments of their own, one interval apart', async () => {
    const other = createMongo(path.config.mongodb.uri!);
    const stores = [path.parts.stores.rates, createRateStore(other.db)];
    try {
      const places = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const turn = await stores[index % 2]!.takeTurn('ep_spaced', { perSecond: 30, patienceMs: -1 });
          return turn.atMs;
        }),
      );
      places.sort((a, b) => a - b);
      const apart = places.slice(1).map((atMs, index) => atMs - places[index]!);
      expect(Math.min(...apart)).toBeGreaterThan(33.3);
      // Where the database was slow in between one place is late, and the others follow it evenly.
      expect(apart.toSorted((a, b) => a - b)[30]).toBeLessThan(33.4);
    } finally {
      await other.close();
    }
  });

  test('who would wait too long gets a place, behind all others, and keeps it when it asks too early', async () => {
    const { rates } = path.parts.stores;
    const ask = (placeAtMs?: number) => rates.takeTurn('ep_places', { perSecond: 1, patienceMs: 100, placeAtMs });

    expect((await ask()).kind).toBe('go');
    const places = [await ask(), await ask(), await ask()];
    expect(places.map(({ kind }) => kind)).toEqual(Array(3).fill('wait'));
    const atMs = places.map((turn) => turn.atMs);
    expect(atMs[1]! - atMs[0]!).toBeCloseTo(1_000, 3);
    expect(atMs[2]! - atMs[1]!).toBeCloseTo(1_000, 3);

    expect(await ask(atMs[2])).toMatchObject({ kind: 'wait', atMs: atMs[2]! });
    expect(await ask(atMs[0])).toMatchObject({ kind: 'wait', atMs: atMs[0]! });
  });

  test('places whose time is over do not make up for it in a burst', async () => {
    const { rates } = path.parts.stores;
    // As after an outage: everybody comes at once, with a place from long ago.
    const turns = await Promise.all(
      Array.from({ length: 50 }, () =>
        rates.takeTurn('ep_outage', { perSecond: 20, patienceMs: 1_000, placeAtMs: 1_000 }),
      ),
    );
    const goes = turns.filter(({ kind }) => kind === 'go').map(({ atMs }) => atMs);
    expect(goes.length).toBeGreaterThanOrEqual(20);
    expect(mostInASecond(goes)).toBeLessThanOrEqual(21);
    const waits = turns.filter(({ kind }) => kind === 'wait');
    expect(waits.length).toBe(50 - goes.length);
    expect(waits.every(({ inMs }) => inMs > 900)).toBe(true);
  });
});

test('an attempt that has to wait for its turn leaves nothing behind, and is made with its place', async () => {
  await path.endpoint(receiver.url, 'rate.place', { max_per_second: 1 });
  const worker = path.executor();
  const attempts = [];
  for (let count = 0; count < 2; count += 1) attempts.push(buildAttempt((await path.promise('rate.place')).ref));
  await worker.attemptDelivery(attempts[0]!);

  const outcome = await worker.attemptDelivery(attempts[1]!);

  if (outcome.kind !== 'busy') throw new Error(`not busy: ${outcome.kind}`);
  expect(outcome.waitMs).toBeGreaterThan(0);
  expect(outcome.waitMs).toBeLessThanOrEqual(1_000);
  expect(await path.mongo.db.collection('attempts').countDocuments({ event_id: attempts[1]!.eventId })).toBe(0);
  expect(await path.destination(attempts[1]!)).toMatchObject({ state: 'pending', attempt_count: 0 });

  const answered = await worker.attemptDelivery({ ...attempts[1]!, placeAtMs: outcome.placeAtMs! });
  expect(answered).toMatchObject({ kind: 'answered', statusCode: 200 });
  // A second, but for what the first took longer on its way.
  expect(receiver.requests[1]!.at - receiver.requests[0]!.at).toBeGreaterThanOrEqual(500);
});

test('a rate that is lifted lets everything go, whatever place it had', async () => {
  const id = await path.endpoint(receiver.url, 'rate.lifted', { max_per_second: 0.1 });
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt((await path.promise('rate.lifted')).ref));
  const attempt = buildAttempt((await path.promise('rate.lifted')).ref);
  expect((await worker.attemptDelivery(attempt)).kind).toBe('busy');

  await path.mongo.db.collection<{ _id: string }>('endpoints').updateOne({ _id: id }, { $unset: { options: true } });

  expect(await worker.attemptDelivery({ ...attempt, placeAtMs: Date.now() + 3_600_000 })).toMatchObject({
    kind: 'answered',
  });
});

test('a burst arrives at the rate, once each, with one attempt each, in about its order', async () => {
  const rate = 10;
  await path.worker();
  await path.endpoint(receiver.url, 'rate.burst', { max_per_second: rate });

  const sent: Promised[] = [];
  for (let count = 0; count < 40; count += 1) sent.push(await path.send('rate.burst'));
  await receiver.waitFor(40, 60_000);
  const destinations = await eventually(
    () => Promise.all(sent.map(({ ref }) => path.destination(ref))),
    (all) => all.every(({ state }) => state === 'delivered'),
    30_000,
  );

  expect(destinations.map(({ attempt_count: count }) => count)).toEqual(Array(40).fill(1));
  const ids = receiver.requests.map(({ headers }) => Number(headers['x-webhook-id']));
  expect(new Set(ids).size).toBe(40);
  const moments = receiver.requests.map(({ at }) => at);
  // The rate is that of the places, which the test above holds exactly. On a busy machine a second's requests can
  // arrive together with the next one's; without a rate it would be forty.
  expect(mostInASecond(moments)).toBeLessThanOrEqual(2 * rate);
  expect(moments.at(-1)! - moments[0]!).toBeLessThan(20_000);
  const order = sent.map(({ id }) => id);
  const displaced = ids.map((id, index) => Math.abs(order.indexOf(id) - index));
  expect(Math.max(...displaced)).toBeLessThanOrEqual(2 * rate);
}, 120_000);
