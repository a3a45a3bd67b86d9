import type { HeldDelivery } from '../../src/record/held-store';
import { createGate } from '../../src/dispatch/gate';
import type { DeliveryStart } from '../../src/dispatch/executions';
import type { Endpoint } from '../../src/record/endpoint-store';
import type { DeliveryOf, Destination, StoredEvent } from '../../src/record/event-store';
import { createLogger } from '../../src/platform/logger';

// What an endpoint's gate releases, and when. test/data-path tests it with MongoDB.

const NOW = new Date('2026-11-21T12:00:00Z');

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What the gate finds. Each may be changed as a test goes. */
interface World {
  endpoint: Pick<Endpoint, 'status' | 'options'> | null;
  /** The deliveries that may be released, the earliest accepted first; the run is 1 by default. */
  held: (number | { readonly id: number; readonly run: number })[];
  /** How many more attempts may be under way. */
  room: number;
  /** How many released ones are neither sent nor started. */
  waiting: number;
  untilNextTurnMs: number;
  firstInLine: number | null;
  isFree: boolean;
  isExpress: boolean;
  /** The ones that another process releases at the same time. */
  readonly lost: Set<number>;
  isAway: boolean;
}

function build(given: Partial<World> = {}) {
  const world: World = {
    endpoint: { status: 'active' },
    held: [],
    room: 64,
    waiting: 0,
    untilNextTurnMs: 0,
    firstInLine: null,
    isFree: true,
    isExpress: false,
    lost: new Set(),
    isAway: false,
    ...given,
  };
  const dispatched: DeliveryStart[] = [];
  const cancelled: object[] = [];
  const claims: boolean[] = [];
  let looks = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  /** While it is there, a look waits for it. */
  let pause: Promise<void> | undefined;
  const heldNow = (): HeldDelivery[] =>
    world.held.map((it) => {
      const { id, run } = typeof it === 'number' ? { id: it, run: 1 } : it;
      return { eventId: id, endpointId: 'ep_one', run, accountId: 'acc_one' };
    });

  const gate = createGate({
    endpoints: {
      async find(_id) {
        looks += 1;
        mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
        await pause;
        underWay -= 1;
        if (world.isAway) throw new Error('MongoDB is away');
        return world.endpoint && ({ ...world.endpoint, _id, account_id: 'acc_one' } as Endpoint);
      },
    },
    deliveries: {
      nextHeld: async (_endpointId, limit) => heldNow().slice(0, limit),
      async releaseHeld(refs, _owner, isClaiming) {
        claims.push(isClaiming);
        const ids = refs.map(({ eventId }) => eventId);
        world.held = world.held.filter((it) => !ids.includes(typeof it === 'number' ? it : it.id));
        return refs.filter(({ eventId }) => !world.lost.has(eventId)).map(({ eventId, run }) => loaded(eventId, run));
      },
      async cancelAllOf(endpoint) {
        cancelled.push(endpoint);
        return world.held.splice(0).length;
      },
    },
    order: {
      firstInLine: async ({ endpointId }) =>
        world.firstInLine === null ? null : { eventId: world.firstInLine, endpointId, run: 1 },
      isFree: async () => world.isFree,
    },
    rates: { untilNextTurn: async () => world.untilNextTurnMs },
    load: { roomFor: () => world.room },
    dispatcher: {
      dispatch: (delivery) => dispatched.push(delivery) > 0,
      isExpress: () => world.isExpress,
      waitingFor: () => world.waiting,
    },
    logger: createLogger('silent'),
    owner: 'this process',
  });
  return {
    gate,
    world,
    dispatched,
    cancelled,
    claims,
    gone: () => dispatched.map(({ ref }) => ref.eventId),
    looks: () => looks,
    mostUnderWay: () => mostUnderWay,
    async look() {
      gate.look('ep_one');
      await settle();
    },
    async attemptEnded() {
      gate.attemptEnded('ep_one');
      await settle();
    },
    /** Makes looks wait. @returns a function that lets them continue */
    hold(): () => Promise<void> {
      let release = (): void => undefined;
      pause = new Promise((resolve) => (release = resolve));
      return async () => {
        pause = undefined;
        release();
        await settle();
      };
    },
  };
}

/** A released delivery, after two failed attempts. */
function loaded(eventId: number, run: number): DeliveryOf<StoredEvent> {
  const destination: Destination = {
    endpoint_id: 'ep_one',
    url: 'https://example.com/hook',
    state: 'retrying',
    attempt_count: 2,
    next_attempt_at: NOW,
    completed_at: null,
    run,
    dispatch: 'due',
    claimed_by: 'this process',
    claimed_until: null,
  };
  const event: Partial<StoredEvent> = { _id: eventId, account_id: 'acc_one', type: 'order.created' };
  return { event: event as StoredEvent, destination };
}

describe('an open gate', () => {
  it('releases held deliveries in order, at once, from their next attempt', async () => {
    const { look, dispatched, gone, world } = build({ held: range(1, 10) });
    await look();
    expect(gone()).toEqual(range(1, 10));
    expect(dispatched[0]).toMatchObject({
      ref: { eventId: 1, endpointId: 'ep_one', run: 1 },
      accountId: 'acc_one',
      firstAttempt: 3,
      firstDelayMs: 0,
    });
    expect(world.held).toEqual([]);
  });

  it.each([true, false])('claims them for this process if it makes the attempts itself: %s', async (isExpress) => {
    const { look, claims, dispatched } = build({ held: [1], isExpress });
    await look();
    expect(claims).toEqual([isExpress]);
    expect(dispatched.map(({ stage }) => stage)).toEqual([isExpress ? 'claimed' : undefined]);
  });

  it('sends nothing that another process released at the same time', async () => {
    const { look, gone } = build({ held: range(1, 4), lost: new Set([2, 4]) });
    await look();
    expect(gone()).toEqual([1, 3]);
  });

  it('releases as many as there is room for, less those already waiting here', async () => {
    const { look, gone, world } = build({ held: range(1, 10), room: 6, waiting: 2 });
    await look();
    expect(gone()).toEqual(range(1, 4));
    world.waiting = 6;
    await look();
    world.waiting = 9;
    await look();
    expect(gone()).toHaveLength(4);
  });
});

