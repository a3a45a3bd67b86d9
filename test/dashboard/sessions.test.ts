import { createHash, randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { createSessionStore } from '../../src/users/session-store';
import { statusesOf } from '../support/api-client';
import { buildStranger, PASSWORD, signedUp, useDashboardStack, type Browser } from './browser';

const stack = useDashboardStack({ role: 'api', env: { ALLOWED_HOSTS: '.example.com' } });

const MINUTE_MS = 60_000;
const NEW_PASSWORD = 'copper-lantern-4-orbit';

const from = () => buildStranger(stack);

async function signedIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = from();
  const answer = await browser.post('/sign-in', { email, password });
  expect(answer.status).toBe(200);
  return browser;
}

const statusOf = async (browser: Browser): Promise<number> => (await browser.get('/me')).status;

const stored = () => stack.mongo.db.collection<{ user_id: string; hash: string; last_seen_at: Date }>('sessions');

/** Lets time pass for a user's sessions: their times move back. */
async function letPass(userId: string, ms: number, fields: readonly string[]): Promise<void> {
  const moved = Object.fromEntries(fields.map((field) => [field, { $subtract: [`$${field}`, ms] }]));
  await stored().updateMany({ user_id: userId }, [{ $set: moved }]);
}
const ALL_TIMES = ['created_at', 'last_seen_at', 'ends_at'];

describe('the cookie', () => {
  const cookieOf = async (headers: Record<string, string>) => {
    const { email } = await signedUp(stack);
    const browser = buildStranger(stack, undefined, headers);
    const answer = await browser.post('/sign-in', { email, password: PASSWORD });
    const [line = ''] = answer.headers['set-cookie'] as string[];
    return { line, browser };
  };

  it('on loopback: HttpOnly, SameSite=Strict, a plain name', async () => {
    const { line, browser } = await cookieOf({});
    expect(line).toMatch(/^everpost_session=[\w-]{43}; path=\/; samesite=strict; httponly$/i);
    expect(await statusOf(browser)).toBe(200);
  });

  it.each([
    ['behind a proxy with a name of its own', { Host: 'hooks.example.com' }],
    ['behind a proxy that says https', { 'X-Forwarded-Proto': 'https' }],
    ['on another address of this machine', { Host: '192.168.1.20:8080' }],
    ['on a name that only looks like loopback', { Host: 'localhost.example.com' }],
  ])('%s: __Host- and Secure too', async (_where, headers) => {
    const { line, browser } = await cookieOf(headers);
    expect(line).toMatch(/^__Host-everpost_session=[\w-]{43}; path=\/; samesite=strict; secure; httponly$/i);
    expect(line).not.toMatch(/domain=/i);
    expect(await statusOf(browser)).toBe(200);
  });

  it('its token is stored only as a hash', async () => {
    const { browser, userId } = await signedUp(stack);
    const token = browser.cookies.get('everpost_session')!;
    const [session] = await stored().find({ user_id: userId }).toArray();
    expect(session!.hash).toBe(createHash('sha256').update(token).digest('hex'));
    for (const { name } of await stack.mongo.db.listCollections().toArray()) {
      const all = JSON.stringify(await stack.mongo.db.collection(name).find().toArray());
      expect([name, all.includes(token)]).toEqual([name, false]);
      expect([name, all.includes(PASSWORD)]).toEqual([name, false]);
    }
  });

  it('a malformed token is not a session', async () => {
    const { browser } = await signedUp(stack);
    for (const value of ['x', 'A'.repeat(43), '[object Object]', '%00', "' || 1", '$ne']) {
      browser.cookies.set('everpost_session', value);
      expect([value, await statusOf(browser)]).toEqual([value, 401]);
    }
  });
});

describe('fixation', () => {
  it('a token planted by an attacker never becomes valid', async () => {
    const { email } = await signedUp(stack);
    const planted = 'P'.repeat(43);
    const victim = from();
    victim.cookies.set('everpost_session', planted);
    await victim.post('/sign-in', { email, password: PASSWORD });
    expect(victim.cookies.get('everpost_session')).not.toBe(planted);
    const attacker = from();
    attacker.cookies.set('everpost_session', planted);
    expect(await statusOf(attacker)).toBe(401);
  });

  it("a session planted by an attacker ends at sign-in, and never becomes the user's", async () => {
    const attacker = await signedUp(stack);
    const { email } = await signedUp(stack);
    const victim = from();
    const planted = attacker.browser.cookies.get('everpost_session')!;
    victim.cookies.set('everpost_session', planted);
    const answer = await victim.post('/sign-in', { email, password: PASSWORD });
    expect(answer.body.email).toBe(email);
    expect(await statusOf(attacker.browser)).toBe(401);
    expect((await victim.get('/me')).body.user.email).toBe(email);
  });
});

