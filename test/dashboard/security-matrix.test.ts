import { describeOperations } from '../../src/operations';
import type { Answer, Operation, Route } from '../../src/http/route';
import { apiClient } from '../support/api-client';
import { buildBrowser, buildStranger, newEmail, PASSWORD, signedUp, useDashboardStack, type Browser } from './browser';

/** The operations as they are served; their handlers are never called here. */
const served = describeOperations().dashboard;
const entry = served.entry.operations;
const withSession = served.session.operations;
const everything = [...entry, ...withSession];
const isUnsafe = ({ method }: Route): boolean => method !== 'get';

const stack = useDashboardStack({ role: 'api' });
let owner: Awaited<ReturnType<typeof signedUp>>;
let intruder: Awaited<ReturnType<typeof signedUp>>;
/** Things of the owner, by the name of the path parameter that names them. */
let things: Record<string, string>;

beforeAll(async () => {
  owner = await signedUp(stack);
  intruder = await signedUp(stack);
  things = await makeThings(owner);
});

/** An event type, which every account sees. */
const TYPE = 'shown.to_all';

async function makeThings({ browser, accountId }: typeof owner): Promise<Record<string, string>> {
  const key = await browser.post('/keys', { product: 'weh', label: 'mine' });
  const endpoint = await browser.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', events: ['*'] });
  const api = apiClient(stack.url, key.body.key as string);
  const event = await api.post('/api/v1/webhooks/events', { type: 'order.created', data: { private: 'of the owner' } });
  const replay = await browser.post('/webhooks/replays', { filter: { state: 'failed' } });
  const rehearsal = await browser.post('/webhooks/rehearsals', { change: { endpoint: { id: endpoint.body.id } } });
  await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .updateOne({ _id: accountId }, { $set: { search_fields: ['customer_id'] } });
  const erasure = await browser.post('/webhooks/erasures', { data: 'customer_id:cus_123' });
  const sessions = await browser.get('/sessions');
  expect([key.status, endpoint.status, event.status, replay.status]).toEqual([201, 201, 202, 202]);
  await apiClient(stack.url, (await stack.managementKey()).key).put(`/api/v1/event-types/${TYPE}`, {});
  return {
    account_id: accountId,
    key_id: key.body.id,
    endpoint_id: endpoint.body.id,
    event_id: String(event.body.id),
    delivery_id: `${event.body.id}.${endpoint.body.id}`,
    rehearsal_id: rehearsal.body.id,
    erasure_id: erasure.body.id,
    job_id: replay.body.job_id ?? replay.body.id,
    session_id: sessions.body.sessions[0].id,
    name: TYPE,
  };
}

/** @returns ids of the same form that nothing has */
const absent = (ids: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      id.replace(/^\d+/, '999999999').replace(/_[0-9a-z]{26}$/, `_${'0'.repeat(26)}`),
    ]),
  );

/** Bodies that would be right, of operations that show none in the documentation. */
const BODIES: Record<string, unknown> = { changeAccount: { tier: 'enterprise' } };

/** Queries of operations that need one; this one finds the owner's event. */
const QUERIES: Record<string, string> = { search: '?q=order' };

const paramsOf = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

function pathOf({ id: operation, path }: Route, ids: Record<string, string>): string {
  const query = QUERIES[operation] ?? '';
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`say what ${name} is in makeThings`);
    return id;
  });
  return address + query;
}

function ask(browser: Browser, operation: Route, ids: Record<string, string>, headers = {}) {
  const body = operation.body
    ? (BODIES[operation.id] ?? (operation as Partial<Operation>).bodyExample ?? {})
    : undefined;
  return browser.call(operation.method.toUpperCase(), pathOf(operation, ids), body, headers);
}

/** What the installation itself notes some seconds later: collections, and fields. */
const NOTED_COLLECTIONS = ['usage', 'delivery_counts'];
const NOTES = { last_seen_at: 0, last_used_at: 0, last_used_address: 0, calls: 0, 'destinations.dispatch': 0 };

/** All that the owner has, as it is stored. */
async function everythingOf(accountId: string): Promise<string> {
  const found = await stack.mongo.db.collections();
  const collections = found.filter(({ collectionName }) => !NOTED_COLLECTIONS.includes(collectionName));
  const all = await Promise.all(
    collections.map(({ collectionName }) =>
      stack.mongo.db
        .collection<{ _id: string }>(collectionName)
        .find({ $or: [{ account_id: accountId }, { _id: accountId }] }, { projection: NOTES })
        .sort({ _id: 1 })
        .toArray(),
    ),
  );
  return JSON.stringify(all);
}