describe('a closed gate', () => {
  it.each(['paused', 'disabled'] as const)(
    'of a %s endpoint releases nothing until the endpoint is active',
    async (status) => {
      const { look, gone, world } = build({ held: [1], endpoint: { status } });
      await look();
      expect(gone()).toEqual([]);
      world.endpoint = { status: 'active' };
      await look();
      expect(gone()).toEqual([1]);
    },
  );

  it('of a removed endpoint cancels the held deliveries', async () => {
    const { look, gone, cancelled } = build({ held: range(1, 3), endpoint: null });
    await look();
    expect(gone()).toEqual([]);
    expect(cancelled).toEqual([{ accountId: 'acc_one', endpointId: 'ep_one' }]);
    await look();
    expect(cancelled).toHaveLength(1);
  });
});

describe('the rate of an endpoint', () => {
  it.each([
    ['ten turns come within a second, and one now', 10, 0, 11],
    ['the first of them comes in half a second', 10, 500, 6],
    ['none comes within a second', 10, 1_001, 0],
    ['one a minute, and it is now', 1 / 60, 0, 1],
  ])('releases deliveries whose turn is near: %s', async (_what, perSecond, untilNextTurnMs, count) => {
    const endpoint = { status: 'active', options: { max_per_second: perSecond } } as const;
    const { look, gone } = build({ held: range(1, 60), endpoint, untilNextTurnMs });
    await look();
    expect(gone()).toEqual(range(1, count));
  });

  it('releases no more than there is room for', async () => {
    const { look, gone } = build({
      held: range(1, 60),
      endpoint: { status: 'active', options: { max_per_second: 50 } },
      room: 3,
    });
    await look();
    expect(gone()).toEqual([1, 2, 3]);
  });
});

describe('the line of an ordered endpoint', () => {
  const endpoint = { status: 'active', options: { ordered: true } } as const;

  it('releases the first in line only', async () => {
    const { look, gone } = build({ held: [2, 3, 4], endpoint, firstInLine: 2 });
    await look();
    expect(gone()).toEqual([2]);
  });

  it.each([
    ['the first waits for its retry', { firstInLine: 1 }],
    ['the one before it is still being sent', { firstInLine: 2, isFree: false }],
  ])('releases none while %s', async (_what, line) => {
    const { look, gone } = build({ held: [2, 3, 4], endpoint, ...line });
    await look();
    expect(gone()).toEqual([]);
  });

  it.each([
    ['together with the first in line', true],
    ['while an attempt is under way', false],
  ])('releases replays %s, because they skip the line', async (_when, isFree) => {
    const { look, gone } = build({ held: [2, { id: 3, run: 2 }, 4], endpoint, firstInLine: 2, isFree });
    await look();
    expect(gone()).toEqual(isFree ? [2, 3] : [3]);
  });
});

describe('when it looks', () => {
  it('runs one look at a time, and combines requests made meanwhile into one that follows', async () => {
    const { gate, hold, gone, looks, mostUnderWay, world } = build({ held: [1] });
    const goOn = hold();
    for (let asked = 0; asked < 10; asked += 1) gate.look('ep_one');
    await settle();
    expect(looks()).toBe(1);
    world.held = [1, 2];
    await goOn();
    expect([looks(), mostUnderWay()]).toEqual([2, 1]);
    expect(gone()).toEqual([1, 2]);
  });

  it('looks at several endpoints at the same time', async () => {
    const { gate, hold, mostUnderWay } = build();
    const goOn = hold();
    gate.look('ep_one');
    gate.look('ep_two');
    await goOn();
    expect(mostUnderWay()).toBe(2);
  });

  it('looks again when an attempt ends only where it may hold more than there was room for', async () => {
    const { look, attemptEnded, gone, looks, world } = build({ held: range(1, 3), room: 2 });
    await attemptEnded();
    expect(looks()).toBe(0);
    await look();
    expect(gone()).toEqual([1, 2]);
    await attemptEnded();
    expect(gone()).toEqual([1, 2, 3]);
    const before = looks();
    world.held = [4];
    await attemptEnded();
    expect(looks()).toBe(before);
  });

  it('looks again when an attempt ends if there was no room at all', async () => {
    const { look, attemptEnded, gone, world } = build({ held: [1], room: 0 });
    await look();
    world.room = 1;
    await attemptEnded();
    expect(gone()).toEqual([1]);
  });

  it('makes up for a failed look with the next one', async () => {
    const { look, gone, world } = build({ held: [1], isAway: true });
    await look();
    expect(gone()).toEqual([]);
    world.isAway = false;
    await look();
    expect(gone()).toEqual([1]);
  });

  it('close waits for the look under way, and then looks no more', async () => {
    const { gate, hold, look, looks } = build({ held: [1] });
    const goOn = hold();
    gate.look('ep_one');
    gate.look('ep_one');
    let closed = false;
    const closing = gate.close().then(() => (closed = true));
    await settle();
    expect(closed).toBe(false);
    await goOn();
    await closing;
    await look();
    expect(looks()).toBe(1);
  });
});
