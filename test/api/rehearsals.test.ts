import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiClient, expectError } from '../support/api-client';
import { buildCaller, useCaller, type Caller } from '../support/build-caller';
import { buildPortalSession } from '../support/build-portal-session';
import { buildStack, UNLIMITED, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';
import { useTemporaryFolder } from '../support/temporary-folder';
import type { Rehearsal } from '../../src/rehearsals/rehearsal-store';

const REHEARSALS = '/api/v1/webhooks/rehearsals';
const ENDPOINTS = '/api/v1/webhooks/endpoints';
const URL_OF_NONE = 'https://example.com/webhooks';

const stack = useStack({ role: 'api', env: UNLIMITED });
const api = useCaller(stack, 'test');

/** A schema that takes longer than any test for `{"text": "aaa…!"}`: its time doubles with each character. */
const ENDLESS = { properties: { text: { pattern: '^(a+)+$' } } };
const ENDLESS_DATA = { text: `${'a'.repeat(60)}!` };

/** Ingests events of two types: three orders with totals 1 to 3, and a user. */
async function ingestSome(): Promise<number[]> {
  const ids: number[] = [];
  for (const total of [1, 2, 3]) ids.push((await api.ingest({ data: { total, email: 'a@example.com' } })).id);
  ids.push((await api.ingest({ type: 'user.created', data: { name: 'Ada' } })).id);
  return ids;
}

const begin = (change: object, more: object = {}, caller: Pick<Caller, 'post'> = api) =>
  caller.post(REHEARSALS, { change, ...more });

/** Rehearses, and waits for the end: on a busy machine it may come after the answer. */
async function rehearse(change: object, more: object = {}, caller: Pick<Caller, 'post' | 'get'> = api) {
  const answer = await begin(change, more, caller);
  if (answer.status !== 202) return answer;
  return eventually(
    () => caller.get(`${REHEARSALS}/${answer.body.id}`),
    ({ body }) => body.state !== 'running',
  );
}

describe('a change of an endpoint', () => {
  it('says how many of the stored events it would get, by type, and shows bodies and the peak', async () => {
    const { id } = await api.register({ url: URL_OF_NONE, events: ['order.*'] });
    const [, , third, user] = await ingestSome();

    const { status, body } = await rehearse({ endpoint: { id, events: ['*'], options: { max_per_second: 7 } } });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^rhs_/),
      state: 'completed',
      result: {
        events: 4,
        complete: true,
        schema: null,
        matches: {
          before: 3,
          after: 4,
          types: [
            { type: 'user.created', before: 0, after: 1 },
            { type: 'order.created', before: 3, after: 3 },
          ],
        },
        peak: { max_per_second: 7 },
      },
    });
    const { bodies, window, peak } = body.result;
    expect(bodies.map(({ event_id: eventId }: { event_id: number }) => eventId).slice(0, 2)).toEqual([user, third]);
    expect(bodies[0].before).toBeNull();
    expect(JSON.parse(bodies[0].after)).toMatchObject({ id: user, type: 'user.created', data: { name: 'Ada' } });
    expect(peak.after).toBeGreaterThanOrEqual(peak.before);
    expect(window.after <= peak.at && peak.at < window.before).toBe(true);
  });

  it('changes nothing, and is still there for an hour', async () => {
    const { id } = await api.register({ url: URL_OF_NONE });
    await ingestSome();
    const before = await api.get(`${ENDPOINTS}/${id}`);

    const { body } = await rehearse({ endpoint: { id, url: 'https://example.org/', events: ['never'] } });

    expect(body.result.matches).toMatchObject({ before: 4, after: 0 });
    expect((await api.get(`${ENDPOINTS}/${id}`)).body).toEqual(before.body);
    expect((await api.get(`${REHEARSALS}/${body.id}`)).body).toEqual(body);
    const stored = await stack.mongo.db.collection<Rehearsal>('rehearsals').findOne({ _id: body.id });
    expect(stored!.expires_at.getTime() - stored!.created_at.getTime()).toBe(3_600_000);
  });

  it('merges options as PATCH does, and shows the bodies that the account would get', async () => {
    const { id } = await api.register({ url: URL_OF_NONE, options: { filter: { total: { $gte: 2 } } } });
    await ingestSome();

    const { body } = await rehearse({ endpoint: { id, options: { body: 'data', exclude: ['email'] } } });

    expect(body.result.matches).toMatchObject({ before: 2, after: 2 });
    expect(body.result.bodies[0]).toMatchObject({
      after: '{"total":3}',
      content_type_before: 'application/json',
      content_type_after: 'application/json',
    });
    expect(JSON.parse(body.result.bodies[0].before).data).toEqual({ total: 3, email: 'a@example.com' });
  });

  it('shows bodies exactly as they are then delivered', async () => {
    const { id } = await api.register({ url: URL_OF_NONE, options: { body: 'cloudevents', exclude: ['email'] } });
    const { id: eventId } = await api.ingest({ data: { total: 1.0, email: 'a@example.com' } });
    const { body } = await rehearse({ endpoint: { id, description: 'the same' } });
    const delivery = await api.get(`/api/v1/webhooks/deliveries/${eventId}.${id}`);
    expect(delivery.body.body).toMatchObject({ shape: 'cloudevents', exclude: ['email'] });
    const shown = JSON.parse(body.result.bodies[0].after);
    expect(shown).toMatchObject({ specversion: '1.0', source: delivery.body.body.source, data: { total: 1 } });
    expect(body.result.bodies[0].before).toBe(body.result.bodies[0].after);
  });

  it('works by its external_id, and for one that does not exist yet', async () => {
    await api.register({ url: URL_OF_NONE, external_id: 'crm', events: ['order.*'] });
    await ingestSome();

    const known = await rehearse({ endpoint: { id: 'crm', events: ['user.*'] } });
    expect(known.body.result.matches).toMatchObject({ before: 3, after: 1 });

    const fresh = await rehearse({ endpoint: { url: URL_OF_NONE, external_id: 'new' } });
    expect(fresh.body.result.matches).toMatchObject({ before: 0, after: 4 });
    expect((await api.get(ENDPOINTS)).body.endpoints).toHaveLength(1);
  });

  it('reads the newest events up to the limit, and only those of the window', async () => {
    await ingestSome();
    const limited = await rehearse({ endpoint: { url: URL_OF_NONE } }, { limit: 2 });
    expect(limited.body.result).toMatchObject({ events: 2, matches: { after: 2 }, complete: true });
    const past = await rehearse({ endpoint: { url: URL_OF_NONE } }, { window: { before: '2020-01-01T00:00:00Z' } });
    expect(past.body.result).toMatchObject({ events: 0, window: null, peak: null, bodies: [] });
  });

  it('leaves out test events, and events of other accounts', async () => {
    const { id } = await api.register({ url: URL_OF_NONE });
    expect((await api.post(`${ENDPOINTS}/${id}/test`, {})).status).toBe(202);
    const other = await buildCaller(stack);
    await other.ingest();
    expect((await rehearse({ endpoint: { id, events: ['order.*'] } })).body.result).toMatchObject({ events: 0 });
  });
});