it('the list covers the whole API of the pages, and none of its calls counts against a quota', () => {
  const ids = everything.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['signIn', 'getMe', 'createKey', 'createEndpoint', 'getEvent']));
  expect(ids.filter((id) => /ingest/i.test(id))).toEqual([]);
  expect(new Set(everything.map(({ path, method }) => `${method} ${path}`)).size).toBe(everything.length);
  expect(everything.filter(({ path }) => !path.startsWith('/dashboard/api/'))).toEqual([]);
});

describe('resources of another account', () => {
  const aboutThings = withSession.filter((operation) => paramsOf(operation).some((name) => name.endsWith('_id')));

  it.each(aboutThings.map((operation) => [operation.id, operation] as const))(
    '%s answers 404, as for unknown ones, and changes nothing',
    async (_id, operation) => {
      const before = await everythingOf(owner.accountId);
      const others = await ask(intruder.browser, operation, things);
      const unknown = await ask(intruder.browser, operation, absent(things));
      expect([others.status, unknown.status]).toEqual([404, 404]);
      const shown = (text: string, ids: Record<string, string>): string =>
        Object.values(ids)
          .reduce((rest, id) => rest.replaceAll(id, '…'), text)
          .replace(/"request_id":"[^"]*"/, '');
      expect(shown(others.text, things)).toBe(shown(unknown.text, absent(things)));
      expect(await everythingOf(owner.accountId)).toBe(before);
    },
  );

  it('appear in no list, overview or log', async () => {
    const lists = withSession.filter(
      (operation) => operation.method === 'get' && paramsOf(operation).length === 0 && operation.id !== 'followChanges',
    );
    expect(lists.length).toBeGreaterThan(8);
    for (const operation of lists) {
      const answer = await ask(intruder.browser, operation, {});
      // An event's id is a number, which other things may be too; its type and data are looked for below.
      const found = Object.entries(things).filter(
        ([name, id]) => !['event_id', 'name'].includes(name) && answer.text.includes(id),
      );
      expect([operation.id, found]).toEqual([operation.id, []]);
      expect(answer.text).not.toContain(owner.email);
      expect(answer.text).not.toMatch(/of the owner|order\.created/);
    }
    for (const operation of ['listAudit', 'listAccounts', 'listManagementKeys'])
      expect(lists.map(({ id }) => id)).toContain(operation);
  });

  it('are found by no filter', async () => {
    const { endpoint_id: endpoint, event_id: event, account_id: account } = things;
    for (const path of [
      `/webhooks/deliveries?endpoint_id=${endpoint}`,
      `/webhooks/deliveries?event_id=${event}`,
      `/audit?account_id=${account}`,
      '/audit?account_id=none',
    ]) {
      const answer = await intruder.browser.get(path);
      expect([path, answer.text.includes('order.created'), answer.text.includes(owner.email)]).toEqual([
        path,
        false,
        false,
      ]);
      expect([200, 404]).toContain(answer.status);
    }
    const replay = await intruder.browser.post('/webhooks/replays', {
      filter: { state: 'failed', endpoint_id: endpoint },
    });
    expect(replay.status).toBe(404);
  });
});

describe('without a session', () => {
  it.each(withSession.map((operation) => [operation.id, operation] as const))(
    '%s answers 401',
    async (_id, operation) => {
      const answer = await ask(buildBrowser(stack.url), operation, things);
      expect([answer.status, answer.body.code]).toEqual([401, 'session_required']);
      // A key is not a session.
      const { body } = await owner.browser.post('/keys', { product: 'weh', label: operation.id });
      const keyed = await ask(buildBrowser(stack.url), operation, things, { Authorization: `Bearer ${body.key}` });
      expect(keyed.status).toBe(401);
    },
  );

  it('unknown paths answer 401 too, and 404 or 405 with a session', async () => {
    const stranger = buildBrowser(stack.url);
    expect((await stranger.get('/nothing')).status).toBe(401);
    expect((await owner.browser.get('/nothing')).body.code).toBe('not_found');
    expect((await owner.browser.get('/password')).body.code).toBe('method_not_allowed');
  });

  it('a session token is not accepted as a key', async () => {
    const token = owner.browser.cookies.get('everpost_session')!;
    for (const headers of [{ Authorization: `Bearer ${token}` }, {}]) {
      const answer = await owner.browser.call('GET', '/api/v1/webhooks/endpoints', undefined, headers);
      expect(answer.status).toBe(401);
    }
  });
});

