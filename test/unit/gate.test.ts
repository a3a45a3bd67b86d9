import { createGate } from '../../src/engine/gate';
import type { StartTask } from '../../src/engine/task';
import { createLogger } from '../../src/platform/logger';
import type { Endpoint } from '../../src/stores/endpoint-store';
import type { DeliveryOf, Destination, StoredEvent } from '../../src/stores/event-store';
import { range, settle } from '../support/steps';

// What an endpoint's gate releases, and when. test/data-path tests it with MongoDB.

const NOW = new Date('2026-11-21T12:00:00Z');
const PAUSED = { status: 'paused' } as const;
const ORDERED = { status: 'active', options: { ordered: true } } as const;
const backlog = (perSecond: number) => ({ status: 'active', backlog_per_second: perSecond }) as const;
const rate = (perSecond: number) => ({ status: 'active', options: { max_per_second: perSecond } }) as const;

/** What the gate finds. Each may be changed as a test goes. */
const WORLD = {
  endpoint: { status: 'active' } as Pick<Endpoint, 'status' | 'options' | 'backlog_per_second'> | null,
  /** The deliveries that may be released, the earliest accepted first. */
  held: [] as readonly number[],
  /** These are replays. */
  replays: [] as readonly number[],
  /** Another process releases these at the same time. */
  lost: [] as readonly number[],
  /** An execution has just given back what is held: it may not be released yet. */
  isGivenBack: false,
  /** How many more attempts may be under way. */
  room: 64,
  /** How many more attempts the receiver may get in this minute. */
  roomOfReceiver: Infinity,
  /** How many released ones are neither sent nor started. */
  waiting: 0,
  untilNextTurnMs: 0,
  firstInLine: null as number | null,
  /** Until the next attempt of the first in line. */
  firstWaitMs: 0,
  isFree: true,
  makesAttempts: false,
  isAway: false,
  /** A look waits for it. */
  pause: undefined as Promise<void> | undefined,
};
type World = typeof WORLD;

function build(given: Partial<World> = {}) {
  const world: World = { ...WORLD, ...given };
  const dispatched: StartTask[] = [];
  const cancelled: object[] = [];
  const releases: { owner: string; isClaiming: boolean }[] = [];
  /** In how many milliseconds the next looks are due. */
  const stored: number[] = [];
  const forgotten: Date[] = [];
  /** Rates of resumes that were ended. */
  const ended: unknown[] = [];
  const looks = { all: 0, underWay: 0, most: 0 };
  const refOf = (eventId: number) => ({ eventId, endpointId: 'ep_one', run: world.replays.includes(eventId) ? 2 : 1 });

  const gate = createGate({
    endpoints: {
      async find(_id) {
        looks.all += 1;
        looks.most = Math.max(looks.most, (looks.underWay += 1));
        await world.pause;
        looks.underWay -= 1;
        if (world.isAway) throw new Error('MongoDB is away');
        return world.endpoint && ({ ...world.endpoint, _id, account_id: 'acc_one' } as Endpoint);
      },
      endBacklog: async ({ _id }) => ended.push(_id) > 0,
    },
    deliveries: {
      nextHeld: async (_endpointId, limit) =>
        world.isGivenBack ? [] : world.held.slice(0, limit).map((id) => ({ ...refOf(id), accountId: 'acc_one' })),
      holdsAny: async () => world.held.length > 0,
      async releaseHeld(refs, owner, isClaiming) {
        releases.push({ owner, isClaiming });
        const ids = refs.map(({ eventId }) => eventId);
        world.held = world.held.filter((id) => !ids.includes(id));
        return refs.filter(({ eventId }) => !world.lost.includes(eventId)).map((ref) => loaded(ref));
      },
      async cancelAllOf(endpoint) {
        world.held = [];
        return cancelled.push(endpoint);
      },
    },
    order: {
      firstInLine: async () =>
        world.firstInLine === null ? null : { ...refOf(world.firstInLine), waitMs: world.firstWaitMs },
      isFree: async () => world.isFree,
    },
    gates: {
      lookIn: async (_endpointId, inMs) => void stored.push(inMs),
      open: async () => void stored.push(0),
      forget: async (_endpointId, until) => void forgotten.push(until),
    },
    rates: { untilNextTurn: async () => world.untilNextTurnMs },
    capacity: { freeSlots: () => world.room },
    receivers: {
      reserve: async (_accountId, _url, wanted) => Math.min(wanted, world.roomOfReceiver),
      untilFreeMs: () => 5_000,
    },
    dispatcher: () => ({
      makesAttempts: world.makesAttempts,
      dispatch: (task) => dispatched.push(task) > 0,
      waitingFor: () => world.waiting,
    }),
    logger: createLogger('silent'),
    owner: 'this process',
  });
  return {
    ...{ gate, world, dispatched, cancelled, releases, stored, forgotten, ended, looks },
    gone: () => dispatched.map(({ ref }) => ref.eventId),
    /** Changes the world, and looks. */
    async look(change: Partial<World> = {}) {
      Object.assign(world, change);
      gate.look('ep_one');
      await settle();
    },
    async attemptEnded(change: Partial<World> = {}) {
      Object.assign(world, change);
      gate.attemptEnded('ep_one');
      await settle();
    },
    /** Makes looks wait. @returns a function that lets them continue */
    hold(): () => Promise<void> {
      let goOn = (): void => undefined;
      world.pause = new Promise((resolve) => (goOn = resolve));
      return () => (goOn(), settle());
    },
  };
}

