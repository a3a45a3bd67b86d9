import { createAddressLimiter } from '../../src/limits/address-limiter';

const START = 1_800_000_000_500;

function build(perMinute = 2) {
  let now = START;
  const limiter = createAddressLimiter({ perMinute, quotaLimit: 0, clock: () => now });
  return { limiter, pass: (ms: number) => void (now += ms) };
}

it('an address is limited once it has used up its share of the minute, and no other address is', () => {
  const { limiter } = build();
  expect(limiter.count('a')).toMatchObject({
    limited: false,
    view: { perMinute: 2, remaining: 1, quotaUsed: 0, quotaLimit: 0 },
  });
  expect(limiter.count('a')).toMatchObject({ limited: false, view: { remaining: 0 } });
  expect(limiter.count('a')).toMatchObject({ limited: true, view: { remaining: 0 }, retryAfterSeconds: 60 });
  expect(limiter.count('b')).toMatchObject({ limited: false });
});

it('the window starts at the first failure, and ends after 60 seconds', () => {
  const { limiter, pass } = build();
  const { view } = limiter.count('a');
  expect(view.resetAtSeconds).toBe(Math.ceil((START + 60_000) / 1_000));
  limiter.count('a');
  pass(59_999);
  expect(limiter.count('a')).toMatchObject({ limited: true, retryAfterSeconds: 1 });
  pass(1);
  expect(limiter.count('a')).toMatchObject({ limited: false, view: { remaining: 1 } });
});

it('a window that the clock was set back in front of has ended, as in MongoDB', () => {
  const { limiter, pass } = build();
  limiter.count('a');
  limiter.count('a');
  pass(-3_600_000);
  expect(limiter.count('a')).toMatchObject({ limited: false, view: { remaining: 1 }, retryAfterSeconds: 60 });
});

it("a check doesn't count", () => {
  const { limiter } = build();
  for (let count = 0; count < 5; count += 1) expect(limiter.peek('a').remaining).toBe(2);
});

it('an IPv6 client is counted in its /56 as two clients, and in its /48 as four', () => {
  const { limiter, pass } = build();
  const count = (home: number, network: number) =>
    limiter.count(`2001:db8:1:${(home * 256 + network).toString(16)}::/64`);
  const admitted = (homes: number, networks: number): number => {
    let admittedSoFar = 0;
    for (let home = 0; home < homes; home += 1)
      for (let network = 0; network < networks; network += 1) admittedSoFar += count(home, network).limited ? 0 : 1;
    return admittedSoFar;
  };
  expect(admitted(1, 50)).toBe(4);
  expect(count(0, 60)).toMatchObject({ limited: true, view: { perMinute: 2, remaining: 0 }, retryAfterSeconds: 60 });
  expect(admitted(50, 1)).toBe(4);
  expect(limiter.count('2001:db8:2:0::/64')).toMatchObject({ limited: false });
  pass(60_000);
  expect(count(0, 0)).toMatchObject({ limited: false, view: { remaining: 1 } });
});
