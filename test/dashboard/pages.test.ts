import type { z } from 'zod';
import type { overviewView } from '../../src/dashboard-api/overview-schema';
import { SCOPE_NAMES } from '../../src/domain/scopes';
import { apiClient, statusesOf } from '../support/api-client';
import { buildApi } from '../support/build-api';
import { buildReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildStranger, newEmail, PASSWORD, signedUp, useDashboardStack, type Browser } from './browser';

type Overview = z.output<typeof overviewView>;

const stack = useDashboardStack({ env: { TEMPORAL_UI_URL: 'http://127.0.0.1:8233/', RETRY_SCHEDULE: '0s,50ms' } });

async function makeOperator(userId: string): Promise<void> {
  await stack.mongo.db.collection<{ _id: string }>('users').updateOne({ _id: userId }, { $set: { operator: true } });
}

const newKey = async (browser: Browser, label = 'production') =>
  (await browser.post('/keys', { product: 'weh', label })).body;

const statusOf = async (key: string): Promise<number> =>
  (await apiClient(stack.url, key).get('/api/v1/keys/self')).status;

/** A tier without limits that a test would run into. */
async function makeEnterprise(accountId: string): Promise<void> {
  const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: accountId }, { $set: { tier: 'enterprise' } });
}

describe('keys', () => {
  it('a new key is shown once, works at once, and is masked afterwards', async () => {
    const { browser, accountId, userId } = await signedUp(stack);
    const answer = await browser.post('/keys', { product: 'weh', label: ' production ' });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^key_/),
        key: expect.stringMatching(/^svc_live_weh_[0-9a-f]{32}$/),
        display: `svc_live_weh_…${answer.body.key.slice(-4)}`,
        product: 'weh',
        label: 'production',
        account_id: accountId,
        scopes: SCOPE_NAMES,
        created_at: expect.any(String),
        created_by: userId,
        expires_at: null,
        last_used_at: null,
        last_used_address: null,
        revoked_at: null,
        calls: 0,
      },
    ]);
    expect(await statusOf(answer.body.key)).toBe(200);
    const list = await browser.get('/keys');
    expect(list.text).not.toContain(answer.body.key.slice(13));
    expect(list.body.keys).toHaveLength(1);
  });

  it('the list shows when and how often each key was used, which guides a rotation', async () => {
    const { browser } = await signedUp(stack);
    const [old, next] = [await newKey(browser, 'old'), await newKey(browser, 'next')];
    const api = await buildApi(stack.config);
    const use = ({ key }: { key: string }) => apiClient(api.url, key).get('/api/v1/keys/self');

    for (const key of [old, old, old, next]) await use(key);
    // What is not noted yet is noted when the process ends.
    await api.close();

    const { body } = await browser.get('/keys');
    expect(body.keys.map(({ label, calls }: { label: string; calls: number }) => [label, calls])).toEqual([
      ['next', 1],
      ['old', 3],
    ]);
    expect(Date.parse(body.keys[0].last_used_at)).toBeGreaterThanOrEqual(Date.parse(body.keys[1].last_used_at));
  });

  it('the list has every active key, the newest 100 others, and says that there are more', async () => {
    const { browser, accountId } = await signedUp(stack);
    const { id: oldest } = await newKey(browser);
    const keys = stack.mongo.db.collection<{ _id: string }>('api_keys');
    const [first] = await keys.find({ account_id: accountId }).toArray();
    const at = (n: number) => new Date(Date.now() + n * 1_000);
    const ended = Array.from({ length: 101 }, (_, n) => ({
      ...{ ...first!, _id: `${oldest}_${n}`, hash: `${oldest}_${n}`, created_at: at(n + 1) },
      ...(n % 2 === 0 ? { revoked_at: new Date() } : { expires_at: at(-1) }),
    }));
    await keys.insertMany(ended.slice(1));
    const idsOf = (n: number) => ended.slice(n).map(({ _id }) => _id);

    const { body: all } = await browser.get('/keys');
    expect(all.has_more).toBe(false);
    expect(all.keys.map(({ id }: { id: string }) => id)).toEqual([...idsOf(1).reverse(), oldest]);

    await keys.insertOne(ended[0]!);
    const { body } = await browser.get('/keys');
    expect(body.has_more).toBe(true);
    expect(body.keys.map(({ id }: { id: string }) => id)).toEqual([...idsOf(1).reverse(), oldest]);
  });

  it("a session may do everything, whatever the scopes of the account's keys", async () => {
    const { browser } = await signedUp(stack);
    await browser.post('/keys', { product: 'weh', label: 'CI', scopes: ['events:read'] });

    const { body: endpoint } = await browser.post('/webhooks/endpoints', { url: 'https://example.com/' });

    expect((await browser.get(`/webhooks/endpoints/${endpoint.id}/secret`)).body.secret).toBe(endpoint.secret);
  });

  it('an account has at most 100 keys, however many are made at once', async () => {
    const { browser, accountId } = await signedUp(stack);
    const { id } = await newKey(browser);
    const keys = stack.mongo.db.collection<{ _id: string }>('api_keys');
    const [first] = await keys.find({ account_id: accountId }).toArray();
    await keys.insertMany(Array.from({ length: 94 }, (_, n) => ({ ...first!, _id: `${id}_${n}`, hash: `${id}_${n}` })));

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => browser.post('/keys', { product: 'weh', label: 'one of many' })),
    );

    expect(statusesOf(answers)).toEqual([...Array<number>(5).fill(201), ...Array<number>(15).fill(409)]);
  });

  it("an account has at most 100 keys; revoked and expired keys don't count", async () => {
    const { browser, accountId } = await signedUp(stack);
    const { id } = await newKey(browser);
    const keys = stack.mongo.db.collection<{ _id: string }>('api_keys');
    const [first] = await keys.find({ account_id: accountId }).toArray();
    const more = Array.from({ length: 99 }, (_, n) => ({ ...first!, _id: `${id}_${n}`, hash: `${id}_${n}` }));
    await keys.insertMany(more);
    const refused = await browser.post('/keys', { product: 'weh', label: 'one more' });
    expect([refused.status, refused.body.code]).toEqual([409, 'key_limit_reached']);
    expect((await browser.delete(`/keys/${id}`)).status).toBe(200);
    expect((await browser.post('/keys', { product: 'weh', label: 'one more' })).status).toBe(201);
    expect((await browser.post('/keys', { product: 'weh', label: 'and another' })).status).toBe(409);
    await keys.updateOne({ _id: `${id}_0` }, { $set: { expires_at: new Date(Date.now() - 1) } });
    expect((await browser.post('/keys', { product: 'weh', label: 'and another' })).status).toBe(201);
  });

  it.each([
    ['an unknown product', { product: 'xyz', label: 'x' }, 'invalid_request'],
    ['an unknown field', { product: 'weh', label: 'x', key: 'mine' }, 'invalid_request'],
    ['an unknown scope', { product: 'weh', label: 'x', scopes: ['events:delete'] }, 'invalid_request'],
    ['an expiry in the past', { product: 'weh', label: 'x', expires_in: '-1d' }, 'invalid_expiry'],
  ])('%s is refused', async (_what, body, code) => {
    const { browser } = await signedUp(stack);
    const answer = await browser.post('/keys', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });
});

