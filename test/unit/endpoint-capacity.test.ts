import { createEndpointCapacity } from '../../src/engine/endpoint-capacity';

// How many attempts an endpoint gets at a time, and which ones are slow, or hang.

const MAX = 64;
const QUARTER = 16;

beforeAll(() => jest.useFakeTimers());

afterAll(() => jest.useRealTimers());

async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** As a request that couldn't be sent. */
const unsent = (afterMs = 0): Promise<never> => pass(afterMs).then(() => Promise.reject(new Error('no sockets')));

/** The capacity of the endpoints, and a short way to ask for that of one. */
function build(max?: number) {
  const capacity = createEndpointCapacity(max, Date);
  /** Ends of the requests that are under way, the oldest first. */
  const ends: (() => void)[] = [];
  const enter = () => {
    const slot = capacity.enter('ep_one');
    if ('full' in slot) throw new Error(slot.full);
    return slot;
  };
  /** Makes an attempt that is only its request. */
  const request = (send: () => Promise<unknown>, onSlow?: () => void): Promise<unknown> => {
    const slot = enter();
    return slot.time(send, onSlow).finally(() => slot.leave());
  };
  return {
    capacity,
    enter,
    request,
    room: () => capacity.freeSlots('ep_one'),
    isSlow: () => capacity.isSlow('ep_one'),
    hangs: () => capacity.hangs('ep_one'),
    /** Begins requests that get no answer before `end`. */
    begin(count: number) {
      for (let begun = 0; begun < count; begun += 1) void request(() => new Promise<void>((end) => ends.push(end)));
    },
    async end() {
      ends.shift()!();
      await pass(0);
    },
    /** Makes a request that is answered, or given up, after this time. */
    answerAfter: (ms: number) => request(() => pass(ms)),
  };
}

/** Fills an endpoint, and lets it answer nothing for two seconds. */
async function buildHanging() {
  const built = build(4);
  built.begin(1);
  await pass(2_000);
  // Whoever asks for room notices it.
  expect([built.room(), built.hangs()]).toEqual([0, true]);
  return built;
}

describe('the limit of attempts', () => {
  it('is 64 to each endpoint', () => {
    const { capacity, begin, room } = build();
    begin(MAX);
    expect([room(), capacity.freeSlots('ep_other')]).toEqual([0, MAX]);
    expect(capacity.enter('ep_one')).toEqual({ full: 'at_cap' });
    expect(capacity.enter('ep_other')).not.toHaveProperty('full');
  });

  it('has room again after an attempt, whatever came of it', async () => {
    const { request, room } = build(1);
    await expect(request(unsent)).rejects.toThrow('no sockets');
    expect(room()).toBe(1);
  });

  it('is a quarter for an endpoint that was silent for half a second, until it answers', async () => {
    const { begin, end, room } = build();
    begin(10);
    await pass(499);
    expect(room()).toBe(MAX - 10);
    await pass(1);
    expect(room()).toBe(QUARTER - 10);
    await end();
    expect(room()).toBe(MAX - 9);
    // With more than a quarter under way there is no room, and not less.
    begin(30);
    await pass(500);
    expect(room()).toBe(0);
  });

  it('counts no time without a request as silence, before, after and between attempts', async () => {
    const { enter, begin, answerAfter, room, isSlow } = build();
    await answerAfter(20);
    await pass(30_000);
    await enter().time(() => Promise.resolve());
    enter();
    await pass(30_000);
    expect([room(), isSlow()]).toEqual([MAX - 2, false]);
    begin(1);
    expect(room()).toBe(MAX - 3);
  });

  it("takes neither a request that couldn't be sent nor a timeout for an answer", async () => {
    const { begin, end, request, room } = build();
    begin(1);
    await pass(14_000);
    await expect(request(unsent)).rejects.toThrow('no sockets');
    expect(room()).toBe(QUARTER - 1);
    begin(1);
    await pass(1_000);
    await end();
    expect(room()).toBe(QUARTER - 1);
  });
});

describe('an endpoint hangs', () => {
  it('when it is full and has answered nothing for two seconds', async () => {
    const { capacity, begin } = build();
    begin(QUARTER);
    await pass(1_999);
    expect([capacity.enter('ep_one'), capacity.hangs('ep_one')]).toEqual([{ full: 'at_cap' }, false]);
    await pass(1);
    expect([capacity.enter('ep_one'), capacity.hangs('ep_one')]).toEqual([{ full: 'hanging' }, true]);
    expect(capacity.hangs('ep_other')).toBe(false);
  });

  it('not while it has room, however long it is silent', async () => {
    const { begin, answerAfter, room, hangs, isSlow } = build();
    await answerAfter(30_000);
    begin(QUARTER - 1);
    await pass(29_000);
    expect([room(), hangs(), isSlow()]).toEqual([1, false, true]);
  });

  it("with a quarter of its limit, while its requests time out or can't be sent", async () => {
    const { request, answerAfter, end, room, hangs } = await buildHanging();
    await pass(28_000);
    await end();
    await expect(request(unsent)).rejects.toThrow('no sockets');
    expect(room()).toBe(1);
    // Longer than it is remembered without one.
    for (let timeout = 0; timeout < 5; timeout += 1) await answerAfter(15_000);
    expect([room(), hangs()]).toEqual([1, true]);
  });

  it('until it answers, and perhaps again', async () => {
    const { begin, end, room, hangs } = await buildHanging();
    await end();
    expect([room(), hangs()]).toEqual([4, false]);
    begin(1);
    await pass(2_000);
    expect([room(), hangs()]).toEqual([0, true]);
  });
});

describe('an endpoint is slow', () => {
  it('when two of its requests have waited a second for an answer, not after one pause', async () => {
    const { capacity, begin, answerAfter, isSlow } = build();
    await answerAfter(2_000);
    expect(isSlow()).toBe(false);
    begin(1);
    await pass(1_000);
    expect([isSlow(), capacity.isSlow('ep_other')]).toEqual([true, false]);
  });

  it('until several of its answers are quick', async () => {
    const { answerAfter, isSlow } = build();
    await answerAfter(10_000);
    await answerAfter(100);
    expect(isSlow()).toBe(true);
    for (let answer = 0; answer < 10; answer += 1) await answerAfter(100);
    expect(isSlow()).toBe(false);
  });

  it("not because of requests that couldn't be sent", async () => {
    const { request, isSlow } = build();
    for (let count = 0; count < 10; count += 1) await request(() => unsent(900)).catch(() => undefined);
    expect(isSlow()).toBe(false);
  });
});

it('an endpoint without requests for a minute starts afresh', async () => {
  const { end, room, hangs, isSlow } = await buildHanging();
  await pass(28_000);
  await end();
  await pass(59_999);
  expect([hangs(), isSlow()]).toEqual([true, true]);
  await pass(2);
  expect([room(), hangs(), isSlow()]).toEqual([4, false, false]);
});

it.each<[string, () => Promise<unknown>, number]>([
  ['once, after a second without an answer', () => pass(20_000), 1],
  ['not about an answer in time', () => pass(999), 0],
  ["not about a request that couldn't be sent", () => unsent(999), 0],
])('a caller is told that the receiver is slow: %s', async (_when, send, times) => {
  const { request } = build();
  const told = jest.fn();
  await request(send, told).catch(() => undefined);
  await pass(60_000);
  expect(told).toHaveBeenCalledTimes(times);
});
