import { apiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack({ role: 'api' });

async function signedUpOperator() {
  const operator = await signedUp(stack);
  const users = stack.mongo.db.collection<{ _id: string }>('users');
  await users.updateOne({ _id: operator.userId }, { $set: { operator: true } });
  return operator;
}

it('an operator creates a key of the installation, which works until it is revoked', async () => {
  const { browser, userId, accountId } = await signedUpOperator();
  const made = await browser.post('/management-keys', {
    label: 'provisioning',
    scopes: ['accounts:read', 'accounts:write'],
    expires_in: '90d',
  });
  expect([made.status, made.body.key]).toEqual([201, expect.stringMatching(/^svc_admin_[0-9a-f]{32}$/)]);
  const { key, ...shown } = made.body;
  const api = apiClient(stack.url, key);

  expect((await api.call('PUT', '/api/v1/accounts/cus_7', { name: 'Seven' })).status).toBe(201);
  const listed = await browser.get('/management-keys');
  expect(listed.text).not.toContain(key);
  const { calls: _calls, last_used_at: _at, last_used_address: _address, ...fixed } = shown;
  expect(listed.body.keys).toContainEqual(expect.objectContaining(fixed));
  expect(shown).toMatchObject({ product: 'admin', account_id: null, scopes: ['accounts:read', 'accounts:write'] });

  const revoked = await browser.delete(`/management-keys/${shown.id}`);
  expect([revoked.status, revoked.body.revoked_at]).toEqual([200, expect.any(String)]);
  await eventually(
    async () => (await api.get('/api/v1/accounts')).status,
    (status) => status === 401,
  );
  const { body: log } = await browser.get(`/audit?account_id=none&object=${shown.id}`);
  expect(log.entries).toMatchObject([
    { action: 'key.revoked', actor: { id: userId }, account_id: null },
    { action: 'key.created', actor: { id: userId }, detail: 'provisioning' },
  ]);
  const { body: own } = await browser.get(`/audit?account_id=${accountId}&object=${shown.id}`);
  expect(own.entries).toEqual([]);
});

it('a key that asks for too much, or has no name, is refused in words', async () => {
  const { browser } = await signedUpOperator();
  const unknown = await browser.post('/management-keys', { label: 'x', scopes: ['everything'] });
  expect([unknown.status, unknown.body.details[0].path]).toEqual([400, 'scopes[0]']);
  expect((await browser.post('/management-keys', { label: ' ' })).body.code).toBe('invalid_label');
  expect((await browser.post('/management-keys', { label: 'x', product: 'weh' })).body.code).toBe('invalid_request');
});

it("neither kind of key is revoked by the other kind's address", async () => {
  const { browser } = await signedUpOperator();
  const { body: own } = await browser.post('/keys', { product: 'weh', label: 'own' });
  const { body: managing } = await browser.post('/management-keys', { label: 'managing' });
  expect((await browser.delete(`/management-keys/${own.id}`)).status).toBe(404);
  expect((await browser.delete(`/keys/${managing.id}`)).status).toBe(404);
  expect((await browser.get('/keys')).body.keys.map(({ id }: { id: string }) => id)).toEqual([own.id]);
});

it('others do not learn that there are management keys', async () => {
  const { browser } = await signedUp(stack);
  const answers = [
    await browser.get('/management-keys'),
    await browser.post('/management-keys', { label: 'x' }),
    await browser.delete(`/management-keys/key_${'0'.repeat(26)}`),
  ];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual(
    answers.map(() => [404, 'There is nothing at this address.']),
  );
});
