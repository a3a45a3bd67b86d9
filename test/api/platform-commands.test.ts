import { userInfo } from 'node:os';
import { MANAGEMENT_SCOPE_NAMES } from '../../src/domain/scopes';
import { apiClient, expectError, untilStatus } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { cliOf } from '../support/run-cli';

const stack = useStack({ role: 'api' });
const { json, printed, expectRefused } = cliOf(stack);

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface KeyOutput {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

interface AccountOutput {
  readonly id: string;
  readonly external_id: string | null;
  readonly status: string;
  readonly defaults: object;
  readonly event_types: string | null;
  readonly retention_days: number | null;
}

let count = 0;
const newId = (): string => `cus_${(count += 1)}`;
const put = (id: string, ...options: string[]) =>
  json<AccountOutput>('account', 'put', '--external-id', id, ...options);

describe('everpost admin-key', () => {
  it('create prints a management key once, which works, and list shows it masked', async () => {
    const made = await json<KeyOutput>('admin-key', 'create', '--label', ' platform ');

    expect(made).toEqual({
      id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^svc_admin_[0-9a-f]{32}$/),
      label: 'platform',
      scopes: MANAGEMENT_SCOPE_NAMES,
      expires_at: null,
    });
    expect((await apiClient(stack.url, made.key).put(`/api/v1/accounts/${newId()}`)).status).toBe(201);
    const listed = await json<KeyOutput[]>('admin-key', 'list');
    expect(listed.find(({ id }) => id === made.id)).toEqual({
      id: made.id,
      display: `svc_admin_…${made.key.slice(-4)}`,
      label: 'platform',
      product: 'admin',
      account_id: null,
      scopes: MANAGEMENT_SCOPE_NAMES,
      created_at: expect.stringMatching(ISO),
      created_by: userInfo().username,
      expires_at: null,
      last_used_at: null,
      last_used_address: null,
      revoked_at: null,
    });
  });

  it('create limits scopes and lifetime, and refuses what is neither', async () => {
    const limits = ['--scopes', 'accounts:read,events:write', '--expires', '90d'];
    const made = await json<KeyOutput>('admin-key', 'create', '--label', 'bills', ...limits);

    expect(made.scopes).toEqual(['events:write', 'accounts:read']);
    expect(Date.parse(made.expires_at!)).toBeGreaterThan(Date.now());
    const api = apiClient(stack.url, made.key);
    expect((await api.get('/api/v1/accounts')).status).toBe(200);
    expectError(await api.put(`/api/v1/accounts/${newId()}`), 403, 'missing_scope');
    await expectRefused('unknown_scope', 'admin-key', 'create', '--label', 'x', '--scopes', 'accounts:all');
    await expectRefused('invalid_label', 'admin-key', 'create', '--label', ' ');
    await expectRefused('invalid_expiry', 'admin-key', 'create', '--label', 'x', '--expires', 'never');
  });

  it('revoke ends a management key, and none of an account', async () => {
    const { id, key } = await json<KeyOutput>('admin-key', 'create', '--label', 'old');
    const { keyId } = await stack.account();
    const call = () => apiClient(stack.url, key).get('/api/v1/accounts');
    expect((await call()).status).toBe(200);

    expect(await json('admin-key', 'revoke', '--id', id)).toMatchObject({
      id,
      revoked_at: expect.stringMatching(ISO),
    });

    await untilStatus(call, 401);
    await expectRefused('key_not_found', 'admin-key', 'revoke', '--id', keyId);
  });
});

