import { createEndpointLoad } from '../../src/dispatch/endpoint-load';
import type { EndpointLoad } from '../../src/domain/endpoint-load';

// How many attempts an endpoint gets at a time, and which ones are slow, or hang.

const MAX = 64;
const QUARTER = 16;

beforeAll(() => jest.useFakeTimers());

afterAll(() => jest.useRealTimers());

function buildLoad(max?: number) {
  const load = createEndpointLoad(max, Date);
  /** Ends of the requests that are under way, the oldest first. */
  const ends: (() => void)[] = [];
  return {
    load,
    /** Begins requests that get no answer before `end`. */
    begin: (count: number) => {
      const silence = () => new Promise<void>((resolve) => ends.push(resolve));
      for (let begun = 0; begun < count; begun += 1) void requestTo(load, silence).catch(() => undefined);
    },
    end: async () => {
      ends.shift()!();
      await pass(0);
    },
  };
}

/** Makes a request to the only endpoint. @throws why there is no room for it */
function requestTo<T>(load: EndpointLoad, send: () => Promise<T>, onSlow?: () => void): Promise<T> {
  return load.run('ep_one', (room) =>
    typeof room === 'string' ? Promise.reject(new Error(room)) : room(send, onSlow),
  );
}

/** What an attempt is told about the room of an endpoint. */
function roomOf(load: EndpointLoad, endpointId: string): Promise<string> {
  return load.run(endpointId, (room) => Promise.resolve(typeof room === 'string' ? room : 'room'));
}

async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
}

/** Makes a request that is answered, or given up, after this time. */
async function answerAfter(load: EndpointLoad, ms: number): Promise<void> {
  await requestTo(load, () => pass(ms));
}

/** Fills the endpoint, and lets it answer nothing until it counts as hanging. */
async function buildHanging() {
  const built = buildLoad(4);
  built.begin(1);
  await pass(2_000);
  expect(built.load.roomFor('ep_one')).toBe(0);
  return built;
}

describe('the limit of attempts', () => {
  it('each endpoint has its own limit', async () => {
    const { load, begin } = buildLoad(2);
    expect(load.roomFor('ep_one')).toBe(2);
    begin(2);
    expect(load.roomFor('ep_one')).toBe(0);
    expect(await roomOf(load, 'ep_one')).toBe('at_cap');
    expect(await roomOf(load, 'ep_fast')).toBe('room');
  });

  it('64 attempts can be under way to one endpoint by default', () => {
    const { load, begin } = buildLoad();
    begin(63);
    expect(load.roomFor('ep_one')).toBe(1);
    begin(2);
    expect(load.roomFor('ep_one')).toBe(0);
  });

  it('a failed attempt frees its place', async () => {
    const { load } = buildLoad(1);
    await expect(load.run('ep_one', () => Promise.reject(new Error('no sockets')))).rejects.toThrow('no sockets');
    expect(load.roomFor('ep_one')).toBe(1);
  });

  it('an endpoint silent for half a second has a quarter of its limit until it answers', async () => {
    const { load, begin, end } = buildLoad();
    begin(10);
    await pass(499);
    expect(load.roomFor('ep_one')).toBe(MAX - 10);
    await pass(1);
    expect(load.roomFor('ep_one')).toBe(QUARTER - 10);

    await end();
    expect(load.roomFor('ep_one')).toBe(MAX - 9);
  });

  it('an endpoint that falls silent with more than a quarter under way has no room', async () => {
    const { load, begin } = buildLoad();
    begin(40);
    await pass(500);
    expect(load.roomFor('ep_one')).toBe(0);
  });

  it('an endpoint without requests is not silent', async () => {
    const { load, begin } = buildLoad();
    await answerAfter(load, 20);
    await pass(60_000);
    begin(1);
    expect(load.roomFor('ep_one')).toBe(MAX - 1);
  });

  it("time spent in our own database doesn't count as the endpoint's silence", async () => {
    const { load } = buildLoad();
    for (let begun = 0; begun < 20; begun += 1) void load.run('ep_one', () => new Promise(() => undefined));
    await pass(60_000);
    expect(load.roomFor('ep_one')).toBe(MAX - 20);
    expect(load.isSlow('ep_one')).toBe(false);
  });

  it("time spent on handling an answer doesn't count as the endpoint's silence", async () => {
    const { load } = buildLoad();
    void load.run('ep_one', async (room) => {
      if (typeof room === 'string') throw new Error(room);
      await room(() => Promise.resolve());
      await new Promise(() => undefined);
    });
    await pass(60_000);
    expect(load.roomFor('ep_one')).toBe(MAX - 1);
  });

  it("a request that couldn't be sent is not an answer of a silent endpoint", async () => {
    const { load, begin } = buildLoad();
    begin(1);
    await pass(500);
    const refused = requestTo(load, () => Promise.reject(new Error('no sockets')));
    await expect(refused).rejects.toThrow('no sockets');
    expect(load.roomFor('ep_one')).toBe(QUARTER - 1);
  });

  it('neither is a timeout', async () => {
    const { load, begin, end } = buildLoad();
    begin(1);
    await pass(14_000);
    begin(1);
    await pass(1_000);
    await end();
    expect(load.roomFor('ep_one')).toBe(QUARTER - 1);
  });
});

