import { userInfo } from 'node:os';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { PRODUCT_PREFIXES } from '../../src/domain/api-key';
import { SCOPE_NAMES } from '../../src/domain/scopes';
import { apiClient, untilStatus } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { cliOf } from '../support/run-cli';

const SELF = '/api/v1/keys/self';
const ACCOUNT_ID = /^acc_[0-9a-z]{26}$/;
const KEY_ID = /^key_[0-9a-z]{26}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const stack = useStack({ role: 'api' });
const { json, printed, expectRefused } = cliOf(stack);

const FOR_WEBHOOKS = ['--product', 'weh', '--label', 'x'];

interface KeyOutput {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

/** What an account has that the API did not create. */
const PLAIN = { external_id: null, name: null, status: 'active' };

let count = 0;
const email = (): string => `person-${(count += 1)}@example.com`;

describe('everpost account', () => {
  it('create prints id, email and tier; the default tier is Free', async () => {
    const address = email();
    const account = await json('account', 'create', '--email', address);
    expect(account).toEqual({ ...PLAIN, id: expect.stringMatching(ACCOUNT_ID), email: address, tier: 'free' });
    expect(await json('account', 'create', '--email', email(), '--tier', 'team')).toMatchObject({ tier: 'team' });
  });

  it('create refuses an email address that is taken, in any capitals', async () => {
    await json('account', 'create', '--email', 'Some.One@Example.com');
    await expectRefused('email_taken', 'account', 'create', '--email', ' some.one@example.COM ');
  });

  it.each([
    [['--email', 'nobody'], 'invalid_email'],
    [['--email', 'a b@example.com'], 'invalid_email'],
    [['--email', 'x@example.com', '--tier', 'gold'], 'unknown_tier'],
  ])('create refuses %j', async (args, code) => {
    const before = await json<object[]>('account', 'list');
    await expect(printed('account', 'create', ...args)).rejects.toMatchObject({ code });
    expect(await json<object[]>('account', 'list')).toEqual(before);
  });

  it('list prints an array of all accounts', async () => {
    const account = await json('account', 'create', '--email', email());
    const list = await json<object[]>('account', 'list');
    expect(list).toContainEqual({ ...PLAIN, id: account['id'], email: account['email'], tier: 'free' });
  });

  it('set-tier changes the tier from the next call on', async () => {
    const { accountId, key } = await stack.account({ tier: 'free' });
    expect(await json('account', 'set-tier', '--id', accountId, '--tier', 'business')).toMatchObject({
      id: accountId,
      tier: 'business',
    });
    const { body, headers } = await apiClient(stack.url, key).get(SELF);
    expect([body.tier, headers.get('X-RateLimit-Limit')]).toEqual(['business', '600']);
    await expectRefused('unknown_tier', 'account', 'set-tier', '--id', accountId, '--tier', 'gold');
    await expectRefused('account_not_found', 'account', 'set-tier', '--id', 'acc_x', '--tier', 'team');
  });
});

describe('everpost key', () => {
  const heldBy = (product: string): readonly string[] => (product === 'weh' ? SCOPE_NAMES : []);

  it.each(PRODUCT_PREFIXES)('create prints a working key of %s, once', async (product) => {
    const account = await json('account', 'create', '--email', email());
    const key = await json(
      'key',
      'create',
      '--account',
      account['id']!,
      '--product',
      product,
      '--label',
      ' production ',
    );
    expect(key).toEqual({
      id: expect.stringMatching(KEY_ID),
      key: expect.stringMatching(new RegExp(`^svc_live_${product}_[0-9a-f]{32}$`)),
      product,
      label: 'production',
      account_id: account['id'],
      scopes: heldBy(product),
      expires_at: null,
    });
    const list = await json<object[]>('key', 'list', '--account', account['id']!);
    expect(list).toEqual([
      {
        id: key['id'],
        display: `svc_live_${product}_…${key['key']!.slice(-4)}`,
        product,
        label: 'production',
        account_id: account['id'],
        scopes: heldBy(product),
        created_at: expect.stringMatching(ISO),
        created_by: userInfo().username,
        expires_at: null,
        last_used_at: null,
        last_used_address: null,
        revoked_at: null,
      },
    ]);

    const self = await apiClient(stack.url, key['key']).get(SELF);
    expect([self.status, self.body]).toEqual([
      200,
      {
        product,
        label: 'production',
        account_id: account['id'],
        tier: 'free',
        scopes: heldBy(product),
        expires_at: null,
      },
    ]);
    const stored = JSON.stringify(await stack.mongo.db.collection('api_keys').find().toArray());
    expect(stored).toContain(key['id']);
    expect(stored).not.toContain(key['key']!.slice(-32));
  });

  it.each([
    ['an unknown product', ['--product', 'xyz', '--label', 'x'], 'unknown_product'],
    ['an inherited name as product', ['--product', 'constructor', '--label', 'x'], 'unknown_product'],
    ['an empty label', ['--product', 'weh', '--label', ' '], 'invalid_label'],
    ['a label of 101 characters', ['--product', 'weh', '--label', 'x'.repeat(101)], 'invalid_label'],
    ['a label that a terminal obeys', ['--product', 'weh', '--label', 'a\u001b[2J'], 'invalid_label'],
    ['an unknown scope', [...FOR_WEBHOOKS, '--scopes', 'events:write,events:delete'], 'unknown_scope'],
    ['an inherited name as scope', [...FOR_WEBHOOKS, '--scopes', 'constructor'], 'unknown_scope'],
    ['no scope', [...FOR_WEBHOOKS, '--scopes', ''], 'unknown_scope'],
    ['scopes of another product', ['--product', 'sec', '--label', 'x', '--scopes', 'events:write'], 'unknown_scope'],
    ['no duration', [...FOR_WEBHOOKS, '--expires', 'tomorrow'], 'invalid_expiry'],
    ['no time to live', [...FOR_WEBHOOKS, '--expires', '0d'], 'invalid_expiry'],
    ['an impossible date', [...FOR_WEBHOOKS, '--expires', '9999999d'], 'invalid_expiry'],
    ['an endless number', [...FOR_WEBHOOKS, '--expires', `${'9'.repeat(400)}d`], 'invalid_expiry'],
  ])('create refuses %s', async (_what, args, code) => {
    const { accountId } = await stack.account();
    await expect(printed('key', 'create', '--account', accountId, ...args)).rejects.toMatchObject({ code });
    expect(await json<object[]>('key', 'list', '--account', accountId)).toHaveLength(1);
  });

  it("create limits a key's scopes and lifetime; the list and GET /keys/self show the limits", async () => {
    const { accountId } = await stack.account();
    const limits = ['--scopes', 'events:read, events:write,events:read', '--expires', '90d'];
    const from = Date.now();
    const key = await json<KeyOutput>('key', 'create', '--account', accountId, ...FOR_WEBHOOKS, ...limits);
    const until = Date.now();

    // Each once, in their usual order.
    expect(key.scopes).toEqual(['events:write', 'events:read']);
    const days90 = 90 * 86_400_000;
    expect(Date.parse(key.expires_at!)).toBeGreaterThanOrEqual(from + days90);
    expect(Date.parse(key.expires_at!)).toBeLessThanOrEqual(until + days90);
    const { scopes, expires_at } = key;
    expect(await json<KeyOutput[]>('key', 'list', '--account', accountId)).toContainEqual(
      expect.objectContaining({ id: key.id, scopes, expires_at }),
    );
    expect(await printed('key', 'list', '--account', accountId)).toContain('events:write,events:read');
    expect((await apiClient(stack.url, key.key).get(SELF)).body).toMatchObject({ scopes, expires_at });
  });

  it('create and list refuse an unknown account', async () => {
    const unknown = ['--account', 'acc_nobody'];
    await expectRefused('account_not_found', 'key', 'create', ...unknown, '--product', 'weh', '--label', 'x');
    await expectRefused('account_not_found', 'key', 'list', ...unknown);
  });

  it('revoke ends a key permanently; a rotation needs no downtime', async () => {
    const old = await stack.account();
    const next = await json('key', 'create', '--account', old.accountId, '--product', 'weh', '--label', 'next');
    const statusOf = async (key: string): Promise<number> => (await apiClient(stack.url, key).get(SELF)).status;
    expect([await statusOf(old.key), await statusOf(next['key']!)]).toEqual([200, 200]);

    const revoked = await json('key', 'revoke', '--id', old.keyId);
    expect(revoked).toMatchObject({ id: old.keyId, revoked_at: expect.stringMatching(ISO) });
    await untilStatus(() => apiClient(stack.url, old.key).get(SELF), 401);
    expect(await statusOf(next['key']!)).toBe(200);
    // Again: nothing changes.
    expect(await json('key', 'revoke', '--id', old.keyId)).toMatchObject({ revoked_at: revoked['revoked_at'] });
    await expectRefused('key_not_found', 'key', 'revoke', '--id', 'key_nobody');
    await expectRefused('key_not_found', 'key', 'revoke', '--id', next['key']!);
  });
});

describe('output for people', () => {
  it('prints a table with a line for each row', async () => {
    const { accountId } = await stack.account();
    const lines = (await printed('key', 'list', '--account', accountId)).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^id +display +product +label/);
    expect(lines[1]).toContain('svc_live_weh_…');
  });

  it("prints no control characters of a tenant's text, which a terminal would obey", async () => {
    const { accountId } = await stack.account();
    const label = 'a\u001b[2Jb\nc\u009bd\u202ee';
    // Of a release that did not refuse it.
    const keys = stack.mongo.db.collection<{ _id: string }>('api_keys');
    const audit = stack.mongo.db.collection<{ _id: string }>('audit_log');
    const { id } = await json<{ id: string }>(
      'key',
      'create',
      '--account',
      accountId,
      '--product',
      'weh',
      '--label',
      'x',
    );
    expect((await keys.updateOne({ _id: id }, { $set: { label } })).modifiedCount).toBe(1);
    expect((await audit.updateOne({ object: id }, { $set: { detail: label } })).modifiedCount).toBe(1);

    const lines = (await printed('key', 'list', '--account', accountId)).split('\n');

    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain(String.raw`a\u001b[2Jb c\u009bd\u202ee`);
    expect(await printed('audit', 'export', '--account', accountId)).toContain(String.raw`"a\u001b[2Jb`);
    const [, listed] = await json<{ label: string }[]>('key', 'list', '--account', accountId);
    expect(listed!.label).toBe(label);
  });

  it("acts on no other folder's stack when none runs on the data folder", async () => {
    const mongodb = { ...stack.config.mongodb, uri: undefined, port: Number(new URL(stack.config.mongodb.uri!).port) };
    const { json: fails } = cliOf({ config: { ...stack.config, mongodb, dataDir: '/nowhere' } });

    await expect(fails('account', 'list')).rejects.toThrow(/^No stack runs on the data folder \/nowhere/);
  });

  it('says that MongoDB is unreachable', async () => {
    const uri = 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=200';
    const { json: fails } = cliOf({ config: { ...stack.config, mongodb: { ...stack.config.mongodb, uri } } });

    await expect(fails('account', 'list')).rejects.toThrow(/MongoDB does not answer at MONGODB_URI/);
  });
});