describe('what the change itself would refuse, a rehearsal refuses too', () => {
  it.each([
    ['a URL that is not public', { url: 'https://10.0.0.1/' }, 422, 'non_public_host'],
    ['a URL of another scheme', { url: 'ftp://example.com/' }, 422, 'unsupported_url_scheme'],
    ['patterns that are none', { events: ['..'] }, 400, 'invalid_request'],
    ['two masks', { options: { include: ['a'], exclude: ['b'] } }, 400, 'invalid_request'],
  ])('%s', async (_what, change, status, code) => {
    const { id } = await api.register({ url: URL_OF_NONE });
    const { status: patched, body } = await api.patch(`${ENDPOINTS}/${id}`, change);
    expect([patched, body.code]).toEqual([status, code]);
    expectError(await rehearse({ endpoint: { id, ...change } }), status, code);
    expectError(await rehearse({ endpoint: { url: URL_OF_NONE, ...change } }), status, code);
  });

  it('credentials that would follow to another host, for a key that may not read them', async () => {
    const options = { authentication: { type: 'bearer', token: 'secret-token' } };
    const { id } = await api.register({ url: URL_OF_NONE, options });
    const manager = await buildPortalSession(stack.mongo, api.accountId, { role: 'viewer' });
    const viewer = apiClient(stack.url, manager.token);
    const change = { id, url: 'https://example.org/' };
    expectError(await rehearse({ endpoint: change }, {}, viewer), 409, 'credentials_not_sent');
    expect((await rehearse({ endpoint: change })).status).toBe(200);
  });

  it.each([
    ['no change', {}, 'change'],
    ['two changes', { endpoint: { url: URL_OF_NONE }, event_type: { name: 'a', schema: {} } }, 'change'],
    ['a new endpoint without a URL', { endpoint: {} }, 'change.endpoint.url'],
    ['the secret of an existing one', { endpoint: { id: 'a', enabled: false } }, 'change.endpoint.enabled'],
    ['a URL that is none', { endpoint: { url: 'x', events: [] } }, 'change.endpoint.url'],
  ])('%s', async (_what, change, path) => {
    const answer = await rehearse(change);
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('an endpoint of another account', async () => {
    const other = await buildCaller(stack);
    const { id } = await other.register({ url: URL_OF_NONE });
    expectError(await rehearse({ endpoint: { id } }), 404, 'endpoint_not_found');
    expectError(await rehearse({ endpoint: { id: 'unknown' } }), 404, 'endpoint_not_found');
  });
});

describe('a schema for an event type', () => {
  it('says how many events of the type it refuses, and where', async () => {
    const [first, , third] = await ingestSome();
    const schema = { required: ['id'], properties: { total: { type: 'number', minimum: 2 } } };

    const { status, body } = await rehearse({ event_type: { name: 'order.created', schema } });

    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      events: 3,
      matches: null,
      bodies: [],
      peak: null,
      schema: {
        checked: 3,
        failed: 3,
        paths: [
          { path: 'data.id', message: 'is required', count: 3, event_id: third },
          { path: 'data.total', message: 'must be >= 2', count: 1, event_id: first },
        ],
      },
    });
  });

  it.each([
    ['one that is none', { type: 'nothing' }],
    ['one that refers to another document', { $ref: 'https://example.com/schema.json' }],
  ])('refuses %s, even without an event', async (_what, schema) => {
    const { status, body } = await rehearse({ event_type: { name: 'order.created', schema } });
    expect(body.error).toMatch(/^The schema is no JSON Schema/);
    // After a wait, the rehearsal has failed.
    expect(body).toMatchObject(status === 200 ? { state: 'failed' } : { code: 'invalid_schema' });
  });

  it('refuses a type of our own', async () => {
    const answer = await rehearse({ event_type: { name: 'everpost.endpoint.disabled', schema: {} } });
    expectError(answer, 422, 'reserved_event_type');
  });
});

