import { SESSION_SCOPES } from '../../src/domain/scopes';
import { loadConfig } from '../../src/config';
import { createTryCounter } from '../../src/users/try-count-store';
import { statusesOf } from '../support/api-client';
import { useApi } from '../support/build-api';
import {
  buildBrowser,
  buildDashboardStack,
  buildStranger,
  newEmail,
  PASSWORD,
  randomAddress,
  signedUp,
  useDashboardStack,
} from './browser';

const stack = useDashboardStack({ role: 'api' });
const other = useApi(stack);

const from = (address?: string) => buildStranger(stack, address);

describe('sign-up', () => {
  it('makes an account and its owner, and signs the owner in', async () => {
    const { browser, email } = await signedUp(stack);
    const me = await browser.get('/me');
    expect([me.status, me.body]).toEqual([
      200,
      {
        user: { id: expect.stringMatching(/^usr_[0-9a-z]{26}$/), email, role: 'owner', operator: false },
        is_view: false,
        account: {
          search_fields: [],
          id: expect.stringMatching(/^acc_[0-9a-z]{26}$/),
          ...{ external_id: null, name: null, email },
          tier: { id: 'free', name: 'Free', monthly_quota: 500, per_minute: 10 },
        },
        products: expect.arrayContaining([{ prefix: 'weh', name: 'Webhook Reliability' }]),
        scopes: [...SESSION_SCOPES],
        retry_schedule: expect.arrayContaining([expect.any(Number)]),
        temporal_ui: null,
      },
    ]);
  });

  it('refuses an email address that is taken, however it is spelled', async () => {
    const { email } = await signedUp(stack);
    const again = await from().post('/sign-up', { email: `  ${email.toUpperCase()} `, password: PASSWORD });
    expect([again.status, again.body.code]).toEqual([409, 'email_taken']);
    const accounts = stack.mongo.db.collection('accounts');
    expect(await accounts.countDocuments({ email })).toBe(1);
    expect(await stack.mongo.db.collection('users').countDocuments({ email })).toBe(1);
  });

  it('makes one account of ten concurrent sign-ups with one address', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => from().post('/sign-up', { email, password: PASSWORD })),
    );
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await stack.mongo.db.collection('accounts').countDocuments({ email })).toBe(1);
  });

  it('refuses a body of more than 1.5 KiB unread, and names at most 20 problems', async () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0]));
    const many = await from().post('/sign-up', { email: newEmail(), password: PASSWORD, ...unknown(100) });
    const large = await from().post('/sign-in', { email: newEmail(), password: PASSWORD, ...unknown(32_749) });

    expect([many.status, many.body.error]).toEqual([400, 'The body has 100 problems; details has the first 20.']);
    expect(many.body.details).toHaveLength(20);
    expect([large.status, large.body.error]).toEqual([413, 'The body is larger than 1536 bytes (1.5 KiB).']);
  });

  it.each([
    ['11 characters', 'Xk4-canoe-7', 'A password has 12 to 128 characters.'],
    ['129 characters', 'marble-canoe-'.repeat(10).slice(0, 129), 'A password has 12 to 128 characters.'],
    ['a common password', 'password1234', 'easy to guess'],
    [
      'a common password in full-width letters, which are stored as plain letters',
      'ｐａｓｓｗｏｒｄ１２３４',
      'easy to guess',
    ],
  ])('refuses a password: %s', async (_what, password, message) => {
    const answer = await from().post('/sign-up', { email: newEmail(), password });
    expect([answer.status, answer.body.code]).toEqual([422, 'weak_password']);
    expect(answer.body.error).toContain(message);
  });

  it('counts tries with a weak password: the eleventh from an address is refused without a check', async () => {
    const here = from();
    const tries = Array.from({ length: 10 }, () =>
      here.post('/sign-up', { email: newEmail(), password: 'password1234' }),
    );
    expect(new Set(statusesOf(await Promise.all(tries)))).toEqual(new Set([422]));

    const late = await here.post('/sign-up', { email: newEmail(), password: 'password1234' });

    expect([late.status, late.body.code]).toEqual([429, 'too_many_tries']);
  });

  it('refuses the email address as the password', async () => {
    const email = 'johanna.feldweg@example.com';
    const answer = await from().post('/sign-up', { email, password: 'johanna.feldweg' });
    expect([answer.status, answer.body.code]).toEqual([422, 'weak_password']);
  });

  it("doesn't require particular kinds of characters", async () => {
    const answer = await from().post('/sign-up', { email: newEmail(), password: 'marble canoe thicket' });
    expect(answer.status).toBe(201);
  });

  it.each([
    'nobody',
    'a b@example.com',
    '@example.com',
    'a@',
    'a..b@example.com',
    'a@b\u0000.com',
    'x'.repeat(65) + '@a.com',
  ])('refuses %j as an email address', async (email) => {
    const answer = await from().post('/sign-up', { email, password: PASSWORD });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_email']);
  });

  it('is limited to 10 an hour from one address', async () => {
    const browser = from();
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push((await browser.post('/sign-up', { email: newEmail(), password: PASSWORD })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  });
});