/** A released delivery, after two failed attempts. */
function loaded({ eventId, run }: { eventId: number; run: number }): DeliveryOf<StoredEvent> {
  const destination: Destination = {
    ...{ endpoint_id: 'ep_one', url: 'https://example.com/hook', run, dispatch: 'due', state: 'retrying' },
    ...{ attempt_count: 2, next_attempt_at: NOW, completed_at: null },
  };
  const event: Partial<StoredEvent> = { _id: eventId, account_id: 'acc_one', type: 'order.created' };
  return { event: event as StoredEvent, destination };
}

describe('what a gate releases', () => {
  it.each([true, false])('is sent from its next attempt, claimed if this process makes it: %s', async (isClaiming) => {
    const { look, dispatched, releases } = build({ held: [1], makesAttempts: isClaiming });
    await look();
    expect(releases).toEqual([{ owner: 'this process', isClaiming }]);
    expect(dispatched).toMatchObject([
      { ref: { eventId: 1, endpointId: 'ep_one', run: 1 }, firstAttempt: 3, firstDelayMs: 0 },
    ]);
  });

  it.each<[string, Partial<World>, number[]]>([
    ['all, in order', {}, range(1, 60)],
    ['none while the gate is closed', { endpoint: PAUSED }, []],
    ['none that another process released at the same time', { lost: range(2, 59) }, [1, 60]],
    ['as many as there is room for, less those that wait here', { room: 6, waiting: 2 }, range(1, 4)],
    ['none if all of the room waits here', { room: 6, waiting: 9 }, []],
    ['as many as the receiver may get in this minute', { roomOfReceiver: 2 }, [1, 2]],
    ['none that the receiver may not get', { roomOfReceiver: 0 }, []],
    ['ten whose turns come within a second, and the one of now', { endpoint: rate(10) }, range(1, 11)],
    ['those whose turns come in half a second or more', { endpoint: rate(10), untilNextTurnMs: 500 }, range(1, 6)],
    ['none if no turn comes within a second', { endpoint: rate(10), untilNextTurnMs: 1_001 }, []],
    ['the one of now, with one turn in a minute', { endpoint: rate(1 / 60) }, [1]],
    ['no more turns than there is room for', { endpoint: rate(50), room: 3 }, [1, 2, 3]],
    ['as many as the rate of a resume allows', { endpoint: backlog(10) }, range(1, 11)],
    ['as many as the lower one of two rates allows', { endpoint: { ...rate(20), ...backlog(10) } }, range(1, 11)],
    ['as many as its own rate allows, if that is lower', { endpoint: { ...backlog(20), ...rate(10) } }, range(1, 11)],
    ['the first in line only', { endpoint: ORDERED, firstInLine: 1 }, [1]],
    ['none while the first in line waits for its retry', { endpoint: ORDERED, firstInLine: 99 }, []],
    ['none while the first in line is sent', { endpoint: ORDERED, firstInLine: 1, isFree: false }, []],
    ['replays too, which skip the line', { endpoint: ORDERED, firstInLine: 1, replays: [3] }, [1, 3]],
    ['replays alone while one is sent', { endpoint: ORDERED, firstInLine: 1, isFree: false, replays: [3] }, [3]],
  ])('is, of sixty: %s', async (_what, world, released) => {
    const { look, gone } = build({ held: range(1, 60), ...world });
    await look();
    expect(gone()).toEqual(released);
  });

  it('is cancelled if the endpoint was removed', async () => {
    const { look, gone, cancelled } = build({ held: [1, 2], endpoint: null });
    await look();
    await look();
    expect([gone(), cancelled]).toEqual([[], [{ accountId: 'acc_one', endpointId: 'ep_one' }]]);
  });
});

