import { apiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { newEmail, signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack({ role: 'api' });
let operator: Awaited<ReturnType<typeof signedUp>>;

beforeAll(async () => {
  operator = await signedUp(stack);
  const users = stack.mongo.db.collection<{ _id: string }>('users');
  await users.updateOne({ _id: operator.userId }, { $set: { operator: true } });
});

let made = 0;
/** A new account with a name. @returns its names and ids */
async function newAccount(name: string): Promise<{ id: string; external_id: string; name: string }> {
  const externalId = `cus_${(made += 1)}.${name.slice(0, 2).trim()}`;
  const answer = await operator.browser.post('/accounts', { external_id: externalId.replaceAll(/[^\w.]/g, ''), name });
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return answer.body;
}

async function found(query: string): Promise<string[]> {
  const { status, body } = await operator.browser.get(`/accounts?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.accounts.map(({ id }: { id: string }) => id);
}

describe('the search', () => {
  it('finds by id, external id, e-mail address and the beginning of the name, whatever its case and accents', async () => {
    const acme = await newAccount('Ácme Germany');
    const other = await newAccount('Other acme');
    const email = newEmail();
    await operator.browser.patch(`/accounts/${other.id}`, { email });
    for (const text of ['acme', 'ÁCME g', acme.id, acme.external_id, acme.external_id.slice(0, -1)]) {
      expect([text, await found(`q=${encodeURIComponent(text)}`)]).toEqual([text, [acme.id]]);
    }
    expect(await found(`q=${email.toUpperCase()}`)).toEqual([other.id]);
    for (const text of ['germany', acme.id.slice(0, -1), email.slice(0, -1), '.*', 'nobody']) {
      expect([text, await found(`q=${encodeURIComponent(text)}`)]).toEqual([text, []]);
    }
  });

  it('keeps to a status, and so does the whole list', async () => {
    const [one, other] = [await newAccount('Zebra One'), await newAccount('Zebra Other')];
    await operator.browser.post(`/accounts/${other.id}/suspend`);
    expect(await found('q=zebra')).toEqual([one.id, other.id]);
    expect(await found('q=zebra&status=suspended')).toEqual([other.id]);
    expect(await found('q=zebra&status=active')).toEqual([one.id]);
    expect(await found('status=suspended')).toEqual([other.id]);
    expect((await operator.browser.get('/accounts?status=gone')).status).toBe(400);
  });

  it('says when there may be more', async () => {
    const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
    const many = Array.from({ length: 120 }, (_, n) => ({
      ...{ _id: `acc_many${n}`, name: `Many ${n}`, tier: 'free', endpoints_version: 0, created_at: new Date(0) },
    }));
    await accounts.insertMany(many);
    const { body } = await operator.browser.get('/accounts?q=many');
    expect([body.accounts.length, body.more, body.next_cursor]).toEqual([100, true, null]);
    expect((await operator.browser.get('/accounts?q=many%201')).body.more).toBe(false);
    await accounts.deleteMany({ _id: { $in: many.map(({ _id }) => _id) } });
  });
});

describe('one account', () => {
  it('is changed: names, limits, metadata and search fields, with one entry in its log', async () => {
    const { id, external_id } = await newAccount('Before');
    const change = {
      ...{ name: 'After', email: newEmail(), tier: 'team', search_fields: ['customer_id'] },
      ...{ limits: { per_minute: 42, monthly_quota: null }, metadata: { plan: 'gold' } },
    };
    expect((await operator.browser.patch(`/accounts/${id}`, change)).status).toBe(200);
    const { body } = await operator.browser.get(`/accounts/${id}`);
    expect(body).toMatchObject({ id, external_id, ...change, status: 'active', monthly_quota: null });
    const { body: log } = await operator.browser.get(`/audit?account_id=${id}&action=account.changed`);
    expect(log.entries).toHaveLength(1);
    expect(log.entries[0]).toMatchObject({ actor: { id: operator.userId }, object: id });
    expect(log.entries[0].changes).toContainEqual({ field: 'name', from: 'Before', to: 'After' });

    await operator.browser.patch(`/accounts/${id}`, { name: null, email: null, limits: null, metadata: null });
    expect((await operator.browser.get(`/accounts/${id}`)).body).toMatchObject({
      ...{ name: null, email: null, limits: {}, metadata: {}, tier: 'team', monthly_quota: 200_000 },
    });
  });

  it('with limits of its own is limited by them', async () => {
    const person = await signedUp(stack);
    const { body: key } = await person.browser.post('/keys', { product: 'weh', label: 'x' });
    await operator.browser.patch(`/accounts/${person.accountId}`, { limits: { per_minute: 7 } });
    const self = await apiClient(stack.url, key.key).get('/api/v1/keys/self');
    expect(self.headers.get('X-RateLimit-Limit')).toBe('7');
    expect((await person.browser.get('/me')).body.account).toMatchObject({ tier: { id: 'free', per_minute: 7 } });
  });

  it('refuses what no account may have, and says which field is wrong', async () => {
    const { id } = await newAccount('Refused');
    const other = await signedUp(stack);
    const refused = async (body: object) => (await operator.browser.patch(`/accounts/${id}`, body)).body;
    expect((await refused({ limits: { per_minute: 0 } })).details[0].path).toBe('limits.per_minute');
    expect((await refused({ metadata: { n: 1 } })).details[0].path).toBe('metadata.n');
    expect((await refused({ status: 'suspended' })).code).toBe('invalid_request');
    expect((await refused({ email: other.email })).code).toBe('email_taken');
    expect((await refused({ email: 'nobody' })).code).toBe('invalid_email');
    expect((await refused({ tier: 'gold' })).code).toBe('unknown_tier');
    expect((await operator.browser.get(`/accounts/${id}`)).body).toMatchObject({ name: 'Refused', email: null });
  });

  it('shows what it did this month, and which endpoints need attention', async () => {
    const person = await signedUp(stack);
    const { body: key } = await person.browser.post('/keys', { product: 'weh', label: 'x' });
    const api = apiClient(stack.url, key.key);
    for (const description of ['Well', 'Stopped']) {
      await api.post('/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x', events: ['a.b'], description });
    }
    const { body: list } = await person.browser.get('/webhooks/endpoints');
    const stopped = list.endpoints.find((it: { description: string }) => it.description === 'Stopped');
    await api.post(`/api/v1/webhooks/endpoints/${stopped.id}/pause`);
    await api.post('/api/v1/webhooks/events', { type: 'c.d', data: {} });

    const detail = await eventually(
      async () => (await operator.browser.get(`/accounts/${person.accountId}`)).body,
      ({ usage }) => usage[0]?.calls === 4 && usage[0]?.events === 1,
    );
    const day = new Date().toISOString().slice(0, 10);
    expect(detail.usage).toEqual([{ day, events: 1, deliveries: 0, attempts: 0, failed_attempts: 0, calls: 4 }]);
    expect(detail.endpoints).toMatchObject({
      ...{ total: 2, counts: { paused: 1, failing: 0 }, more: 0 },
      troubled: [{ id: stopped.id, description: 'Stopped', state: 'paused' }],
    });
    const { body: log } = await operator.browser.get(`/audit?action=accounts.read&object=${person.accountId}`);
    expect(log.entries[0].actor.id).toBe(operator.userId);
  });

  it('is created once: the same external id again is refused, and changes nothing', async () => {
    const body = { external_id: 'cus_once', name: 'Once', tier: 'starter' };
    const first = await operator.browser.post('/accounts', body);
    expect([first.status, first.body]).toMatchObject([201, { ...body, email: null, status: 'active' }]);
    const again = await operator.browser.post('/accounts', { ...body, name: 'Twice' });
    expect([again.status, again.body.code]).toEqual([409, 'account_exists']);
    expect((await operator.browser.get(`/accounts/${first.body.id}`)).body.name).toBe('Once');
    const own = await operator.browser.post('/accounts', { external_id: `acc_${'0'.repeat(26)}` });
    expect([own.status, own.body.details[0].path]).toEqual([400, 'external_id']);
    expect((await operator.browser.post('/accounts', { external_id: 'cus_x', tier: 'gold' })).body.code).toBe(
      'unknown_tier',
    );
  });
});

it('an account without an e-mail address can be looked into, and is in the overview', async () => {
  const { id, name } = await newAccount('No address');
  expect((await operator.browser.post(`/accounts/${id}/view`)).status).toBe(204);
  const { body: me } = await operator.browser.get('/me');
  expect(me).toMatchObject({ is_view: true, account: { id, name, email: null } });
  expect((await operator.browser.delete('/view')).status).toBe(204);
});

it('others do not learn of accounts', async () => {
  const { browser, accountId } = await signedUp(stack);
  for (const answer of [
    await browser.get('/accounts?q=acme'),
    await browser.get(`/accounts/${accountId}`),
    await browser.patch(`/accounts/${accountId}`, { tier: 'enterprise' }),
    await browser.post('/accounts', { external_id: 'cus_mine' }),
  ]) {
    expect([answer.status, answer.body.error]).toEqual([404, 'There is nothing at this address.']);
  }
});