describe('a rehearsal that takes longer than the two seconds that a call waits', () => {
  it('gets 202, holds up no other account, and is the only one of its own', async () => {
    const slow = await buildCaller(stack);
    await slow.ingest({ type: 'slow', data: ENDLESS_DATA });
    const change = { event_type: { name: 'slow', schema: ENDLESS } };

    const started = await begin(change, {}, slow);

    expect(started.status).toBe(202);
    expect(started.body).toEqual({ id: started.headers.get('Location')!.split('/').at(-1), state: 'running' });
    expect((await slow.get(started.headers.get('Location')!)).body).toEqual(started.body);
    const second = await begin({ endpoint: { url: URL_OF_NONE } }, {}, slow);
    expectError(second, 429, 'rehearsal_running');
    expect(second.headers.get('Retry-After')).toBe('5');
    expect((await rehearse({ endpoint: { url: URL_OF_NONE } })).status).toBe(200);
    expectError(await api.get(`${REHEARSALS}/${started.body.id}`), 404, 'rehearsal_not_found');
  });

  it('has failed after its deadline if its process died, and then another one may begin', async () => {
    const { body } = await rehearse({ endpoint: { url: URL_OF_NONE } });
    const rehearsals = stack.mongo.db.collection<{ _id: string }>('rehearsals');
    await rehearsals.updateOne({ _id: body.id }, { $set: { state: 'running' }, $unset: { sealed_result: true } });
    expectError(await rehearse({ endpoint: { url: URL_OF_NONE } }), 429, 'rehearsal_running');

    await rehearsals.updateOne({ _id: body.id }, { $set: { deadline_at: new Date(0) } });

    const dead = { id: body.id, state: 'failed', error: expect.stringMatching(/stopped/) };
    expect((await api.get(`${REHEARSALS}/${body.id}`)).body).toEqual(dead);
    expect((await rehearse({ endpoint: { url: URL_OF_NONE } })).status).toBe(200);
    expect((await api.get(`${REHEARSALS}/${body.id}`)).body).toEqual(dead);
  });

  it('fails when its server stops', async () => {
    const other = await buildStack({ role: 'api', env: UNLIMITED });
    const own = await buildCaller(other);
    await own.ingest({ type: 'slow', data: ENDLESS_DATA });
    const { body } = await begin({ event_type: { name: 'slow', schema: ENDLESS } }, {}, own);
    await other.role.close();
    const found = await other.mongo.db.collection<Rehearsal>('rehearsals').findOne({ _id: body.id });
    expect(found).toMatchObject({ state: 'failed', error: expect.stringMatching(/stopped/) });
    await other.mongo.db.dropDatabase();
    await other.mongo.close();
  });
});

