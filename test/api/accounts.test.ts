import { apiClient, expectError, statusesOf } from '../support/api-client';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { watchReads } from '../support/watch-reads';

const stack = useStack();

async function buildPlatform() {
  const { key, keyId } = await stack.managementKey();
  return { api: apiClient(stack.url, key), keyId };
}

let made = 0;
const newId = (): string => `cus_${(made += 1)}`;

it('creates an account with a PUT, changes it with another, and nothing with the same one again', async () => {
  const { api, keyId } = await buildPlatform();
  const id = newId();

  const created = await api.put(`/api/v1/accounts/${id}`, { name: 'Acme', metadata: { plan: 'gold' } });
  const same = await api.put(`/api/v1/accounts/${id}`, { name: 'Acme' });
  const changed = await api.put(`/api/v1/accounts/${id}`, { name: null, limits: { per_minute: 7 } });
  const read = await api.get(`/api/v1/accounts/${id}`);

  expect([created.status, same.status, changed.status]).toEqual([201, 200, 200]);
  expect(created.body).toMatchObject({
    ...{ external_id: id, name: 'Acme', email: null, tier: 'enterprise', limits: {}, status: 'active' },
    ...{ metadata: { plan: 'gold' }, search_fields: [] },
  });
  expect(same.body).toEqual(created.body);
  expect(read.body).toEqual(changed.body);
  expect(read.body).toMatchObject({ name: null, limits: { per_minute: 7 }, metadata: { plan: 'gold' } });
  const entries = await stack.mongo.db
    .collection('audit_log')
    .find({ account_id: created.body.id })
    .sort({ at: 1 })
    .toArray();
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['account.created', { type: 'management_key', id: keyId, name: 'platform' }],
    ['account.changed', { type: 'management_key', id: keyId, name: 'platform' }],
  ]);
});

