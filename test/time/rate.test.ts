import { createRateStore } from '../../src/stores/rate-store';
import { createMongo } from '../../src/platform/mongo';
import { buildAttempt, ownType, receivedIds, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// `max_per_second`: requests to an endpoint are spaced, over all processes. What is too much waits; nothing is lost, and
// no attempt is consumed.

const path = useDataPath();
const receiver = useReceiver();

/** Timers and the history count whole milliseconds; turns have fractions. */
const TIMER_MS = 2;

async function nowMs(): Promise<number> {
  return (await path.parts.stores.dispatch.now()).getTime();
}

describe('turns', () => {
  it('each comes one interval after the previous one, also when two processes ask at once', async () => {
    const other = createMongo(path.config.mongodb.uri!);
    const stores = [path.parts.stores.rates, createRateStore(other.db)];
    try {
      const before = await nowMs();
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => stores[index % 2]!.takeTurn('ep_spaced', 30, Infinity)),
      );
      const nextAt = (await stores[0]!.untilNextTurn('ep_spaced')) + (await nowMs());
      expect(nextAt).toBeGreaterThanOrEqual(before + 60 * (1_000 / 30));
    } finally {
      await other.close();
    }
  });

  it("a turn beyond the attempt's patience is left to others", async () => {
    const { rates } = path.parts.stores;
    const ask = (patienceMs: number) => rates.takeTurn('ep_patience', 0.1, patienceMs);

    expect(await ask(1_000)).toBe(0);
    expect([await ask(1_000), await ask(1_000)]).toEqual([null, null]);

    expect(await rates.untilNextTurn('ep_patience')).toBeLessThanOrEqual(10_000);
    expect(await ask(10_000)).toBeGreaterThan(0);
    expect(await rates.untilNextTurn('ep_patience')).toBeGreaterThan(10_000);
  });

  it('unused turns are not made up for in a burst', async () => {
    const { rates } = path.parts.stores;
    await rates.takeTurn('ep_outage', 20, 0);
    const stored = path.mongo.db.collection<{ _id: string; next_turn: number }>('rates');
    await stored.updateOne({ _id: 'ep_outage' }, { $set: { next_turn: 1 } });
    const before = await nowMs();

    const waits = await Promise.all(Array.from({ length: 50 }, () => rates.takeTurn('ep_outage', 20, 1_000)));

    const taken = waits.filter((waitMs) => waitMs !== null).length;
    expect(taken).toBeGreaterThanOrEqual(20);
    const nextAt = (await rates.untilNextTurn('ep_outage')) + (await nowMs());
    expect(nextAt).toBeGreaterThanOrEqual(before + taken * 50);
  });
});

it('an attempt whose turn is too late leaves no trace: its delivery is held', async () => {
  const { type, ref } = await path.promiseTo(receiver.url, { max_per_second: 0.1 });
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(ref));
  const attempt = buildAttempt((await path.promise(type)).ref);

  expect(await worker.attemptDelivery(attempt)).toEqual({ kind: 'held', reason: 'at_rate' });

  expect(await path.attempts.countDocuments({ event_id: attempt.eventId })).toBe(0);
  const held = { state: 'pending', attempt_count: 0, dispatch: 'held', held_for: 'at_rate', next_attempt_at: null };
  expect(await path.destination(attempt)).toMatchObject(held);
});

describe('with a worker', () => {
  beforeAll(() => path.worker());

  /** Promises an event, as an API does. */
  async function send(type: string): Promise<number> {
    return (await path.promise(type, { deps: { dispatcher: path.parts.dispatcher } })).id;
  }

  it('removing a rate releases everything', async () => {
    const type = ownType();
    const endpointId = await path.endpoint(receiver.url, type, { max_per_second: 0.01 });
    await path.untilState({ eventId: await send(type), endpointId }, 'delivered');
    const later = { eventId: await send(type), endpointId };
    await path.sweep();
    expect(await path.destination(later)).toMatchObject({ dispatch: 'held', held_for: 'at_rate' });

    await path.endpoints.updateOne({ _id: endpointId }, { $unset: { options: true } });
    await path.sweep();

    await path.untilState(later, 'delivered');
    expect(receiver.requests).toHaveLength(2);
  });

  it('a burst arrives at the rate, once each, with one attempt each, nearly in order', async () => {
    const [rate, count] = [20, 60];
    const type = ownType();
    const endpointId = await path.endpoint(receiver.url, type, { max_per_second: rate });
    const before = await nowMs();

    const sent: number[] = [];
    for (let index = 0; index < count; index += 1) sent.push(await send(type));
    const destinations = await Promise.all(
      sent.map((eventId) => path.untilState({ eventId, endpointId }, 'delivered')),
    );

    expect(destinations.map(({ attempt_count: made }) => made)).toEqual(Array(count).fill(1));
    const ids = receivedIds(receiver);
    expect([ids.length, new Set(ids).size]).toEqual([count, count]);
    const starts = (await Promise.all(sent.map(startedAt))).sort((a, b) => a - b);
    for (const [turn, at] of starts.entries()) {
      expect(at).toBeGreaterThan(before + (turn * 1_000) / rate - TIMER_MS);
    }
    // The turns of two seconds may be released together.
    const displaced = ids.map((id, index) => Math.abs(sent.indexOf(id) - index));
    expect(Math.max(...displaced)).toBeLessThanOrEqual(2 * rate);
  });
});

async function startedAt(eventId: number): Promise<number> {
  return (await path.history(eventId))[0]!.answer.started_at.getTime();
}
