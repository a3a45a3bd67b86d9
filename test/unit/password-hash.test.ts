import { createPasswordHasher } from '../../src/platform/password-hash';
import { createIsGuessable } from '../../src/platform/password-strength';

describe('the password hasher', () => {
  it('uses Argon2id with the parameters of the OWASP cheat sheet, and a new salt each time', async () => {
    const hasher = createPasswordHasher();
    const [one, other] = [await hasher.hash('marble-canoe'), await hasher.hash('marble-canoe')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(one);
    expect(await hasher.verify(one, 'marble-canoe')).toBe(true);
    expect(await hasher.verify(one, 'marble-canoE')).toBe(false);
    expect(await hasher.verify(undefined, 'marble-canoe')).toBe(false);
  });

  it("hashes one at a time, so that many sign-ins don't use up the memory", async () => {
    const hasher = createPasswordHasher();
    const before = process.memoryUsage().rss;
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 5);
    await Promise.all(Array.from({ length: 40 }, () => hasher.hash('marble-canoe')));
    clearInterval(watch);
    // Forty at once would take 760 MiB.
    expect(peak / 2 ** 20).toBeLessThan(300);
  });

  it("rests between strangers' passwords for as long as each took, so that a flood leaves half of a processor", async () => {
    const hasher = createPasswordHasher();
    const ended: number[] = [];
    const hashOne = () => hasher.hash('marble-canoe').then(() => void ended.push(performance.now()));
    const beganMs = performance.now();
    await Promise.all([hashOne(), hashOne(), hashOne()]);

    const [first, second] = ended as [number, number];
    // The first one began to rest when it ended.
    expect(second - first).toBeGreaterThan(first - beganMs);
  });

  it('refuses those who would wait too long, and serves the others', async () => {
    const hasher = createPasswordHasher();
    const all = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash('marble-canoe')));
    const refused = all.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(39);
    expect(refused[0]!.reason).toMatchObject({ code: 'sign_in_busy', retryAfterSeconds: 2 });
    expect(await hasher.hash('marble-canoe')).toMatch(/^\$argon2id/);
  }, 60_000);

  it('serves known users while strangers fill it, each with one password at a time', async () => {
    const hasher = createPasswordHasher();
    const stored = await hasher.hash('marble-canoe');
    // The first one makes the decoy hash, which takes time.
    await hasher.verify(stored, 'marble-canoe');
    // The lane still rests after them, so this many wait.
    let strangersLeft = 60;
    const strangers = Array.from({ length: 60 }, () => hasher.hash('guess').finally(() => (strangersLeft -= 1)));
    const known = Array.from({ length: 5 }, (_, index) =>
      hasher.verify(stored, 'marble-canoe', `user ${index}`).then((isRight) => [isRight, strangersLeft]),
    );
    await expect(hasher.verify(stored, 'marble-canoe', 'user 0')).rejects.toMatchObject({ code: 'sign_in_busy' });
    expect(() => hasher.requireCapacity(undefined)).toThrow('Too many people');
    expect(() => hasher.requireCapacity('user 9')).not.toThrow();

    for (const served of known) expect(await served).toEqual([true, expect.any(Number)]);
    expect(strangersLeft).toBeGreaterThan(0);
    await Promise.all(strangers);
    expect(await hasher.verify(stored, 'marble-canoe', 'user 0')).toBe(true);
  }, 60_000);
});

describe('guessable passwords', () => {
  const isGuessable = createIsGuessable();

  it.each(['password1234', 'qwertyuiop[]', 'sunshine!!!!', 'aaaaaaaaaaaa', 'abcdefghijkl', 'p4ssw0rd'.repeat(16)])(
    '%s is guessable',
    async (password) => expect(await isGuessable(password, [])).toBe(true),
  );

  it.each(['correct horse battery', 'kx82hfo1qmz0', 'marble-canoe-7-thicket'])(
    '%s is not guessable',
    async (password) => expect(await isGuessable(password, [])).toBe(false),
  );

  it('only the first 64 characters are judged, because the time grows with the length', async () => {
    expect(await isGuessable('a'.repeat(50) + 'kx82hfo1qmz0', [])).toBe(false);
    expect(await isGuessable('a'.repeat(64) + 'kx82hfo1qmz0', [])).toBe(true);
  });

  it('those who would wait too long are refused, and the others are judged', async () => {
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => isGuessable('password1234', [])));
    const refused = all.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(30);
    expect(refused[0]!.reason).toMatchObject({ code: 'sign_in_busy', retryAfterSeconds: 2 });
    expect(await isGuessable('password1234', [])).toBe(true);
  });

  it('are judged off the event loop', async () => {
    const order: string[] = [];
    const judged = isGuessable('p@ssw0rd'.repeat(8), []).then(() => order.push('judged'));
    await new Promise(setImmediate);
    order.push('something else');
    await judged;
    expect(order).toEqual(['something else', 'judged']);
  });
});