it('creates one account for calls at the same time', async () => {
  const { api } = await buildPlatform();
  const id = newId();

  const answers = await Promise.all(Array.from({ length: 5 }, () => api.put(`/api/v1/accounts/${id}`, { name: 'A' })));

  expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

it('acts for the account that the header names, by its external_id and by its id', async () => {
  const { api, keyId } = await buildPlatform();
  const id = newId();
  const { body: account } = await api.put(`/api/v1/accounts/${id}`);

  const endpoint = await api.post(
    '/api/v1/webhooks/endpoints',
    { url: 'https://example.com/hook' },
    { 'Everpost-Account': id },
  );
  const sent = await api.post(
    '/api/v1/webhooks/events',
    { type: 'order.created', data: {} },
    { 'Everpost-Account': account.id },
  );
  const listed = await api.get('/api/v1/webhooks/events', { 'Everpost-Account': id });
  const self = await api.get('/api/v1/keys/self', { 'Everpost-Account': id });

  expect([endpoint.status, sent.status]).toEqual([201, 202]);
  expect(listed.body.events.map((event: { id: number }) => event.id)).toEqual([sent.body.id]);
  expect(self.body).toMatchObject({ account_id: account.id, product: null, label: 'platform' });
  const entry = await stack.mongo.db.collection('audit_log').findOne({ object: endpoint.body.id });
  expect(entry).toMatchObject({ account_id: account.id, actor: { type: 'management_key', id: keyId } });
});

it('finds the account by its external_id in the update that counts the call: no further command', async () => {
  const { api } = await buildPlatform();
  const id = newId();
  const { body: account } = await api.put(`/api/v1/accounts/${id}`);
  const readsOf = async (named: string): Promise<number> => {
    const reads = await watchReads(stack.mongo, () =>
      api.get('/api/v1/webhooks/endpoints', { 'Everpost-Account': named }),
    );
    // The worker looks for deletions on its own.
    return reads.filter(({ collection, command }) => collection === 'accounts' && !('find' in command)).length;
  };

  expect([await readsOf(account.id), await readsOf(id), await readsOf(id)]).toEqual([1, 1, 1]);
});

it("says which account is missing, unknown, suspended, or not the key's", async () => {
  const { api } = await buildPlatform();
  const { key } = await stack.account();
  const own = apiClient(stack.url, key);
  const id = newId();
  await api.put(`/api/v1/accounts/${id}`);
  const list = (client: typeof api, account?: string) =>
    client.get('/api/v1/webhooks/endpoints', account === undefined ? {} : { 'Everpost-Account': account });

  expectError(await list(api), 400, 'account_required');
  expectError(await list(api, 'nobody'), 404, 'account_not_found');
  expectError(await list(api, 'acc_00000000000000000000000000'), 404, 'account_not_found');
  expectError(await list(api, 'not an id'), 404, 'account_not_found');
  expectError(await list(own, id), 400, 'account_not_allowed');
  const { body: self } = await own.get('/api/v1/keys/self');
  expect((await list(own, self.account_id)).status).toBe(200);
  await api.put(`/api/v1/accounts/${id}`, { status: 'suspended' });
  expectError(await list(api, id), 403, 'account_suspended');
  expect((await api.get(`/api/v1/accounts/${id}`)).body.status).toBe('suspended');
  await api.put(`/api/v1/accounts/${id}`, { status: 'active' });
  expect((await list(api, id)).status).toBe(200);
});

it("has the account's own limits in headers and errors, from the next call", async () => {
  const { api } = await buildPlatform();
  const id = newId();
  await api.put(`/api/v1/accounts/${id}`, { limits: { per_minute: 3, monthly_quota: 2 } });
  const call = () => api.get('/api/v1/webhooks/endpoints', { 'Everpost-Account': id });

  const first = await call();
  await call();
  const third = await call();
  await api.put(`/api/v1/accounts/${id}`, { limits: { per_minute: 3, monthly_quota: null } });
  const unlimited = await call();
  const burst = await call();

  expect(first.headers.get('X-RateLimit-Limit')).toBe('3');
  expect(first.headers.get('X-Quota-Limit')).toBe('2');
  expectError(third, 429, { code: 'quota_exceeded', quota_limit: 2 });
  expect(unlimited.status).toBe(200);
  expect(unlimited.headers.get('X-Quota-Limit')).toBe('unlimited');
  expectError(burst, 429, 'rate_limit_exceeded');
});

it('lists accounts by status, and pages through them', async () => {
  const { api } = await buildPlatform();
  const ids = [newId(), newId(), newId()];
  for (const id of ids) await api.put(`/api/v1/accounts/${id}`, { status: 'suspended' });

  const first = await api.get('/api/v1/accounts?status=suspended&limit=2');
  const second = await api.get(`/api/v1/accounts?status=suspended&limit=2&cursor=${first.body.next_cursor}`);

  const seen = [...first.body.accounts, ...second.body.accounts].map(
    (account: { external_id: string }) => account.external_id,
  );
  expect(seen).toEqual(expect.arrayContaining(ids));
});

it('erases a deleted account, after which there is none', async () => {
  const { api } = await buildPlatform();
  const id = newId();
  await api.put(`/api/v1/accounts/${id}`);

  const deleted = await api.delete(`/api/v1/accounts/${id}`);

  expect([deleted.status, deleted.body.status]).toEqual([202, 'deleting']);
  expectError(await api.put(`/api/v1/accounts/${id}`, { name: 'again' }), 409, 'account_being_deleted');
  // Its deletion waits as long as an attempt may be under way: say that this is over.
  await stack.mongo.db
    .collection('accounts')
    .updateOne({ external_id: id }, { $set: { suspended_at: new Date(Date.now() - 3_600_000) } });
  await eventually(
    () => api.get(`/api/v1/accounts/${id}`),
    ({ status }) => status === 404,
  );
  const again = await api.put(`/api/v1/accounts/${id}`);
  expect(again.status).toBe(201);
  expect((await api.get('/api/v1/webhooks/events', { 'Everpost-Account': id })).status).toBe(200);
});

it('keeps what a customer can name apart: ids, e-mail addresses, tiers', async () => {
  const { api } = await buildPlatform();
  const [one, other] = [newId(), newId()];
  await api.put(`/api/v1/accounts/${one}`, { email: `${one}@example.com` });

  expectError(await api.put(`/api/v1/accounts/${other}`, { email: `${one}@EXAMPLE.com` }), 409, 'email_taken');
  expect((await api.get(`/api/v1/accounts/${other}`)).status).toBe(404);
  expectError(await api.put(`/api/v1/accounts/${other}`, { email: 'nobody' }), 400, 'invalid_email');
  expectError(await api.put(`/api/v1/accounts/${other}`, { tier: 'gold' }), 400, 'unknown_tier');
  expectError(await api.put('/api/v1/accounts/acc_1', {}), 404, 'account_not_found');
  expectError(await api.put(`/api/v1/accounts/${'x'.repeat(129)}`, {}), 400, 'invalid_request');
  expectError(await api.put(`/api/v1/accounts/${other}`, { nme: 'A' }), 400, 'invalid_request');
});

it('refuses a management key without the scope, and every key of an account', async () => {
  const { key } = await stack.managementKey({ scopes: ['accounts:read'] });
  const { key: ofAccount } = await stack.account();
  const id = newId();

  expectError(await apiClient(stack.url, key).put(`/api/v1/accounts/${id}`), 403, 'missing_scope');
  expectError(await apiClient(stack.url, ofAccount).get('/api/v1/accounts'), 403, 'missing_scope');
  expect((await apiClient(stack.url, key).get('/api/v1/accounts')).status).toBe(200);
});

it('reports what each account did on each day', async () => {
  const { api } = await buildPlatform();
  const id = newId();
  await api.put(`/api/v1/accounts/${id}`);
  const named = { 'Everpost-Account': id };
  await api.post('/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/' }, named);
  await api.post('/api/v1/webhooks/events', { type: 'order.created', data: {} }, named);
  const today = new Date();
  const dayOf = (offset: number) => new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);

  const rows = await eventually(
    async () => {
      const { body } = await api.get(`/api/v1/accounts/usage?after=${dayOf(-1)}&before=${dayOf(2)}`);
      return body.usage.filter((row: { external_id: string }) => row.external_id === id);
    },
    ([row]) => row?.attempts === 8 && row.calls === 2,
  );

  expect(rows).toEqual([
    expect.objectContaining({ events: 1, deliveries: 1, attempts: 8, failed_attempts: 8, calls: 2 }),
  ]);
  expectError(await api.get(`/api/v1/accounts/usage?after=${dayOf(1)}&before=${dayOf(0)}`), 400, 'invalid_request');
});
