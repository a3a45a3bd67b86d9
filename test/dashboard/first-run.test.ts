import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { createFirstAccount, createOperatorLink } from '../../dev/first-account';
import { systemClock } from '../../src/platform/clock';
import { createPasswordHasher } from '../../src/platform/password-hash';
import { createSecretBox } from '../../src/platform/secret-box';
import { setUpAccount } from '../../src/users/set-up-account';
import { createStores } from '../../src/wiring/create-stores';
import { apiClient, statusesOf } from '../support/api-client';
import { cliOf } from '../support/run-cli';
import { buildStranger, newEmail, PASSWORD, randomAddress, signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack({ role: 'api' });
const { json, expectRefused } = cliOf(stack);

/** Each test starts with an unused database. */
beforeEach(async () => {
  const collections = await stack.mongo.db.collections();
  const used = collections.filter(({ collectionName }) => collectionName !== 'catalogs');
  await Promise.all(used.map((collection) => collection.deleteMany({})));
});

const from = () => buildStranger(stack);
const uri = (): string => stack.config.mongodb.uri!;

async function newLink(): Promise<string> {
  const link = await createOperatorLink(uri(), stack.url);
  expect(link).toMatch(new RegExp(`^${stack.url}/dashboard/setup#[\\w-]{32}$`));
  return link!;
}
const tokenOf = (link: string): string => link.split('#')[1]!;

describe('the link that npm start prints', () => {
  it('makes the user the operator and the owner of the first account, with its key and events', async () => {
    const first = (await createFirstAccount(uri(), stack.config.limits.tiers))!;
    const api = apiClient(stack.url, first.key);
    const platform = apiClient(stack.url, first.managementKey);
    expect((await platform.put('/api/v1/accounts/cus_42')).status).toBe(201);
    const { body: event } = await api.post('/api/v1/webhooks/events', { type: 'order.created', data: { n: 1 } });
    const browser = from();
    expect((await browser.get('/status')).body).toEqual({ sign_up: true, setup_needed: true, users_exist: false });

    const email = newEmail();
    const token = tokenOf(await newLink());
    const answer = await browser.post('/setup', { token, email, password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ email, operator: true })]);
    const { body: me } = await browser.get('/me');
    expect(me.account).toMatchObject({ id: first.accountId, email, tier: { id: 'enterprise' } });
    expect((await browser.get(`/webhooks/events/${event.id}`)).body.data).toEqual({ n: 1 });
    const { body } = await browser.get('/keys');
    expect(body.keys).toMatchObject([{ label: 'first start', display: `svc_live_weh_…${first.key.slice(-4)}` }]);

    expect((await browser.get('/status')).body).toMatchObject({ setup_needed: false, users_exist: true });
    // There is an operator now: the next start prints none.
    expect(await createOperatorLink(uri(), stack.url)).toBeUndefined();
    expect((await from().post('/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('works once, however many people try at once', async () => {
    await createFirstAccount(uri(), stack.config.limits.tiers);
    const token = tokenOf(await newLink());
    const tries = Array.from({ length: 8 }, () =>
      from().post('/setup', { token, email: newEmail(), password: PASSWORD }),
    );
    const answers = await Promise.all(tries);
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(7).fill(404)]);
    expect(await stack.mongo.db.collection('users').countDocuments()).toBe(1);
  });

  it('refuses an invalid token before it judges the password', async () => {
    const answer = await from().post('/setup', { token: 'none', email: newEmail(), password: 'password12345' });
    expect([answer.status, answer.body.code]).toEqual([404, 'setup_link_not_found']);
    // Most installations have no `npm start`.
    expect(answer.body.error).toContain('everpost user setup-link');
  });

  it('still works after a refused password or a taken email address', async () => {
    await createFirstAccount(uri(), stack.config.limits.tiers);
    const { email: taken } = await signedUp(stack);
    const token = tokenOf(await newLink());
    const weak = await from().post('/setup', { token, email: newEmail(), password: 'password12345' });
    expect(weak.body.code).toBe('weak_password');
    const conflict = await from().post('/setup', { token, email: taken, password: PASSWORD });
    expect(conflict.body.code).toBe('email_taken');
    expect((await from().post('/setup', { token, email: newEmail(), password: PASSWORD })).status).toBe(201);
  });

  it('expires after 24 hours, and when the next start prints another', async () => {
    await createFirstAccount(uri(), stack.config.limits.tiers);
    const claim = (token: string) => from().post('/setup', { token, email: newEmail(), password: PASSWORD });
    const [earlier, later] = [tokenOf(await newLink()), tokenOf(await newLink())];
    expect((await claim(earlier)).body.code).toBe('setup_link_not_found');
    const links = stack.mongo.db.collection('setup_links');
    const stored = JSON.stringify(await links.find().toArray());
    expect([stored.includes(later), stored.includes(earlier)]).toEqual([false, false]);
    await links.updateMany({}, [{ $set: { ends_at: { $subtract: ['$ends_at', 24 * 3_600_000] } } }]);
    expect((await claim(later)).body.code).toBe('setup_link_not_found');
    expect((await claim('guessed')).body.code).toBe('setup_link_not_found');
  });

  it('is used up only with the claim: not by a process that dies in between, and no refusal revives it', async () => {
    await createFirstAccount(uri(), stack.config.limits.tiers);
    const earlier = tokenOf(await newLink());
    let later = '';
    const whileJudged = async (): Promise<boolean> => {
      expect(await stack.mongo.db.collection('setup_links').countDocuments()).toBe(1);
      later = tokenOf(await newLink());
      return true;
    };
    const deps = {
      ...createStores(stack.mongo.db, stack.config),
      ...{ isGuessable: whileJudged, hasher: createPasswordHasher(), clock: systemClock },
      secretBox: createSecretBox(stack.config.encryptionKeys),
    };
    const client = { address: randomAddress(), userAgent: '' };

    const refused = setUpAccount(deps, { token: earlier, email: newEmail(), password: PASSWORD }, client);

    await expect(refused).rejects.toMatchObject({ code: 'weak_password' });
    const claim = (token: string) => from().post('/setup', { token, email: newEmail(), password: PASSWORD });
    expect((await claim(earlier)).body.code).toBe('setup_link_not_found');
    expect((await claim(later)).status).toBe(201);
  });

  it('leaves accounts alone that already have users', async () => {
    await signedUp(stack);
    expect(await createOperatorLink(uri(), stack.url)).toBeUndefined();
  });
});