describe('everpost account put', () => {
  it('creates an account and changes it, as the API does', async () => {
    const id = newId();
    const made = await put(id, '--name', 'Acme', '--limits', '{"per_minute":7}', '--metadata', '{"plan":"gold"}');
    const changed = await put(id, '--name', '', '--search-fields', 'order_id, city', '--status', 'suspended');
    const shaped = await put(id, '--body', 'data');
    const unshaped = await put(id, '--body', '', '--event-types', 'strict', '--retention-days', '7');
    const last = await put(id, '--event-types', '', '--retention-days', '');

    expect(made).toMatchObject({
      ...{ id: expect.stringMatching(/^acc_/), external_id: id, name: 'Acme', email: null, tier: 'enterprise' },
      ...{ limits: { per_minute: 7 }, metadata: { plan: 'gold' }, search_fields: [], status: 'active' },
    });
    expect(changed).toEqual({
      ...{ ...made, name: null, search_fields: ['order_id', 'city'], status: 'suspended' },
      updated_at: expect.stringMatching(ISO),
    });
    expect([made, shaped, unshaped].map((account) => account.defaults)).toEqual([{}, { body: 'data' }, {}]);
    expect([made, unshaped, last].map((account) => account.event_types)).toEqual([null, 'strict', null]);
    expect([made, unshaped, last].map((account) => account.retention_days)).toEqual([null, 7, null]);
    const { key } = await stack.managementKey();
    expect((await apiClient(stack.url, key).get(`/api/v1/accounts/${id}`)).body).toEqual(last);
    expect(await printed('account', 'show', '--id', id)).toContain('{"per_minute":7}');
  });

  it.each([
    [['--limits', '{"per_minute":0}'], /^--limits\.per_minute must be/],
    [['--limits', '{"per_second":1}'], /--limits/],
    [['--limits', 'seven'], /^--limits must be JSON/],
    [['--metadata', '["a"]'], /^--metadata must be an object/],
    [['--search-fields', 'a b'], /^--search-fields\.0 must be/],
    [['--status', 'asleep'], /^--status/],
    [['--body', 'xml'], /^--body /],
    [['--event-types', 'lax'], /^--event-types must be one of/],
    [['--retention-days', '1'], /^--retention-days must be a whole number of days from 2 to 3650/],
    [['--retention-days', 'ten'], /^--retention-days must be/],
    [['--retention-days', '31'], /^"retention_days" must be at most 30/],
  ])('refuses %j', async (options, message) => {
    const id = newId();
    await expect(put(id, ...options)).rejects.toThrow(message);
    await expectRefused('account_not_found', 'account', 'show', '--id', id);
  });

  it('refuses an id that is not one', async () => {
    await expect(put('a b')).rejects.toThrow(/^--external-id must have/);
    await expectRefused('account_not_found', 'account', 'put', '--external-id', 'acc_nobody');
  });
});

it('every command takes an external id in the place of an account id', async () => {
  const id = newId();
  const account = await put(id);
  const of = ['--id', id];

  expect(await json('account', 'set-tier', ...of, '--tier', 'team')).toMatchObject({ id: account.id, tier: 'team' });
  expect(await json('account', 'suspend', ...of)).toMatchObject({ id: account.id, status: 'suspended' });
  expect(await json('account', 'resume', ...of)).toMatchObject({ id: account.id, status: 'active' });
  const key = await json('key', 'create', '--account', id, '--product', 'weh', '--label', 'own');
  expect(key).toMatchObject({ account_id: account.id });
  expect(await json('key', 'list', '--account', id)).toMatchObject([{ id: key['id'] }]);
  expect(await json('endpoint', 'list', '--account', id)).toEqual([]);
  expect(await json('replay', 'list', '--account', id)).toEqual([]);
  expect(await json('usage', id)).toEqual([]);
  expect(await json('audit', 'list', '--account', id, '--action', 'account.created')).toMatchObject([
    { object: account.id },
  ]);
  expect(await json('user', 'create', '--account', id, '--email', `${id}@example.com`)).toMatchObject({
    account_id: account.id,
  });
  await expectRefused('account_not_found', 'account', 'suspend', '--id', 'nobody');
  await expectRefused('account_not_found', 'key', 'list', '--account', 'nobody');
});

describe('everpost account list', () => {
  it('lists accounts of one status', async () => {
    const suspended = await put(newId(), '--status', 'suspended');
    const active = await put(newId());

    const ids = (await json<AccountOutput[]>('account', 'list', '--status', 'suspended')).map((row) => row.id);

    expect(ids).toContain(suspended.id);
    expect(ids).not.toContain(active.id);
    await expectRefused('invalid_request', 'account', 'list', '--status', 'asleep');
  });

  it('prints more accounts than one read returns, newest first, once each', async () => {
    const many = Array.from({ length: 1_200 }, (_, at) => ({
      _id: `acc_many${at}`,
      external_id: `many_${at}`,
      tier: 'free',
      endpoints_version: 0,
      created_at: new Date(at),
    }));
    await stack.mongo.db.collection<{ _id: string }>('accounts').insertMany(many);

    const rows = await json<AccountOutput[]>('account', 'list');
    const lines = (await printed('account', 'list')).split('\n');

    const wanted = many.map(({ external_id: id }) => id).toReversed();
    expect(rows.flatMap(({ external_id: id }) => (id?.startsWith('many_') ? [id] : []))).toEqual(wanted);
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines[0]).toMatch(/^id +external_id +name +email +tier +status$/);
  });
});