describe('the next look at a gate', () => {
  const UNTIL = new Date(NOW.getTime() + 15_000);

  it.each<[string, Partial<World>, number]>([
    ['a second before the turn after those used now', { endpoint: rate(10) }, 100],
    ['a second before a turn that is far away', { endpoint: rate(0.1), untilNextTurnMs: 7_000 }, 6_000],
    ['a second before the turn after a slow one', { endpoint: rate(0.5) }, 1_000],
    ['in a second where more is held than there is room for', { room: 2 }, 1_000],
    ['when the receiver may get more', { roomOfReceiver: 0 }, 5_000],
    ['much later where attempts of this process use up the room', { room: 0 }, 15_000],
    ['when the first in line is due', { endpoint: ORDERED, firstInLine: 99, firstWaitMs: 9_000 }, 9_000],
    ['much later if that is hours away', { endpoint: ORDERED, firstInLine: 99, firstWaitMs: 36_000_000 }, 15_000],
    ['much later while the first in line is sent', { endpoint: ORDERED, firstInLine: 1, isFree: false }, 15_000],
    ['in a second where an execution has just given a delivery back', { isGivenBack: true }, 1_000],
  ])('is %s', async (_when, world, inMs) => {
    const { look, stored, forgotten } = build({ held: range(1, 60), ...world });
    await look();
    expect([stored, forgotten]).toEqual([[inMs], []]);
  });

  it.each<[string, Partial<World>]>([
    ['the gate is closed', { endpoint: PAUSED }],
    ['the endpoint is removed', { endpoint: null }],
    ['nothing is held any more', {}],
  ])('is never where %s', async (_when, world) => {
    const { gate, look, hold, stored, forgotten } = build({ held: [1, 2], ...world });
    const goOn = hold();
    await look();
    const taken = gate.lookTaken('ep_one', UNTIL);
    await look();
    await goOn();
    await taken;
    expect([stored, forgotten]).toEqual([[], [UNTIL]]);
  });

  it('is stored once in a second, unless it has to be earlier', async () => {
    const { look, stored } = build({ held: range(1, 9), room: 0 });
    await look();
    await look({ room: 2 });
    await look();
    expect(stored).toEqual([15_000, 1_000]);
  });

  it('is stored again after a look that was taken, however early the one before (regression)', async () => {
    const { gate, look, stored } = build({ held: range(1, 9), endpoint: rate(0.5) });
    await look();
    await gate.lookTaken('ep_one', UNTIL);
    expect(stored).toEqual([1_000, 1_000]);
  });

  it('is at once after a change of the endpoint, whoever makes it', async () => {
    const { gate, stored, gone } = build({ held: [1] });
    await gate.open('ep_one');
    await settle();
    expect([stored, gone()]).toEqual([[0], [1]]);
  });
});

describe('the rate of a resume', () => {
  it('ends with the first look that finds nothing held, once every turn has come', async () => {
    const { look, ended, stored, gone } = build({ held: [1, 2], endpoint: backlog(10) });
    await look();
    expect([gone(), ended]).toEqual([[1, 2], []]);
    await look({ waiting: 1 });
    await look({ waiting: 0, untilNextTurnMs: 50 });
    expect([ended, stored]).toEqual([[], [1_000]]);
    await look({ untilNextTurnMs: 0 });
    expect(ended).toEqual(['ep_one']);
  });

  it.each<[string, Partial<World>]>([
    ['something is held', { held: [1], isGivenBack: true }],
    ['its gate is closed', { endpoint: { ...backlog(10), ...PAUSED } }],
    ['there is none', { endpoint: rate(10) }],
  ])('does not end while %s', async (_what, world) => {
    const { look, ended } = build({ endpoint: backlog(10), ...world });
    await look();
    expect(ended).toEqual([]);
  });
});

describe('when it looks', () => {
  it('runs one look at a time, and combines requests made meanwhile into one that follows', async () => {
    const { gate, hold, gone, looks, world } = build({ held: [1] });
    const goOn = hold();
    for (let asked = 0; asked < 10; asked += 1) gate.look('ep_one');
    await settle();
    world.held = [1, 2];
    await goOn();
    expect([gone(), looks]).toEqual([[1, 2], { all: 2, underWay: 0, most: 1 }]);
  });

  it('looks at several endpoints at the same time', () => {
    const { gate, looks } = build();
    gate.look('ep_one');
    gate.look('ep_two');
    expect(looks.underWay).toBe(2);
  });

  it('looks again when an attempt ends only where it may hold more than there was room for', async () => {
    const { look, attemptEnded, gone, looks } = build({ held: range(1, 3), room: 0 });
    await attemptEnded();
    expect(looks.all).toBe(0);
    await look();
    await attemptEnded({ room: 2 });
    expect(gone()).toEqual([1, 2]);
    await attemptEnded();
    expect(gone()).toEqual([1, 2, 3]);
    await attemptEnded({ held: [4] });
    expect(looks.all).toBe(3);
  });

  it('makes up for a failed look with the next one', async () => {
    const { look, gone } = build({ held: [1], isAway: true });
    await look();
    await look({ isAway: false });
    expect(gone()).toEqual([1]);
  });

  it('close waits for the look under way, and then looks no more', async () => {
    const { gate, hold, look, looks } = build({ held: [1] });
    const goOn = hold();
    gate.look('ep_one');
    gate.look('ep_one');
    let isClosed = false;
    const closing = gate.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    await goOn();
    await closing;
    await look();
    expect(looks.all).toBe(1);
  });
});