it('the viewer of a portal may rehearse, and sees what the owner sees', async () => {
  await ingestSome();
  const session = await buildPortalSession(stack.mongo, api.accountId, { role: 'viewer' });
  const viewer = apiClient(stack.url, session.token);
  const { status, body } = await rehearse({ endpoint: { url: URL_OF_NONE } }, {}, viewer);
  expect([status, body.result.matches.after]).toEqual([200, 4]);
  expect((await viewer.get(`${REHEARSALS}/${body.id}`)).status).toBe(200);
});

describe('everpost rehearse', () => {
  const { json, printed, expectRefused } = cliOf(stack);
  const folder = useTemporaryFolder();

  async function fileOf(change: object): Promise<string> {
    const file = join(folder(), 'change.json');
    await writeFile(file, JSON.stringify(change));
    return file;
  }

  it('prints what the API answers', async () => {
    const { id } = await api.register({ url: URL_OF_NONE, events: ['order.*'] });
    await ingestSome();
    const change = { endpoint: { id, events: ['user.*'] } };
    const { body } = await rehearse(change);
    const file = await fileOf(change);

    const answer = await json('rehearse', file, '--account', api.accountId);

    expect(answer).toEqual({ ...body, id: expect.stringMatching(/^rhs_/) });
    const table = await printed('rehearse', file, '--account', api.accountId, '--limit', '1');
    expect(table).toMatch(/^type +before +after\s+all 1 events +0 +1\s+user\.created +0 +1\s*$/);
  });

  it('prints what a schema refuses', async () => {
    await ingestSome();
    const file = await fileOf({ event_type: { name: 'user.created', schema: { required: ['id'] } } });
    expect(await printed('rehearse', file, '--account', api.accountId)).toMatch(
      /all 1 events +refused +1 .*\s+data\.id +is required +1 /,
    );
  });

  it('says what is wrong with a change', async () => {
    await expectRefused('invalid_request', 'rehearse', await fileOf({}), '--account', api.accountId);
  });
});
