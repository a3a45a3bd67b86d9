import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../src/platform/secret-box';
import { findDevice, proveDevice } from '../../src/users/device-proof';
import { signIn as signInOf, type SignInDeps } from '../../src/users/sign-in';
import type { User } from '../../src/users/user-store';
import { buildStranger, newEmail, PASSWORD, randomAddress, signedUp, useDashboardStack, type Browser } from './browser';

const stack = useDashboardStack({ role: 'api' });

const COOKIE = 'everpost_device';
const WRONG = 'not-this-one-at-all';
const NEW_PASSWORD = 'copper-lantern-4-orbit';

/** An address with 50 wrong tries, for any user: a browser without a proof can't sign in from there any more. */
const usedUp = randomAddress();
beforeAll(async () => {
  const tries = Array.from({ length: 50 }, () =>
    buildStranger(stack, usedUp).post('/sign-in', { email: newEmail(), password: WRONG }),
  );
  await Promise.all(tries);
});

/** A browser at this address that has the cookie of another one. */
function withDeviceOf(browser: Browser, address: string): Browser {
  const copy = buildStranger(stack, address);
  const proof = browser.cookies.get(COOKIE);
  if (proof !== undefined) copy.cookies.set(COOKIE, proof);
  return copy;
}

const signIn = async (browser: Browser, email: string, password = PASSWORD): Promise<number> =>
  (await browser.post('/sign-in', { email, password })).status;

it('a known browser can sign in after strangers used up the tries of its address (S8)', async () => {
  const { browser, email } = await signedUp(stack);
  const known = withDeviceOf(browser, usedUp);

  expect(await signIn(known, email)).toBe(200);

  // Its own sign-in renewed the proof, and gave other browsers no try.
  expect(known.cookies.get(COOKIE)).not.toBe(browser.cookies.get(COOKIE));
  expect(await signIn(buildStranger(stack, usedUp), email)).toBe(429);
});

it("a known browser can sign in after strangers guessed its own user's password from its address", async () => {
  const { browser, email } = await signedUp(stack);
  const address = randomAddress();
  for (let index = 0; index < 5; index += 1) await signIn(buildStranger(stack, address), email, WRONG);
  expect(await signIn(buildStranger(stack, address), email)).toBe(429);

  expect(await signIn(withDeviceOf(browser, address), email)).toBe(200);
});

it('a known browser has its own 5 tries in 15 minutes, at any address', async () => {
  const { browser, email } = await signedUp(stack);
  const address = randomAddress();
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    statuses.push(await signIn(withDeviceOf(browser, index % 2 === 0 ? address : randomAddress()), email, WRONG));
  }

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect(await signIn(withDeviceOf(browser, randomAddress()), email)).toBe(429);
  expect(await signIn(buildStranger(stack, address), email)).toBe(200);
});

it('a proof is worthless for another user', async () => {
  const [attacker, victim] = [await signedUp(stack), await signedUp(stack)];

  expect(await signIn(withDeviceOf(attacker.browser, usedUp), victim.email)).toBe(429);
});

it('a changed password voids the proofs of all browsers but the one that changed it', async () => {
  const { browser, email } = await signedUp(stack);
  const before = withDeviceOf(browser, '');
  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await browser.post('/password', change)).status).toBe(204);

  expect(await signIn(withDeviceOf(before, usedUp), email, NEW_PASSWORD)).toBe(429);
  expect(await signIn(withDeviceOf(browser, usedUp), email, NEW_PASSWORD)).toBe(200);
});

it('a signed-in user can change the password after strangers used up the tries of the address', async () => {
  const email = newEmail();
  const browser = buildStranger(stack, usedUp);
  expect((await browser.post('/sign-up', { email, password: PASSWORD })).status).toBe(201);

  const change = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  expect((await browser.post('/password', change)).status).toBe(204);
});

it("sign-in sets a cookie that pages can't read, for a year, and sign-out keeps it", async () => {
  const { email } = await signedUp(stack);
  const browser = buildStranger(stack, undefined, { 'X-Forwarded-Proto': 'https' });
  const answer = await browser.post('/sign-in', { email, password: PASSWORD });
  const line = (answer.headers['set-cookie'] as string[]).find((one) => one.includes(COOKIE))!;

  expect(line).toMatch(
    /^__Host-everpost_device=[\w.-]{60,250}; path=\/; expires=[^;]+; samesite=strict; secure; httponly$/i,
  );
  const days =
    (Date.parse(/expires=([^;]+)/.exec(line)![1]!) - Date.parse(String(answer.headers['date']))) / 86_400_000;
  expect(Math.round(days)).toBe(365);
  await browser.post('/sign-out');
  expect([...browser.cookies.keys()]).toEqual([`__Host-${COOKIE}`]);
});

it('an invalid proof counts as none', async () => {
  const { email } = await signedUp(stack);
  for (const proof of ['x', '........', '%00.%00', `12345678.${'A'.repeat(200)}`, `12345678.${'A'.repeat(2_000)}`]) {
    const browser = buildStranger(stack);
    browser.cookies.set(COOKIE, proof);
    expect([proof, await signIn(browser, email, WRONG)]).toEqual([proof, 401]);
    browser.cookies.set(COOKIE, proof);
    expect([proof, await signIn(browser, email)]).toEqual([proof, 200]);
  }
});

describe('when ENCRYPTION_KEY is replaced', () => {
  const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const user = { email: 'ada@example.com', password_hash: '$argon2id$1' } as User;
  const users = { findByEmail: async () => user };
  const find = (keys: readonly string[], proof: string) =>
    findDevice({ secretBox: createSecretBox(keys), users }, proof, user.email);

  it('proofs of both keys work while both are set, in every process', async () => {
    const byOld = proveDevice({ secretBox: createSecretBox([old, next]) }, user);
    const byNext = proveDevice({ secretBox: createSecretBox([next, old]) }, user);
    for (const keys of [
      [old, next],
      [next, old],
    ]) {
      for (const proof of [byOld, byNext]) expect(await find(keys, proof)).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('a proof of a removed key does not work', async () => {
    expect(await find([next], proveDevice({ secretBox: createSecretBox([old]) }, user))).toBeUndefined();
  });
});

it("strangers' passwords are checked in another lane than that of a known browser", async () => {
  const secretBox = createSecretBox([randomBytes(32).toString('base64')]);
  const user = { _id: 'usr_1', account_id: 'acc_1', email: newEmail(), password_hash: 'hash' } as User;
  const lanes: (string | undefined)[] = [];
  const deps = {
    secretBox,
    users: { findByEmail: async () => user },
    tries: { count: async () => 0 },
    hasher: {
      requireCapacity: () => undefined,
      verify: async (_stored: string, _password: string, knownAs?: string) => void lanes.push(knownAs),
    },
    audit: { record: async () => undefined },
  } as unknown as SignInDeps;
  const input = { email: user.email, password: WRONG };
  const other = { ...user, email: newEmail() };

  for (const deviceProof of [undefined, proveDevice({ secretBox }, other), proveDevice({ secretBox }, user)]) {
    await expect(signInOf(deps, input, { address: '', userAgent: '', deviceProof })).rejects.toThrow('Wrong');
  }

  expect(lanes).toEqual([undefined, undefined, user.email]);
});
