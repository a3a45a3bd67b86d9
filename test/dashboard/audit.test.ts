import type { ChangeStreamDocument } from 'mongodb';
import { parse } from 'csv-parse/sync';
import { createAuditStore } from '../../src/accounts/audit-store';
import { loadConfig } from '../../src/config';
import { apiClient } from '../support/api-client';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';
import { PASSWORD, signedUp, useDashboardStack } from './browser';

const stack = useDashboardStack();
const receiver = useReceiver();
const { json } = cliOf(stack);

interface Entry {
  readonly action: string;
  readonly object: string | null;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly changes: readonly { field: string; from: string | null; to: string | null }[];
}

type Person = Awaited<ReturnType<typeof signedUp>>;

const entriesOf = async ({ browser }: Person, query = ''): Promise<Entry[]> =>
  (await browser.get(`/audit?limit=100${query}`)).body.entries;

async function signedUpOperator(): Promise<Person> {
  const person = await signedUp(stack);
  const users = stack.mongo.db.collection<{ _id: string }>('users');
  await users.updateOne({ _id: person.userId }, { $set: { operator: true } });
  return person;
}

it("the log shows an endpoint's changed fields with their old and new values, and no secret", async () => {
  const owner = await signedUp(stack);
  const url = 'https://a.example/hook?token=very-secret';
  const { body: endpoint } = await owner.browser.post('/webhooks/endpoints', { url, events: ['order.*'] });
  const change = {
    url: 'https://b.example/hook?token=very-secret',
    options: { headers: { 'X-Token': 'very-secret' }, max_per_second: 5 },
  };
  await owner.browser.patch(`/webhooks/endpoints/${endpoint.id}`, change);
  await owner.browser.post(`/webhooks/endpoints/${endpoint.id}/secret/rotate`);
  await owner.browser.delete(`/webhooks/endpoints/${endpoint.id}`);

  const entries = (await entriesOf(owner, `&object=${endpoint.id}`)).toReversed();
  expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
    [
      'endpoint.created',
      expect.arrayContaining([
        { field: 'url', from: null, to: 'a.example' },
        { field: 'events', from: null, to: 'order.*' },
      ]),
    ],
    [
      'endpoint.changed',
      [
        { field: 'url', from: 'a.example', to: 'b.example' },
        { field: 'options.max_per_second', from: null, to: '5' },
        { field: 'options.headers', from: null, to: null },
      ],
    ],
    ['secret.rotated', [{ field: 'next_secret', from: null, to: null }]],
    ['endpoint.deleted', expect.arrayContaining([{ field: 'url', from: 'b.example', to: null }])],
  ]);
  const stored = await stack.mongo.db.collection('audit_log').find({ account_id: owner.accountId }).toArray();
  expect(JSON.stringify(stored)).not.toMatch(/very-secret|whsec_/);
});

it('shows the scopes and the expiry of a new key', async () => {
  const owner = await signedUp(stack);
  const key = { product: 'weh', label: 'limited' };
  const { body: limited } = await owner.browser.post('/keys', {
    ...key,
    scopes: ['events:write', 'events:read'],
    expires_in: '90d',
  });
  const { body: whole } = await owner.browser.post('/keys', key);

  const changesOf = async (id: string) => (await entriesOf(owner, `&object=${id}`)).map(({ changes }) => changes);
  expect(await changesOf(limited.id)).toEqual([
    [
      { field: 'scopes', from: null, to: 'events:write, events:read' },
      { field: 'expires_at', from: null, to: limited.expires_at },
    ],
  ]);
  expect(await changesOf(whole.id)).toEqual([[]]);
});

/** What everything that changes an account's keys, users, endpoints or secrets writes. */
async function changesDuring(work: () => Promise<unknown>): Promise<ChangeStreamDocument[]> {
  const { db } = stack.mongo;
  const mark = db.collection<{ _id: string }>('marks');
  const seen: ChangeStreamDocument[] = [];
  const stream = db.watch([], { fullDocument: 'updateLookup' });
  try {
    // The stream is open once it has reported something.
    const reach = async (id: string): Promise<void> => {
      await mark.insertOne({ _id: id });
      for (;;) {
        const change = await stream.next();
        if ('documentKey' in change && (change.documentKey._id as unknown) === id) return;
        seen.push(change);
      }
    };
    await stream.tryNext();
    await reach(`begin ${Math.random()}`);
    await work();
    await reach(`end ${Math.random()}`);
    return seen;
  } finally {
    await stream.close();
  }
}