describe('output for programs', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const program = join(__dirname, '..', '..', 'bootstrap', 'everpost.js');
      const settings = { ...process.env, MONGODB_URI: stack.config.mongodb.uri!, ...env };
      execFile(process.execPath, [program, ...args], { env: settings }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    });

  it('--json prints exactly one JSON value on stdout, and errors on stderr', async () => {
    const address = email();

    const [created, missing] = await Promise.all([
      run(['account', 'create', '--email', address, '--json']),
      run(['key', 'create', '--json']),
    ]);

    expect({ ...created, stdout: '' }).toMatchObject({ code: 0 });
    expect(created.stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(created.stdout)).toMatchObject({ id: expect.stringMatching(ACCOUNT_ID), email: address });
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--account') });
  }, 300_000);

  it('ends in silence when no process reads its output, as with `| head`', async () => {
    const program = join(__dirname, '..', '..', 'bootstrap', 'everpost.js');
    const env = { ...process.env, MONGODB_URI: stack.config.mongodb.uri! };
    const child = spawn(process.execPath, [program, 'account', 'list'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));

    expect(await once(child, 'close')).toEqual([0, null]);
    expect(errors).toBe('');
  });

  it('an invalid setting is named with what is wrong', () => {
    expect(() => loadConfig({ TIERS: '[{"id":"Big"}]' })).toThrow(/TIERS/);
    expect(() => loadConfig({ TIERS: 'nonsense' })).toThrow(/TIERS/);
    expect(() => loadConfig({ TRUSTED_PROXIES: 'everybody' })).toThrow(/TRUSTED_PROXIES.*everybody/);
    expect(() => loadConfig({ AUTH_FAILURES_PER_MINUTE: '0' })).toThrow(/AUTH_FAILURES_PER_MINUTE/);
  });
});