describe('sign-in', () => {
  it('starts a session; sign-out ends it', async () => {
    const { email } = await signedUp(stack);
    const browser = from();
    const answer = await browser.post('/sign-in', { email: ` ${email.toUpperCase()}`, password: PASSWORD });
    expect([answer.status, answer.body.email]).toEqual([200, email]);
    expect((await browser.get('/me')).status).toBe(200);
    const kept = [...browser.cookies];
    expect((await browser.post('/sign-out')).status).toBe(204);
    expect([...browser.cookies.keys()]).toEqual(['everpost_device']);
    browser.cookies.set(...kept[0]!);
    const after = await browser.get('/me');
    expect([after.status, after.body.code]).toEqual([401, 'session_required']);
  });

  it('accepts the password typed in another Unicode form', async () => {
    const email = newEmail();
    await from().post('/sign-up', { email, password: 'caf\u00e9-marble-thicket' });
    const answer = await from().post('/sign-in', { email, password: 'cafe\u0301-marble-thicket' });
    expect(answer.status).toBe(200);
  });

  it('accepts the email address with a capital letter whose mark is a character of its own', async () => {
    const { email } = await signedUp(stack, `\u01f0${newEmail()}`);
    const answer = await from().post('/sign-in', { email: email.replace('\u01f0', 'J\u030c'), password: PASSWORD });
    expect([answer.status, answer.body.email]).toEqual([200, email]);
  });

  it('a wrong password and an unknown email address get the same answer', async () => {
    const { email } = await signedUp(stack);
    const wrong = await from().post('/sign-in', { email, password: 'not-this-one-at-all' });
    const unknown = await from().post('/sign-in', { email: newEmail(), password: 'not-this-one-at-all' });
    const none = await from().post('/sign-in', { email: 'no address', password: 'not-this-one-at-all' });
    expect([wrong, unknown, none].map(({ status }) => status)).toEqual([401, 401, 401]);
    const shown = [wrong, unknown, none].map(({ body }) => ({ ...body, request_id: '' }));
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    expect(Object.keys(wrong.headers).sort()).toEqual(Object.keys(unknown.headers).sort());
  });

  it('is limited to 5 tries in 15 minutes for a user and a client, also with the right password', async () => {
    const { email } = await signedUp(stack);
    const address = randomAddress();
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => from(address).post('/sign-in', { email, password: 'not-this-one-at-all' })),
    );
    expect(tries.map(({ status }) => status).sort((a, b) => a - b)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const right = await from(address).post('/sign-in', { email, password: PASSWORD });
    expect([right.status, right.body.code]).toEqual([429, 'too_many_tries']);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(800);
    expect(Number(right.headers['retry-after'])).toBeLessThanOrEqual(900);
    // Guesses from another address do not lock the owner out.
    expect((await from().post('/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('the limit resets after 15 minutes, and after a right password', async () => {
    const { email } = await signedUp(stack);
    const address = randomAddress();
    const wrong = () => from(address).post('/sign-in', { email, password: 'not-this-one-at-all' });
    for (let index = 0; index < 4; index += 1) expect((await wrong()).status).toBe(401);
    expect((await from(address).post('/sign-in', { email, password: PASSWORD })).status).toBe(200);
    for (let index = 0; index < 5; index += 1) expect((await wrong()).status).toBe(401);
    expect((await wrong()).status).toBe(429);
    await stack.mongo.db
      .collection('sign_in_tries')
      .updateMany({}, [{ $set: { ends_at: { $subtract: ['$ends_at', 15 * 60_000] } } }]);
    expect((await wrong()).status).toBe(401);
  });

  it('is limited to 50 wrong tries from one client, over all email addresses', async () => {
    const address = randomAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 53; index += 1) {
      statuses.push((await from(address).post('/sign-in', { email: newEmail(), password: PASSWORD })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.slice(50)).toEqual([429, 429, 429]);
  });

  it('tries that arrive at once are counted in one update, and as many are allowed', async () => {
    const { db } = stack.mongo;
    const tries = createTryCounter(db);
    const limit = { tries: 10, windowMs: 60_000 };
    await db.command({ profile: 2 });
    const waits = await Promise.all(Array.from({ length: 25 }, () => tries.count('a burst', limit)));
    await db.command({ profile: 0 });

    expect(waits.map((seconds) => seconds > 0)).toEqual([...Array(10).fill(false), ...Array(15).fill(true)]);
    expect(await tries.count('a burst', limit)).toBeGreaterThan(0);
    const updates = { 'command.findAndModify': 'sign_in_tries' };
    expect(await db.collection('system.profile').countDocuments(updates)).toBe(1);
  });

  it('the limit is shared by all processes', async () => {
    const { email } = await signedUp(stack);
    const always = { 'X-Forwarded-For': randomAddress() };
    const [here, there] = [buildBrowser(stack.url, always), buildBrowser(other.url, always)];
    const wrong = { email, password: 'not-this-one-at-all' };
    for (const browser of [here, there, here, there, here]) {
      expect((await browser.post('/sign-in', wrong)).status).toBe(401);
    }
    expect((await there.post('/sign-in', wrong)).status).toBe(429);
  });
});

it.each([
  [{}, true],
  [{ NODE_ENV: 'production' }, false],
  [{ NODE_ENV: 'production', SIGN_UP: 'open' }, true],
  [{ SIGN_UP: 'closed' }, false],
])('with %j anyone may sign up: %s', (env, isOpen) => {
  expect(loadConfig(env).dashboard.signUp).toBe(isOpen);
});

it('sign-up can be switched off', async () => {
  const closed = await buildDashboardStack({ role: 'api', env: { SIGN_UP: 'closed' } });
  try {
    const browser = buildBrowser(closed.url);
    expect((await browser.get('/status')).body).toEqual({ sign_up: false, setup_needed: true, users_exist: false });
    const answer = await browser.post('/sign-up', { email: newEmail(), password: PASSWORD });
    expect([answer.status, answer.body.code]).toEqual([403, 'sign_up_closed']);
    expect(await closed.mongo.db.collection('users').countDocuments()).toBe(0);
  } finally {
    await closed.close();
  }
});