it('every change of keys, users, accounts, endpoints or secrets is in one transaction with its audit entry', async () => {
  const operator = await signedUpOperator();
  const actions = new Set<string>();
  const changes = await changesDuring(async () => {
    const owner = await signedUp(stack);
    const { browser, accountId, email } = owner;
    await json('account', 'set-tier', '--id', accountId, '--tier', 'business');
    await browser.patch('/search-fields', { search_fields: ['customer_id'] });
    const { body: key } = await browser.post('/keys', { product: 'weh', label: 'x' });
    const api = apiClient(stack.url, key.key as string);
    const endpoints = '/api/v1/webhooks/endpoints';
    const { body: endpoint } = await api.post(endpoints, { url: receiver.url });
    const path = `${endpoints}/${endpoint.id}`;
    await api.call('PATCH', path, { description: 'new' });
    for (const suffix of ['/pause', '/resume', '/secret/rotate', '/secret/activate']) await api.post(path + suffix);
    await json('endpoint', 'pause', '--id', endpoint.id);
    await json('endpoint', 'resume', '--id', endpoint.id);
    await api.call('PATCH', path, { options: { disable_on_gone: true } });
    receiver.answerWith(410);
    await api.post('/api/v1/webhooks/events', { type: 'a.b', data: {} });
    await eventually(
      () => api.get(path),
      ({ body }) => body.status === 'disabled',
    );
    await api.call('DELETE', path);
    await browser.delete(`/keys/${key.id}`);
    await browser.post('/password', { current_password: PASSWORD, new_password: `${PASSWORD} and more` });
    await operator.browser.patch(`/accounts/${accountId}`, { tier: 'team' });
    const { id: cliKey } = await json('key', 'create', '--account', accountId, '--product', 'weh', '--label', 'y');
    await json('key', 'revoke', '--id', cliKey!);
    await json('user', 'create', '--email', `x-${email}`, '--account', accountId, '--operator');
    await json('user', 'reset-password', '--email', email);
    await json('user', 'setup-link', '--account', accountId);
    await json('account', 'create', '--email', `y-${email}`);
    await json('account', 'set-tier', '--id', accountId, '--tier', 'business');
    await operator.browser.post(`/accounts/${accountId}/suspend`);
    await operator.browser.post(`/accounts/${accountId}/resume`);
    for (const { action } of await entriesOf(operator, `&account_id=${accountId}`)) actions.add(action);
  });

  const named = changes.flatMap((change) =>
    'ns' in change && 'coll' in change.ns ? [{ name: change.ns.coll, change, transaction: transactionOf(change) }] : [],
  );
  const audited = new Set<string | undefined>(
    named.flatMap(({ name, transaction }) => (name === 'audit_log' ? (transaction ?? []) : [])),
  );
  const alone = named.filter(({ name, change, transaction }) => isAudited(name, change) && !audited.has(transaction));
  expect(alone.map(({ name, change }) => [name, change.operationType, fieldsOf(change)])).toEqual([]);
  expect([...actions]).toEqual(
    expect.arrayContaining([
      ...[
        'account.search_fields_changed',
        'account.created',
        'account.changed',
        'account.tier_changed',
        'account.suspended',
        'account.resumed',
        'user.created',
      ],
      ...['user.setup_link_created', 'password.changed', 'password.reset', 'key.created', 'key.revoked'],
      ...['endpoint.created', 'endpoint.changed', 'endpoint.paused', 'endpoint.resumed', 'endpoint.disabled'],
      ...['endpoint.deleted', 'secret.rotated', 'secret.activated'],
    ]),
  );
});

/** Fields that calls and deliveries note by themselves. */
const NOTES =
  /^(limits|estimator_limits|deliveries|endpoints_version|replays_version|last_used_at|last_used_address|calls|failing_since)/;

function fieldsOf(change: ChangeStreamDocument): string[] {
  if (change.operationType !== 'update') return [];
  const { updatedFields = {}, removedFields = [] } = change.updateDescription;
  return [...Object.keys(updatedFields), ...removedFields];
}

function isAudited(name: string, change: ChangeStreamDocument): boolean {
  if (!['accounts', 'api_keys', 'users', 'endpoints', 'setup_links'].includes(name)) return false;
  return change.operationType !== 'update' || fieldsOf(change).some((field) => !NOTES.test(field));
}

/** What names a transaction; undefined for a write outside of one. */
function transactionOf(change: ChangeStreamDocument): string | undefined {
  const { lsid, txnNumber } = change as { lsid?: unknown; txnNumber?: unknown };
  return txnNumber === undefined ? undefined : JSON.stringify([lsid, txnNumber]);
}