describe('hanging endpoints', () => {
  it('an endpoint hangs when it is full and has answered nothing for two seconds', async () => {
    const { load, begin } = buildLoad();
    begin(QUARTER);
    await pass(1_999);
    expect(await roomOf(load, 'ep_one')).toBe('at_cap');
    expect(load.hangs('ep_one')).toBe(false);

    await pass(1);
    expect(await roomOf(load, 'ep_one')).toBe('hanging');
    expect(load.hangs('ep_one')).toBe(true);
    expect(load.hangs('ep_other')).toBe(false);
  });

  it('a check of its room notices that an endpoint hangs', async () => {
    const { load } = await buildHanging();
    expect(load.hangs('ep_one')).toBe(true);
  });

  it("an endpoint with room left doesn't hang, however long it is silent", async () => {
    const { load, begin } = buildLoad();
    begin(QUARTER - 1);
    await pass(29_000);
    expect(load.roomFor('ep_one')).toBe(1);
    expect(load.hangs('ep_one')).toBe(false);
  });

  it("timeouts alone don't make an endpoint hang", async () => {
    const { load } = buildLoad();
    await answerAfter(load, 30_000);
    expect(load.hangs('ep_one')).toBe(false);
    expect(load.isSlow('ep_one')).toBe(true);
  });

  it('an endpoint keeps hanging, with a quarter of its limit, while its requests time out', async () => {
    const { load, end } = await buildHanging();
    await pass(28_000);
    await end();
    expect(load.roomFor('ep_one')).toBe(1);
    // Longer than it is remembered without one.
    for (let request = 0; request < 5; request += 1) await answerAfter(load, 15_000);
    expect(load.hangs('ep_one')).toBe(true);
  });

  it('an answer ends the hanging and makes room again', async () => {
    const { load, end } = await buildHanging();
    await end();
    expect(load.hangs('ep_one')).toBe(false);
    expect(load.roomFor('ep_one')).toBe(4);
  });

  it('an endpoint can hang again after an answer', async () => {
    const { load, begin, end } = await buildHanging();
    await end();
    begin(1);
    await pass(2_000);
    expect(load.roomFor('ep_one')).toBe(0);
    expect(load.hangs('ep_one')).toBe(true);
  });

  it('an endpoint without requests for a minute starts afresh', async () => {
    const { load, end } = await buildHanging();
    await pass(28_000);
    await end();
    await pass(59_999);
    expect(load.hangs('ep_one')).toBe(true);
    await pass(2);
    expect(load.hangs('ep_one')).toBe(false);
    expect(load.roomFor('ep_one')).toBe(4);
  });

  it("a request that couldn't be sent is not an answer of a hanging endpoint", async () => {
    const { load, end } = await buildHanging();
    await pass(28_000);
    await end();
    const refused = requestTo(load, () => Promise.reject(new Error('no sockets')));
    await expect(refused).rejects.toThrow('no sockets');
    expect(load.hangs('ep_one')).toBe(true);
  });
});

describe('slow endpoints', () => {
  it("a single pause of two seconds doesn't make an endpoint slow", async () => {
    const { load } = buildLoad();
    await answerAfter(load, 2_000);
    expect(load.isSlow('ep_one')).toBe(false);
  });

  it('an endpoint is slow when two of its requests have waited a second for an answer', async () => {
    const { load, begin } = buildLoad();
    begin(1);
    await pass(1_000);
    expect(load.isSlow('ep_one')).toBe(false);
    begin(1);
    await pass(1_000);
    expect(load.isSlow('ep_one')).toBe(true);
    expect(load.isSlow('ep_other')).toBe(false);
  });

  it('a slow endpoint stays slow until its answers are quick again', async () => {
    const { load } = buildLoad();
    await answerAfter(load, 10_000);
    await answerAfter(load, 100);
    expect(load.isSlow('ep_one')).toBe(true);
    for (let answer = 0; answer < 10; answer += 1) await answerAfter(load, 100);
    expect(load.isSlow('ep_one')).toBe(false);
    await answerAfter(load, 10_000);
    expect(load.isSlow('ep_one')).toBe(true);
  });

  it('an endpoint without requests for a minute starts afresh', async () => {
    const { load } = buildLoad();
    await answerAfter(load, 10_000);
    await pass(59_999);
    expect(load.isSlow('ep_one')).toBe(true);
    await pass(2);
    expect(load.isSlow('ep_one')).toBe(false);
  });

  it("a request that couldn't be sent doesn't affect whether an endpoint is slow", async () => {
    const { load } = buildLoad();
    for (let request = 0; request < 10; request += 1) {
      const send = () => pass(900).then(() => Promise.reject(new Error('no sockets')));
      await expect(requestTo(load, send)).rejects.toThrow('no sockets');
    }
    expect(load.isSlow('ep_one')).toBe(false);
  });
});

describe('a caller that waits for an answer', () => {
  it('is told once, after a second, that the answer takes long', async () => {
    const { load } = buildLoad();
    const told = jest.fn();
    void requestTo(load, () => new Promise(() => undefined), told);
    await pass(999);
    expect(told).not.toHaveBeenCalled();
    await pass(60_000);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['an answer in time', () => pass(999)],
    ["a request that couldn't be sent", () => pass(999).then(() => Promise.reject(new Error('no sockets')))],
  ])('is not told after %s', async (_what, send) => {
    const { load } = buildLoad();
    const told = jest.fn();
    await requestTo(load, send, told).catch(() => undefined);
    await pass(60_000);
    expect(told).not.toHaveBeenCalled();
  });
});