/** Waits until the overview is as wanted. */
const untilOverview = async (browser: Browser, isRight: (overview: Overview) => boolean) =>
  (
    await eventually(
      () => browser.get('/overview'),
      ({ body }) => isRight(body as Overview),
    )
  ).body as Overview;

describe('the overview', () => {
  it('names what is left to do before the first delivery, and nothing once there was one', async () => {
    const { browser, accountId } = await signedUp(stack);
    await makeEnterprise(accountId);
    const steps = async () => (await browser.get('/overview')).body.first_steps;
    const receiver = await buildReceiver(200);
    try {
      expect(await steps()).toEqual({ key: false, endpoint: false, event: false });
      const { id: keyId } = await newKey(browser);
      expect(await steps()).toEqual({ key: true, endpoint: false, event: false });
      await browser.delete(`/keys/${keyId}`);
      expect(await steps()).toEqual({ key: false, endpoint: false, event: false });
      const { body: endpoint } = await browser.post('/webhooks/endpoints', { url: receiver.url, enabled: false });
      await browser.post(`/webhooks/endpoints/${endpoint.id}/test`, {});
      expect(await steps()).toEqual({ key: false, endpoint: true, event: true });
      await browser.post(`/webhooks/endpoints/${endpoint.id}/resume`);
      await untilOverview(browser, ({ first_steps: left }) => left === null);
    } finally {
      await receiver.close();
    }
  });

  it('lists what needs attention, the worst first, with what waits', async () => {
    const { browser, accountId } = await signedUp(stack);
    await makeEnterprise(accountId);
    const [good, bad, gone] = [await buildReceiver(200), await buildReceiver(500), await buildReceiver(410)];
    try {
      const register = async (url: string, type: string, options = {}): Promise<string> =>
        (await browser.post('/webhooks/endpoints', { url, events: [type], options })).body.id;
      const paused = await register(`${good.url}/paused`, 'order.paused');
      await browser.post(`/webhooks/endpoints/${paused}/pause`);
      const failing = await register(bad.url, 'order.failing');
      const disabled = await register(gone.url, 'order.gone', { disable_on_gone: true });
      await register(good.url, 'order.good');
      await register(good.url, 'nothing.of.this');
      const api = apiClient(stack.url, (await newKey(browser)).key);
      for (const type of ['order.paused', 'order.paused', 'order.failing', 'order.gone', 'order.good']) {
        expect((await api.post('/api/v1/webhooks/events', { type, data: {} })).status).toBe(202);
      }

      const body = await untilOverview(
        browser,
        ({ attention, endpoints }) =>
          endpoints.healthy === 1 &&
          attention.length === 3 &&
          attention[0]!.health.state === 'failing' &&
          attention[1]!.health.state === 'disabled',
      );

      expect(body.attention).toMatchObject([
        {
          endpoint: { id: failing, url: bad.url, status: 'active', disabled_reason: null, unverified_host: null },
          health: { state: 'failing', last_error: { code: 'http_status', status_code: 500 } },
          failing_since: body.attention[0]!.health.since,
        },
        { endpoint: { id: disabled, disabled_reason: 'gone' }, health: { state: 'disabled' } },
        {
          endpoint: { id: paused, status: 'paused' },
          health: { state: 'paused', since: expect.any(String) },
          failing_since: null,
          waiting: { deliveries: 2, at_least: false },
        },
      ]);
      expect(body).toMatchObject({
        first_steps: null,
        endpoints: { total: 5, healthy: 1 },
        more: 0,
        limits: {
          tier: { id: 'enterprise' },
          burst: { limit: 3_000, used: 5 },
          quota: { limit: null, used: 5 },
        },
      });
      expect(body.backlog.deliveries).toBeGreaterThanOrEqual(2);
      const now = new Date();
      expect(body.limits.quota.resets_at).toBe(
        new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
      );
    } finally {
      await Promise.all([good.close(), bad.close(), gone.close()]);
    }
  });

  it('of equally bad endpoints the one with more waiting deliveries is first', async () => {
    const { browser, accountId } = await signedUp(stack);
    await makeEnterprise(accountId);
    const ids: string[] = [];
    for (const type of ['one.event', '*', 'none']) {
      const { body } = await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', events: [type] });
      await browser.post(`/webhooks/endpoints/${body.id}/pause`);
      ids.push(body.id);
    }
    const api = apiClient(stack.url, (await newKey(browser)).key);
    for (const type of ['one.event', 'other.event', 'other.event']) {
      await api.post('/api/v1/webhooks/events', { type, data: {} });
    }

    const { body } = await browser.get('/overview');

    const seen = (body as Overview).attention.map(({ endpoint, waiting }) => [endpoint.id, waiting.deliveries]);
    expect(seen).toEqual([
      [ids[1], 3],
      [ids[0], 1],
      [ids[2], 0],
    ]);
    expect(body.backlog).toEqual({ deliveries: 4, at_least: false, counted_at: expect.any(String) });
  });

  it('its backlog is the count that Usage shows: what is unfinished, and none of what was delivered', async () => {
    const { browser, accountId } = await signedUp(stack);
    await makeEnterprise(accountId);
    const receiver = await buildReceiver();
    try {
      await browser.post('/webhooks/endpoints', { url: receiver.url, events: ['*'] });
      await browser.post('/webhooks/endpoints', {
        url: 'http://127.0.0.1:9/',
        events: ['held.event'],
        enabled: false,
      });
      const startedAt = Date.now();
      const api = apiClient(stack.url, (await newKey(browser)).key);
      for (const type of ['a', 'b', 'c', 'd', 'held.event', 'held.event']) {
        await api.post('/api/v1/webhooks/events', { type, data: {} });
      }
      const counted = await eventually(
        () => browser.get('/backlog'),
        ({ body }) => body.deliveries === 2,
      );
      expect(receiver.requests).toHaveLength(6);
      expect(counted.body).toEqual({ deliveries: 2, at_least: false, counted_at: expect.any(String) });
      expect(Date.parse(counted.body.counted_at)).toBeGreaterThan(startedAt);
      expect((await browser.get('/overview')).body.backlog).toMatchObject({ deliveries: 2, at_least: false });
      // What the budget compares with is an upper bound until it is counted again.
      expect((await browser.get('/usage')).body.pending_deliveries.at_most).toBeGreaterThanOrEqual(2);
    } finally {
      await receiver.close();
    }
  });

  it('lists at most 20 endpoints, and says how many more there are', async () => {
    const { browser } = await signedUp(stack);
    for (let n = 0; n < 22; n += 1) {
      await browser.post('/webhooks/endpoints', { url: `http://127.0.0.1:9/${n}`, enabled: false });
    }
    const { body } = await browser.get('/overview');
    expect([body.attention.length, body.more, body.endpoints]).toEqual([20, 2, { total: 22, healthy: 0 }]);
  });

  it('shows the health of each endpoint with its last 24 hours, and types of events; no request is a call', async () => {
    const { browser, accountId } = await signedUp(stack);
    await makeEnterprise(accountId);
    const [good, bad] = [await buildReceiver(200), await buildReceiver(500)];
    try {
      const wanted = [
        { url: good.url, events: ['order.*'] },
        { url: bad.url, events: ['order.failing'] },
        { url: good.url, events: ['nothing.of.this'] },
      ];
      const ids: string[] = [];
      for (const endpoint of wanted) ids.push((await browser.post('/webhooks/endpoints', endpoint)).body.id);
      const api = apiClient(stack.url, (await newKey(browser)).key);
      const types = ['order.created', 'order.created', 'order.failing', 'nobody.wants'];
      for (const type of types) {
        expect((await api.post('/api/v1/webhooks/events', { type, data: {} })).status).toBe(202);
      }
      await eventually(
        () => browser.get('/webhooks/health'),
        ({ body }) => body.totals.attempts === 5,
      );

      const { endpoints } = (await browser.get('/endpoint-health')).body as {
        endpoints: {
          endpoint_id: string;
          health: { state: string; last_error: object | null };
          failing_since: string | null;
          hours: { succeeded: number; failed: number }[];
        }[];
      };
      const expected = [
        [ids[0], 'healthy', null, 3, 0],
        [ids[1], 'failing', { code: 'http_status', status_code: 500, count: 2 }, 0, 2],
        [ids[2], 'waiting', null, 0, 0],
      ] as const;
      for (const [id, state, lastError, succeeded, failed] of expected) {
        const { health, failing_since, hours } = endpoints.find(({ endpoint_id }) => endpoint_id === id)!;
        expect((await browser.get(`/endpoint-health/${id}`)).body).toEqual({ failing_since });
        expect(failing_since).toEqual(failed > 0 ? expect.any(String) : null);
        expect(health).toMatchObject({ state, last_error: lastError });
        const count = (field: 'succeeded' | 'failed') => hours.reduce((total, hour) => total + hour[field], 0);
        expect([hours.length, count('succeeded'), count('failed')]).toEqual([24, succeeded, failed]);
      }

      const picker = await browser.get('/event-types');
      const seen = [...new Set(types)].map((type) => ({ type, last_at: expect.any(String) }));
      expect(picker.body).toEqual({ types: expect.arrayContaining(seen), complete: true });
      expect(picker.body.types).toHaveLength(3);
      // None of these requests was a call.
      expect((await browser.get('/overview')).body.limits.quota.used).toBe(4);
    } finally {
      await Promise.all([good.close(), bad.close()]);
    }
  });
});

