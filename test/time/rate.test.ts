import { createRateStore, type RateStore } from '../../src/dispatch/rate-store';
import { createMongo } from '../../src/platform/mongo';
import { buildAttempt, ownType, receivedIds, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// `max_per_second`: requests to an endpoint are spaced, over all processes. What is too much waits; nothing is lost, and
// no attempt is consumed.

const path = useDataPath();
const receiver = useReceiver();

/** Timers and the history count whole milliseconds; turns have fractions. */
const TIMER_MS = 2;

/** The most of the given moments (in milliseconds) within one second. */
function mostInASecond(moments: readonly number[]): number {
  return Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 1_000).length));
}

describe('turns', () => {
  it('two processes that ask at once get moments of their own, one interval apart', async () => {
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

  it('an attempt that would wait too long gets a place behind all others, and keeps it when it asks too early', async () => {
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

  it('places whose time is over do not make up for it in a burst', async () => {
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

it('an attempt that has to wait for its turn leaves nothing behind, and is made with its place', async () => {
  const { type, ref } = await path.promiseTo(receiver.url, { max_per_second: 1 });
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(ref));
  const attempt = buildAttempt((await path.promise(type)).ref);

  const outcome = await worker.attemptDelivery(attempt);

  if (outcome.kind !== 'busy') throw new Error(`not busy: ${outcome.kind}`);
  expect(outcome.waitMs).toBeGreaterThan(0);
  expect(outcome.waitMs).toBeLessThanOrEqual(1_000);
  expect(await path.history(attempt.eventId)).toEqual([]);
  expect(await path.attempts.countDocuments({ event_id: attempt.eventId })).toBe(0);
  expect(await path.destination(attempt)).toMatchObject({ state: 'pending', attempt_count: 0 });

  const placeAtMs = outcome.placeAtMs!;
  expect(await worker.attemptDelivery({ ...attempt, placeAtMs })).toMatchObject({ kind: 'answered', statusCode: 200 });
  expect(await startedAt(attempt.eventId)).toBeGreaterThan(placeAtMs - TIMER_MS);
});

it('a rate that is lifted lets everything go, whatever place it had', async () => {
  const { type, ref, endpointId } = await path.promiseTo(receiver.url, { max_per_second: 0.1 });
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(ref));
  const attempt = buildAttempt((await path.promise(type)).ref);
  expect((await worker.attemptDelivery(attempt)).kind).toBe('busy');

  await path.endpoints.updateOne({ _id: endpointId }, { $unset: { options: true } });

  expect(await worker.attemptDelivery({ ...attempt, placeAtMs: Date.now() + 3_600_000 })).toMatchObject({
    kind: 'answered',
  });
});

it('a burst arrives at the rate, once each, with one attempt each, in about its order', async () => {
  const [rate, count] = [20, 30];
  const { rates } = path.parts.stores;
  const turns: number[] = [];
  const takeTurn: RateStore['takeTurn'] = async (...args) => {
    const turn = await rates.takeTurn(...args);
    if (turn.kind === 'go') turns.push(turn.atMs);
    return turn;
  };
  await path.worker({ rates: { ...rates, takeTurn } });
  const type = ownType();
  await path.endpoint(receiver.url, type, { max_per_second: rate });

  const sent: number[] = [];
  for (let index = 0; index < count; index += 1) sent.push((await path.send(type)).id);
  const endpointId = (await path.event(sent[0]!)).destinations[0]!.endpoint_id;
  const destinations = await Promise.all(sent.map((eventId) => path.untilState({ eventId, endpointId }, 'delivered')));

  expect(destinations.map(({ attempt_count: made }) => made)).toEqual(Array(count).fill(1));
  const ids = receivedIds(receiver);
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  // No request leaves before its turn, and the turns are an interval apart.
  const starts = (await Promise.all(sent.map(startedAt))).sort((a, b) => a - b);
  turns.sort((a, b) => a - b);
  for (const [index, turn] of turns.entries()) expect(starts[index]).toBeGreaterThan(turn - TIMER_MS);
  expect(Math.min(...turns.slice(1).map((turn, index) => turn - turns[index]!))).toBeGreaterThan(1_000 / rate - 0.01);
  const displaced = ids.map((id, index) => Math.abs(sent.indexOf(id) - index));
  expect(Math.max(...displaced)).toBeLessThanOrEqual(2 * rate);
});

async function startedAt(eventId: number): Promise<number> {
  return (await path.history(eventId))[0]!.answer.started_at.getTime();
}