describe('everpost user', () => {
  it('create makes an operator with an account, and prints a password once', async () => {
    const email = newEmail();
    const made = await json('user', 'create', '--email', ` ${email.toUpperCase()}`, '--operator', '--tier', 'team');
    expect(made).toEqual({
      id: expect.stringMatching(/^usr_/),
      email,
      account_id: expect.stringMatching(/^acc_/),
      operator: 'yes',
      password: expect.stringMatching(/^[\w-]{20}$/),
    });
    const browser = from();
    expect((await browser.post('/sign-in', { email, password: made['password'] })).status).toBe(200);
    const { body } = await browser.get('/audit');
    // Both are of one moment.
    expect(body.entries.slice(-2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'user.created', object: made['id'], address: null }),
        expect.objectContaining({ action: 'account.created', object: made['account_id'], detail: 'team' }),
      ]),
    );
    expect(body.entries.slice(-2)).toMatchObject([{ actor: { type: 'cli' } }, { actor: { type: 'cli' } }]);
    const list = await json<object[]>('user', 'list');
    expect(list).toEqual([{ id: made['id'], email, account_id: made['account_id'], operator: 'yes' }]);
  });

  it('create leaves no account behind when the address is a user of another account', async () => {
    const { accountId } = await stack.account();
    const email = newEmail();
    await json('user', 'create', '--email', email, '--account', accountId);

    await expectRefused('email_taken', 'user', 'create', '--email', email);

    expect(await stack.mongo.db.collection('accounts').countDocuments({ email })).toBe(0);
  });

  it('create refuses a second user with an address before any server has made the indexes', async () => {
    const { accountId } = await stack.account();
    await stack.mongo.db.collection('users').dropIndexes();
    const email = newEmail();
    await json('user', 'create', '--email', email, '--account', accountId);
    await expectRefused('email_taken', 'user', 'create', '--email', email, '--account', accountId);
  });

  it('create adds a user to an existing account', async () => {
    const { accountId } = await stack.account();
    const made = await json('user', 'create', '--email', newEmail(), '--account', accountId);
    expect(made).toMatchObject({ account_id: accountId, operator: 'no' });
    await expectRefused('account_not_found', 'user', 'create', '--email', newEmail(), '--account', 'acc_nobody');
    await expectRefused('email_taken', 'user', 'create', '--email', made['email']!, '--account', accountId);
  });

  it('reset-password ends all sessions and the old password', async () => {
    const { browser, email } = await signedUp(stack);
    const { password } = await json('user', 'reset-password', '--email', email);
    expect((await browser.get('/me')).status).toBe(401);
    expect((await from().post('/sign-in', { email, password: PASSWORD })).status).toBe(401);
    expect((await from().post('/sign-in', { email, password })).status).toBe(200);
    await expectRefused('user_not_found', 'user', 'reset-password', '--email', newEmail());
  });

  it('setup-link prints a link to an account', async () => {
    const { accountId } = await stack.account();
    const made = await json('user', 'setup-link', '--account', accountId, '--base-url', 'https://hooks.example.com/');
    expect(made['url']).toMatch(/^https:\/\/hooks\.example\.com\/dashboard\/setup#[\w-]{32}$/);
    const browser = from();
    const body = { token: tokenOf(made['url']!), email: newEmail(), password: PASSWORD };
    expect((await browser.post('/setup', body)).status).toBe(201);
    expect((await browser.get('/me')).body.account.id).toBe(accountId);
    await expectRefused('account_not_found', 'user', 'setup-link', '--account', 'acc_nobody');
  });

  it('setup-link names the PUBLIC_URL, if there is one', async () => {
    const { accountId } = await stack.account();
    const { json: run } = cliOf({ config: { ...stack.config, publicUrl: 'https://hooks.example.com' } });
    const made = await run('user', 'setup-link', '--account', accountId);
    expect(made['url']).toMatch(/^https:\/\/hooks\.example\.com\/dashboard\/setup#/);
  });

  it('create reads a password from standard input, and then prints none', async () => {
    const email = newEmail();
    const run = (password: string) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const program = join(__dirname, '..', '..', 'bootstrap', 'everpost.js');
        const args = ['user', 'create', '--email', email, '--password-stdin', '--json'];
        const env = { ...process.env, MONGODB_URI: uri() };
        const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
        );
        child.stdin!.end(`${password}\n`);
      });
    const weak = await run('password12345');
    expect(weak).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('easy to guess') });
    // Nothing is left of the first try.
    const made = await run(PASSWORD);
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.stdout)).not.toHaveProperty('password');
    expect((await from().post('/sign-in', { email, password: PASSWORD })).status).toBe(200);
  }, 300_000);
});