describe('the audit log', () => {
  it('shows who did what, how and from where, newest first, in pages', async () => {
    const { browser, accountId, userId, email } = await signedUp(stack);
    const { id: keyId, key } = await newKey(browser);
    const endpoint = await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' });
    const endpointId = endpoint.body.id;
    expect((await browser.get(`/webhooks/endpoints/${endpointId}/secret`)).status).toBe(200);
    const api = apiClient(stack.url, key);
    await api.post(`/api/v1/webhooks/endpoints/${endpointId}/pause`);
    await browser.delete(`/keys/${keyId}`);
    const user = { type: 'user', id: userId, name: email };
    const byKey = { type: 'key', id: keyId, name: 'production' };

    const { body } = await browser.get('/audit');
    const seen = body.entries.map(({ actor, action, object }: { actor: object; action: string; object: string }) => [
      actor,
      action,
      object,
    ]);
    // The sign-up made the account and its user in one moment.
    expect(seen.slice(0, -2)).toEqual([
      [user, 'key.revoked', keyId],
      [byKey, 'endpoint.paused', endpointId],
      [user, 'secret.revealed', endpointId],
      [user, 'endpoint.created', endpointId],
      [user, 'key.created', keyId],
      [user, 'session.started', expect.stringMatching(/^ses_/)],
    ]);
    const made = [
      [user, 'account.created', accountId],
      [user, 'user.created', userId],
    ];
    expect(seen.slice(-2)).toEqual(expect.arrayContaining(made));
    expect(body.entries[0].address).toMatch(/^198\.51\./);
    expect(body.next_cursor).toBeNull();

    const pages: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const answer = await browser.get(`/audit?limit=2${cursor}`);
      pages.push(...answer.body.entries.map(({ action }: { action: string }) => action));
      cursor = `&cursor=${answer.body.next_cursor}`;
    }
    expect(pages).toEqual(seen.map(([, action]: [object, string]) => action));
    const only = await browser.get('/audit?action=secret.revealed');
    expect(only.body.entries).toHaveLength(1);
    const log = JSON.stringify(await stack.mongo.db.collection('audit_log').find().toArray());
    expect(log).not.toContain(key);
    expect(log).not.toContain('whsec_');
  });

  it('shows refused sign-ins without what was typed', async () => {
    const { browser, email } = await signedUp(stack);
    const typed = 'my-password-in-the-wrong-field';
    const stranger = buildStranger(stack);
    await stranger.post('/sign-in', { email, password: 'not-this-one-at-all' });
    await stranger.post('/sign-in', { email: typed, password: 'not-this-one-at-all' });
    const [refused] = (await browser.get('/audit?action=session.refused')).body.entries;
    expect(refused).toMatchObject({ actor: { name: email }, object: null });
    const log = JSON.stringify(await stack.mongo.db.collection('audit_log').find().toArray());
    expect(log).not.toContain(typed);
    expect(log).not.toContain('not-this-one');
  });

  it("a secret is not shown if the audit entry can't be written", async () => {
    const { browser } = await signedUp(stack);
    const { id, secret } = (await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })).body;
    await stack.mongo.db.command({ collMod: 'audit_log', validator: { action: 'nothing' } });
    try {
      const answer = await browser.get(`/webhooks/endpoints/${id}/secret`);
      expect(answer.status).toBe(500);
      expect(answer.text).not.toContain(secret.slice(6));
    } finally {
      await stack.mongo.db.command({ collMod: 'audit_log', validator: {} });
    }
    expect((await browser.get(`/webhooks/endpoints/${id}/secret`)).body.secret).toBe(secret);
  });
});