describe('a request from another site', () => {
  const unsafe = everything.filter(isUnsafe);
  const FORGED: readonly (readonly [string, Record<string, string | undefined>])[] = [
    ['cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling of ours', { 'Sec-Fetch-Site': 'same-site' }],
    ['one of our own that another site sent us to', { 'Sec-Fetch-Site': 'none' }],
    ['an old browser', { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' }],
    ['an old browser, opaque', { 'Sec-Fetch-Site': undefined, Origin: 'null' }],
    ['another port of this host', { 'Sec-Fetch-Site': undefined, Origin: 'http://127.0.0.1:1' }],
    ['nothing said', { 'Sec-Fetch-Site': undefined }],
    ['nothing said, with a form', { 'Sec-Fetch-Site': undefined, 'Content-Type': 'text/plain' }],
  ];

  it.each(unsafe.map((operation) => [operation.id, operation] as const))(
    '%s answers 403 and changes nothing',
    async (_id, operation) => {
      const before = await everythingOf(owner.accountId);
      for (const [what, headers] of FORGED) {
        const answer = await ask(owner.browser, operation, things, headers);
        expect([what, answer.status, answer.body.code]).toEqual([what, 403, 'cross_site_request']);
      }
      expect(await everythingOf(owner.accountId)).toBe(before);
    },
  );

  it('over plain HTTP, where browsers send fewer headers, the Origin header is enough', async () => {
    const origin = { 'Sec-Fetch-Site': undefined, Origin: new URL(stack.url).origin };
    const email = newEmail();
    const browser = buildStranger(stack);
    expect((await browser.post('/sign-up', { email, password: PASSWORD }, origin)).status).toBe(201);
  });

  it("a form post, which needs no CORS preflight, is refused even from the dashboard's own origin", async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await owner.browser.post('/keys', '{"product":"weh","label":"x"}', { 'Content-Type': type });
      expect([type, answer.status]).toEqual([type, 415]);
    }
  });
});

describe('every answer', () => {
  it.each(everything.map((operation) => [operation.id, operation] as const))(
    "%s can't be cached or embedded, and shows no secret of the installation",
    async (_id, operation) => {
      const refused = await ask(buildStranger(stack), operation, absent(things));
      expect(refused.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
      expect(refused.text).not.toMatch(/argon2|password_hash/);
    },
  );

  const readable = withSession.filter(({ method, id }) => method === 'get' && id !== 'followChanges');
  it.each(readable.map((operation) => [operation.id, operation] as const))(
    '%s fits its schema',
    async (_id, operation) => {
      const operator = ['listAccounts', 'getAccountDetail', 'listManagementKeys', 'getInstallation'].includes(
        operation.id,
      );
      const { db } = stack.mongo;
      const users = db.collection<{ _id: string }>('users');
      if (operator) await users.updateOne({ _id: owner.userId }, { $set: { operator: true } });
      const answer = await ask(owner.browser, operation, things);
      if (operator) await users.updateOne({ _id: owner.userId }, { $set: { operator: false } });
      expect([operation.id, answer.status]).toEqual([operation.id, 200]);
      const { schema, mediaType }: Answer = operation.answer
        ? { description: '', schema: operation.answer }
        : (operation as Operation).answers[200]!;
      const body: unknown = mediaType === undefined ? answer.body : answer.text;
      expect(schema!.safeParse(body).error?.issues ?? []).toEqual([]);
      expect(answer.text).not.toMatch(/argon2|password_hash|"hash"/);
    },
  );
});

it('every change is in the audit log', () => {
  // A rehearsal changes nothing.
  const changing = withSession.filter(isUnsafe).filter(({ id }) => id !== 'createRehearsal');
  const unsafe = changing.filter((it) => it.audit === undefined && !it.recordsItself);
  expect(unsafe.map(({ id }) => id)).toEqual([]);
});
