import { countSignIn, countSignUp, forgetSignIns, type Trier } from '../../src/users/limit-tries';
import type { TryCounter, TryLimit } from '../../src/users/try-count-store';

const WAIT_SECONDS = 900;

/** Counts like the database, in windows that do not end. */
function buildCounter(): TryCounter {
  const counts = new Map<string, number>();
  const add = (what: string, tries: number) => {
    counts.set(what, (counts.get(what) ?? 0) + tries);
    return counts.get(what)!;
  };
  return {
    ensureIndexes: async () => undefined,
    count: async (what: string, { tries }: TryLimit) => (add(what, 1) > tries ? WAIT_SECONDS : 0),
    takeBack: async (what: string) => void add(what, -1),
    forget: async (what: string) => void counts.delete(what),
  };
}

const OWNER = 'owner@example.com';
let others = 0;
/** A try for a user whom no other try names. */
const forAnyone = (address: string): Trier => ({ email: `${(others += 1)}@example.com`, address, device: undefined });
const forOwner = (address: string, device?: string): Trier => ({ email: OWNER, address, device });
const ipv6 = (site: number, home: number, network: number): string =>
  `2001:db8:${site.toString(16)}:${(home * 256 + network).toString(16)}::/64`;

/** How many of the tries are allowed. */
async function allowed(tries: TryCounter, triers: readonly Trier[]): Promise<number> {
  let count = 0;
  for (const trier of triers) {
    await countSignIn(tries, trier).then(
      () => (count += 1),
      (error: unknown) => expect(error).toMatchObject({ code: 'too_many_tries' }),
    );
  }
  return count;
}

const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

describe('sign-ins from the networks of an IPv6 customer', () => {
  it('count in its /56, however many /64 they come from', async () => {
    const tries = buildCounter();
    expect(
      await allowed(
        tries,
        many(300, (index) => forAnyone(ipv6(1, 0, index % 256))),
      ),
    ).toBe(100);
    expect(await allowed(tries, [forAnyone(ipv6(1, 1, 0)), forAnyone('203.0.113.7')])).toBe(2);
  });

  it('count in its /48, however many /56 they come from', async () => {
    const tries = buildCounter();
    expect(
      await allowed(
        tries,
        many(600, (index) => forAnyone(ipv6(1, index % 256, 0))),
      ),
    ).toBe(200);
    expect(await allowed(tries, [forAnyone(ipv6(2, 0, 0))])).toBe(1);
  });

  it('one /64 does not use up what its neighbours have', async () => {
    const tries = buildCounter();
    expect(
      await allowed(
        tries,
        many(500, () => forAnyone(ipv6(1, 0, 0))),
      ),
    ).toBe(50);
    expect(
      await allowed(
        tries,
        many(50, () => forAnyone(ipv6(1, 0, 1))),
      ),
    ).toBe(50);
  });

  it('do not count once the password was right', async () => {
    const tries = buildCounter();
    for (let index = 0; index < 300; index += 1) {
      const trier = forAnyone(ipv6(1, index % 256, 0));
      await countSignIn(tries, trier);
      await forgetSignIns(tries, trier);
    }
    expect(await allowed(tries, [forAnyone(ipv6(1, 0, 0))])).toBe(1);
  });

  it('count for new accounts too', async () => {
    const tries = buildCounter();
    const answers = await Promise.allSettled(many(60, (index) => countSignUp(tries, ipv6(1, 0, index))));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  });
});

describe('guesses for one user from many addresses', () => {
  it('have one try from each address, instead of five, once there were 20', async () => {
    const tries = buildCounter();
    const guesses = many(100, (index) => forOwner(`198.51.100.${Math.floor(index / 5)}`));
    // Four addresses have five tries, and sixteen have one.
    expect(await allowed(tries, guesses)).toBe(20 + 16);
  });

  it('lock out neither the user at another address nor a browser that signed in before', async () => {
    const tries = buildCounter();
    await allowed(
      tries,
      many(200, (index) => forOwner(`198.51.100.${index}`)),
    );
    expect(await allowed(tries, [forOwner('203.0.113.7')])).toBe(1);
    expect(
      await allowed(
        tries,
        many(6, () => forOwner('198.51.100.1', 'device')),
      ),
    ).toBe(5);
  });
});