describe('an operator', () => {
  it('sees all accounts, sets tiers, reads every log, and gets the Temporal Web UI', async () => {
    const { browser, userId } = await signedUp(stack);
    const other = await signedUp(stack);
    await makeOperator(userId);
    expect((await browser.get('/me')).body.temporal_ui).toEqual({
      url: 'http://127.0.0.1:8233',
      namespace: stack.config.temporal.namespace,
    });
    const { body } = await browser.get('/accounts');
    expect(body.accounts).toContainEqual({
      id: other.accountId,
      external_id: null,
      name: null,
      email: other.email,
      tier: 'free',
      status: 'active',
      created_at: expect.any(String),
      quota_used: 0,
      monthly_quota: 500,
    });
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await browser.get(`/accounts?limit=3${cursor && `&cursor=${cursor}`}`);
      pages.push(...answer.body.accounts.map(({ id }: { id: string }) => id));
      cursor = answer.body.next_cursor;
    }
    expect(pages).toEqual(body.accounts.map(({ id }: { id: string }) => id));
    expect(body.tiers.map(({ id }: { id: string }) => id)).toContain('business');

    const { key } = await newKey(other.browser);
    const changed = await browser.patch(`/accounts/${other.accountId}`, { tier: 'business' });
    expect([changed.status, changed.body.tier]).toEqual([200, 'business']);
    const self = await apiClient(stack.url, key).get('/api/v1/keys/self');
    expect(self.headers.get('X-RateLimit-Limit')).toBe('600');
    expect((await browser.patch(`/accounts/${other.accountId}`, { tier: 'gold' })).body.code).toBe('unknown_tier');
    expect((await browser.patch('/accounts/acc_nobody', { tier: 'team' })).body.code).toBe('account_not_found');

    const [entry] = (await other.browser.get('/audit?action=account.changed')).body.entries;
    expect(entry).toMatchObject({
      ...{ actor: { id: userId }, object: other.accountId },
      changes: [{ field: 'tier', from: 'free', to: 'business' }],
    });
    expect((await browser.get(`/audit?account_id=${other.accountId}`)).body.entries.length).toBeGreaterThan(2);
    const stranger = buildStranger(stack);
    await stranger.post('/sign-in', { email: newEmail(), password: PASSWORD });
    expect((await browser.get('/audit?account_id=none')).body.entries[0]).toMatchObject({
      account_id: null,
      action: 'session.refused',
      actor: { name: 'an unknown address' },
    });
  });
});