describe('a session ends', () => {
  it('after 30 minutes without a request', async () => {
    const { browser, userId } = await signedUp(stack);
    await letPass(userId, 29 * MINUTE_MS, ALL_TIMES);
    expect(await statusOf(browser)).toBe(200);
    // That request counted: another 29 minutes are well.
    await letPass(userId, 29 * MINUTE_MS, ALL_TIMES);
    expect(await statusOf(browser)).toBe(200);
    await letPass(userId, 31 * MINUTE_MS, ALL_TIMES);
    expect(await statusOf(browser)).toBe(401);
    // Refused requests do not wake it.
    expect(await statusOf(browser)).toBe(401);
  });

  it('after 30 minutes of automatic requests without user activity', async () => {
    const { browser, userId } = await signedUp(stack);
    const unattended = () => browser.call('GET', '/dashboard/api/me', undefined, { 'Everpost-Unattended': '1' });
    await letPass(userId, 20 * MINUTE_MS, ALL_TIMES);
    expect((await unattended()).status).toBe(200);
    await letPass(userId, 11 * MINUTE_MS, ALL_TIMES);
    expect((await unattended()).status).toBe(401);
  });

  it('after 8 hours, however active', async () => {
    const { browser, userId } = await signedUp(stack);
    await letPass(userId, 8 * 60 * MINUTE_MS - MINUTE_MS, ['created_at', 'ends_at']);
    expect(await statusOf(browser)).toBe(200);
    await letPass(userId, 2 * MINUTE_MS, ['created_at', 'ends_at']);
    expect(await statusOf(browser)).toBe(401);
  });

  it('at once in every process when it is revoked in another window', async () => {
    const { browser, email } = await signedUp(stack);
    const other = await signedIn(email);
    const { body } = await browser.get('/sessions');
    expect(body.sessions).toHaveLength(2);
    expect(body.sessions.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
    expect(body.sessions[0]).toEqual({
      id: expect.stringMatching(/^ses_/),
      created_at: expect.any(String),
      last_seen_at: expect.any(String),
      ends_at: expect.any(String),
      address: expect.stringMatching(/^198\.51\./),
      user_agent: '',
      current: false,
    });
    expect((await browser.delete(`/sessions/${body.sessions[0].id}`)).status).toBe(204);
    expect([await statusOf(other), await statusOf(browser)]).toEqual([401, 200]);
    const again = await browser.delete(`/sessions/${body.sessions[0].id}`);
    expect([again.status, again.body.code]).toEqual([404, 'session_not_found']);
  });

  it('however many there are: the list has the newest 100', async () => {
    const { browser, userId } = await signedUp(stack);
    const [own] = await stored()
      .find({ user_id: userId }, { projection: { _id: 0 } })
      .toArray();
    const earlier = new Date(Date.now() - MINUTE_MS);
    const more = Array.from({ length: 120 }, (_, index) => ({
      ...own!,
      hash: `${userId} ${index}`,
      created_at: earlier,
    }));
    await stored().insertMany(more);

    const { body } = await browser.get('/sessions');
    expect(body.sessions).toHaveLength(100);
    expect(body.sessions[0]).toMatchObject({ current: true });
    expect((await browser.delete('/sessions')).body).toEqual({ ended: 120 });
  });

  it('when its user has 100 newer ones', async () => {
    const { browser, email, userId } = await signedUp(stack);
    const [own] = await stored()
      .find({ user_id: userId }, { projection: { _id: 0 } })
      .toArray();
    await letPass(userId, 2 * MINUTE_MS, ['created_at']);
    const later = Array.from({ length: 98 }, (_, index) => ({
      ...own!,
      hash: `${userId} ${index}`,
      created_at: new Date(Date.now() - MINUTE_MS),
    }));
    await stored().insertMany(later);
    const newest = await signedIn(email);
    expect([await statusOf(browser), await statusOf(newest)]).toEqual([200, 200]);

    const atOnce = await Promise.all(Array.from({ length: 5 }, () => signedIn(email)));

    expect(await statusOf(browser)).toBe(401);
    expect(await Promise.all([newest, ...atOnce].map(statusOf))).toEqual(Array(6).fill(200));
    expect(await stored().countDocuments({ user_id: userId })).toBe(100);
  });

  it('with all others by one request', async () => {
    const { browser, email } = await signedUp(stack);
    const others = [await signedIn(email), await signedIn(email)];
    expect((await browser.delete('/sessions')).body).toEqual({ ended: 2 });
    expect(await Promise.all(others.map(statusOf))).toEqual([401, 401]);
    expect(await statusOf(browser)).toBe(200);
  });

  it('when its user is deleted', async () => {
    const { browser, userId } = await signedUp(stack);
    await stack.mongo.db.collection<{ _id: string }>('users').deleteOne({ _id: userId });
    expect(await statusOf(browser)).toBe(401);
  });
});

describe('a change of the password', () => {
  it('ends every other session, and the old password', async () => {
    const { browser, email } = await signedUp(stack);
    const other = await signedIn(email);
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    expect((await browser.post('/password', body)).status).toBe(204);
    expect([await statusOf(browser), await statusOf(other)]).toEqual([200, 401]);
    const old = await from().post('/sign-in', { email, password: PASSWORD });
    expect(old.status).toBe(401);
    await signedIn(email, NEW_PASSWORD);
  });

  it('needs the current password, and is limited like a sign-in', async () => {
    const { browser } = await signedUp(stack);
    const body = { current_password: 'not-this-one-at-all', new_password: NEW_PASSWORD };
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push((await browser.post('/password', body)).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it('refuses a guessable password and changes nothing', async () => {
    const { browser, email } = await signedUp(stack);
    const body = { current_password: PASSWORD, new_password: 'password12345' };
    const answer = await browser.post('/password', body);
    expect([answer.status, answer.body.code]).toEqual([422, 'weak_password']);
    await signedIn(email);
  });

  it('of two at once only one succeeds: for the other the current password is wrong', async () => {
    const { browser } = await signedUp(stack);
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const answers = await Promise.all([browser.post('/password', body), browser.post('/password', body)]);
    expect(statusesOf(answers)).toEqual([204, 403]);
    expect(answers.map(({ body: answer }) => answer?.code)).toContain('wrong_password');
  });

  it('a sign-in under way with the old password leaves no session', async () => {
    const { browser, email, userId } = await signedUp(stack);
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD };
    const racers = Array.from({ length: 6 }, () => from());
    const entering = racers.map((racer) => racer.post('/sign-in', { email, password: PASSWORD }));
    expect((await browser.post('/password', body)).status).toBe(204);
    await Promise.all(entering);
    expect(await Promise.all(racers.map(statusOf))).toEqual(racers.map(() => 401));
    expect(await stored().countDocuments({ user_id: userId })).toBe(1);
  });
});

it('a session has its own 600 calls a minute, which cost the account nothing', async () => {
  const { browser, accountId } = await signedUp(stack);
  const again = await signedIn((await browser.get('/me')).body.user.email);

  const answers = [];
  for (let round = 0; round < 31; round += 1) {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => browser.get('/me')))));
  }

  const statuses = answers.map(({ status }) => status);
  // Two were used before.
  expect(statuses.filter((status) => status === 200)).toHaveLength(598);
  expect(statuses.filter((status) => status === 429)).toHaveLength(22);
  expect(await statusOf(again)).toBe(200);
  const account = await stack.mongo.db.collection<{ _id: string }>('accounts').findOne({ _id: accountId });
  expect(account).not.toHaveProperty('limits');
});

it('unknown and expired tokens are looked up in groups and write nothing', async () => {
  const [live, over] = [await signedUp(stack), await signedUp(stack)];
  await letPass(over.userId, 31 * MINUTE_MS, ALL_TIMES);
  const hashOf = async ({ userId }: typeof live) => (await stored().findOne({ user_id: userId }))!.hash;
  const guesses = Array.from({ length: 398 }, () => randomBytes(32).toString('hex'));
  const hashes = [...guesses, await hashOf(over), await hashOf(live)];
  const client = new MongoClient(stack.config.mongodb.uri!, { monitorCommands: true });
  try {
    const commands: string[] = [];
    const store = createSessionStore(client.db());
    await client.connect();
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));

    const found = await Promise.all(hashes.map((hash) => store.use(hash, true)));

    expect(found.map((one) => one?.user._id)).toEqual([...guesses.map(() => undefined), undefined, live.userId]);
    expect(commands).toEqual(['aggregate', 'aggregate']);
  } finally {
    await client.close();
  }
});