it("a change whose audit entry can't be written is not made", async () => {
  const { browser, accountId } = await signedUp(stack);
  const { body: endpoint } = await browser.post('/webhooks/endpoints', { url: receiver.url });
  const { db } = stack.mongo;
  await db.command({ collMod: 'audit_log', validator: { account_id: { $ne: accountId } } });
  try {
    const path = `/webhooks/endpoints/${endpoint.id}`;
    const refused = [
      await browser.patch(path, { url: 'https://elsewhere.example/' }),
      await browser.delete(path),
      await browser.post('/keys', { product: 'weh', label: 'x' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([500, 500, 500]);
  } finally {
    await db.command({ collMod: 'audit_log', validator: {} });
  }
  expect((await browser.get(`/webhooks/endpoints/${endpoint.id}`)).body.url).toBe(receiver.url);
  expect((await browser.get('/keys')).body.keys).toEqual([]);
});

it("an operator who reads another account's log, or the list of accounts, is in the log", async () => {
  const operator = await signedUpOperator();
  const other = await signedUp(stack);
  await operator.browser.get(`/audit?account_id=${other.accountId}`);
  await operator.browser.get(`/audit.csv?account_id=${other.accountId}`);
  await operator.browser.get('/accounts');
  await operator.browser.get('/audit');

  const reads = await entriesOf(other, '&action=audit.read');
  expect(reads.map(({ actor }) => actor.id)).toEqual([operator.userId, operator.userId]);
  expect((await entriesOf(operator)).map(({ action }) => action)).toContain('accounts.read');
  expect(await entriesOf(operator, '&action=audit.read')).toEqual([]);
});

it('filters by author, action, subject and time narrow the page, the export and the command line alike', async () => {
  const owner = await signedUp(stack);
  const { browser, accountId, email, userId } = owner;
  const { body: key } = await browser.post('/keys', { product: 'weh', label: '=HYPERLINK("x")' });
  await browser.delete(`/keys/${key.id}`);
  await json('account', 'set-tier', '--id', accountId, '--tier', 'team');
  const all = await stack.mongo.db.collection('audit_log').find({ account_id: accountId }).sort({ at: 1 }).toArray();
  const revokedAt = (all.find(({ action }) => action === 'key.revoked')!['at'] as Date).toISOString();

  const cases: [string, string[]][] = [
    [`actor=${encodeURIComponent(email)}&object=${key.id}`, ['key.revoked', 'key.created']],
    [`actor=${userId}&action=key.created`, ['key.created']],
    [`object=${key.id}&before=${revokedAt}`, ['key.created']],
    [`object=${key.id}&after=${revokedAt}`, ['key.revoked']],
    ['actor=command%20line', ['account.tier_changed']],
    ['actor=nobody', []],
  ];
  for (const [query, expected] of cases) {
    expect([query, (await entriesOf(owner, `&${query}`)).map(({ action }) => action)]).toEqual([query, expected]);
    const csv = await browser.get(`/audit.csv?${query}`);
    const rows = parse<Record<string, string>>(csv.text, { columns: true });
    expect([query, rows.map(({ action }) => action)]).toEqual([query, expected]);
  }
  const csv = await browser.get(`/audit.csv?object=${key.id}`);
  expect(csv.headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8' });
  expect(csv.headers['content-disposition']).toContain('audit-log.csv');
  expect(csv.text).toContain(`"'=HYPERLINK(""x"")"`);
  const listed = await json<Entry[]>('audit', 'list', '--account', accountId, '--object', key.id, '--since', revokedAt);
  expect(listed.map(({ action }) => action)).toEqual(['key.revoked']);
  expect((await browser.get('/audit?after=yesterday')).status).toBe(400);
});

it('MongoDB removes entries older than AUDIT_RETENTION, also after it changes; if unset, it keeps them', async () => {
  const { db } = stack.mongo;
  const expiry = async (retentionMs: number | undefined): Promise<unknown> => {
    await createAuditStore(db, retentionMs).ensureIndexes();
    const indexes = await db.collection('audit_log').indexes();
    return indexes.find(({ key }) => 'at' in key && Object.keys(key).length === 1)?.expireAfterSeconds;
  };
  const DAY_MS = 86_400_000;
  expect(await expiry(undefined)).toBeUndefined();
  expect(await expiry(loadConfig({ AUDIT_RETENTION: '1d' }).auditRetentionMs)).toBe(86_400);
  expect(await expiry(400 * DAY_MS)).toBe(400 * 86_400);
  expect(await expiry(undefined)).toBeUndefined();
  expect(() => loadConfig({ AUDIT_RETENTION: '1h' })).toThrow(/AUDIT_RETENTION: must be at least 24h/);
});
