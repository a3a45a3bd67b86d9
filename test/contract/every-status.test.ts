import { Timestamp } from 'mongodb';
import { productOfPath } from '../../src/domain/api-key';
import type { Operation } from '../../src/http/route';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { buildCaller, takeEndpointPlaces, type Caller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { openApi, operations } from '../support/conformance';
import { cliOf } from '../support/run-cli';
import {
  isForManagers,
  putEventTypes,
  requestOf,
  senderOf,
  type OperationRequest,
} from '../support/operation-requests';

const EVENTS = '/api/v1/webhooks/events';
const BATCH = `${EVENTS}/batch`;
const ENDPOINTS = '/api/v1/webhooks/endpoints';
const REPLAYS = '/api/v1/webhooks/replays';
const REHEARSALS = '/api/v1/webhooks/rehearsals';
const TYPES = '/api/v1/event-types';

const tiers = [{ id: 'one', name: 'One call', monthlyQuota: null, perMinute: 1 }];
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify(tiers), MANAGEMENT_PER_MINUTE: '5' } });

type Send = (request: OperationRequest) => Promise<ApiAnswer>;

/** What a status of an operation takes. @returns its answer */
type Provoke = (context: {
  operation: Operation;
  request: OperationRequest;
  send: Send;
  caller: Caller;
}) => Promise<ApiAnswer>;

const client = (operation: Operation, key?: string): Send => senderOf(operation, stack.url, key);

/** What can't be counted with. */
const BROKEN_COUNTERS = { window_started_at: 'x' };

/** Statuses that every operation returns in the same way. */
const COMMON: Record<string, Provoke> = {
  200: ({ send, request }) => send(request),
  201: ({ send, request }) => send(request),
  202: ({ send, request }) => send(request),
  204: ({ send, request }) => send(request),
  400: ({ send, request, operation }) => {
    if (operation.body) return send({ ...request, body: '{"no_such_field":1}' });
    return send({ path: `${request.path}?no_such_parameter=1` });
  },
  401: ({ operation, request }) => client(operation)(request),
  403: async ({ operation, request, caller }) => {
    if (operation.forInstallation || isForManagers(operation)) return client(operation, caller.key)(request);
    if (productOfPath(operation.path)) {
      return client(operation, (await stack.account({ product: 'pii' })).key)(request);
    }
    const { accountId, key } = await stack.account();
    await cliOf(stack).json('account', 'suspend', '--id', accountId);
    return client(operation, key)(request);
  },
  404: async ({ operation, send, request }) => {
    const path = request.path.replace(/(ep|rpl|rhs|ers|acc)_[0-9a-z]{26}/, `$1_${'0'.repeat(26)}`);
    if (path !== request.path) return send({ ...request, path });
    const { key } = await stack.managementKey();
    return client(operation, key)({ ...request, headers: { 'Everpost-Account': 'nobody' } });
  },
  413: ({ send, request }) => send({ ...request, body: 'x'.repeat(300_000) }),
  415: ({ send, request }) => send({ ...request, headers: { ...request.headers, 'Content-Type': 'text/plain' } }),
  429: async ({ operation, send, request }) => {
    if (operation.forInstallation) return untilRefused(() => send(request));
    if (isForManagers(operation)) {
      const { accountId } = await stack.account({ tier: 'one' });
      const ofOther = { ...request, headers: { 'Everpost-Account': accountId } };
      await send(ofOther);
      return send(ofOther);
    }
    const sendOnce = client(operation, (await stack.account({ tier: 'one' })).key);
    await sendOnce(request);
    return sendOnce(request);
  },
  500: async ({ operation, send, request, caller: { accountId } }) => {
    const accounts = stack.mongo.db.collection<{ _id: string }>('accounts');
    if (!operation.forInstallation) {
      await accounts.updateOne(
        { _id: accountId },
        { $set: { limits: BROKEN_COUNTERS, estimator_limits: BROKEN_COUNTERS } },
      );
      return send(request);
    }
    await accounts.updateOne({ _id: accountId }, { $set: BROKEN_ACCOUNT });
    const isList = request.path === '/api/v1/accounts';
    const answer = await send(isList ? { ...request, path: `${request.path}?limit=1` } : request);
    await accounts.deleteOne({ _id: accountId });
    return answer;
  },
};

/** An account that can't be shown: it is the newest in every list, and no cursor names it. */
const BROKEN_ACCOUNT = { metadata: '{', created_at: new Timestamp({ t: 1, i: 1 }) };

/** Repeats a call until its limit is used up. */
async function untilRefused(call: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  for (;;) {
    const answer = await call();
    if (answer.status === 429) return answer;
  }
}

/** Statuses of single operations, or with a cause of their own. */
const OWN: Record<string, Provoke> = {
  'ingestEvent 200': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'ingestEvent 422': ({ send }) => send({ path: EVENTS, body: { type: 'everpost.mine', data: {} } }),
  'ingestBatch 207': ({ send, request }) => send(request),
  'ingestBatch 413': ({ send }) => send({ path: BATCH, body: 'x'.repeat(2_200_000) }),
  'ingestBatch 422': async ({ operation, request }) =>
    client(operation, (await stack.account({ tier: 'one' })).key)(request),
  'ingestBatch 429': async ({ operation, request }) => {
    const send = client(operation, (await stack.account({ tier: 'one' })).key);
    const one = { ...request, body: { events: [{ type: 'a', data: {} }] } };
    await send(one);
    return send(one);
  },
  'putAccount 201': ({ send, request, caller }) =>
    send({ ...request, path: `/api/v1/accounts/new-${caller.accountId.slice(4)}` }),
  'putAccount 422': ({ send, request }) => send({ ...request, body: { retention_days: 3_650 } }),
  'putAccount 409': async ({ send, request }) => {
    await send({ ...request, path: request.path.replace('/acc_', '/deleted-') });
    await apiClient(stack.url, (await stack.managementKey()).key).delete(request.path.replace('/acc_', '/deleted-'));
    return send({ ...request, path: request.path.replace('/acc_', '/deleted-') });
  },
  'getAccountUsage 500': async (context) => {
    const request = { ...context.request, path: context.request.path.replace('?', '?limit=1&') };
    return COMMON[500]!({ ...context, request });
  },
  'putEventType 201': ({ send, request, caller }) => send({ ...request, path: `${TYPES}/new.${caller.accountId}` }),
  'putEventType 409': async ({ send, request }) => {
    const catalog = stack.mongo.db.collection<{ _id: string }>('event_type_catalog');
    await catalog.updateOne({ _id: 'catalog' }, { $inc: { bytes: 16 * 1024 * 1024 } });
    const answer = await send({ ...request, body: { schema: null, example: { some: 'more '.repeat(200) } } });
    await catalog.updateOne({ _id: 'catalog' }, { $inc: { bytes: -16 * 1024 * 1024 } });
    return answer;
  },
  'putEventType 422': ({ send, request }) => send({ ...request, body: { schema: { type: 'text' } } }),
  'putEventType 500': withBrokenType,
  'archiveEventType 500': withBrokenType,
  'archiveEventType 404': ({ send }) => send({ path: `${TYPES}/nobody.knows.it` }),
  'getEventType 404': ({ send }) => send({ path: `${TYPES}/nobody.knows.it` }),
  'importEventTypes 413': ({ send, request }) => send({ ...request, body: 'x'.repeat(2_200_000) }),
  'importEventTypes 500': ({ send, request, caller }) =>
    withRefusedWrites('event_types', () => {
      const openapi = { openapi: '3.1.0', webhooks: { [`new.${caller.accountId}`]: {} } };
      return send({ ...request, body: { openapi } });
    }),
  // What it stores is refused.
  'createPortalSession 500': ({ send, request }) => withRefusedWrites('portal_sessions', () => send(request)),
  'listen 200': ({ request, caller }) => beginningOf(request.path, caller.key),
  'listen 429': async ({ request }) => {
    const { key } = await stack.account({ tier: 'one' });
    await beginningOf(request.path, key);
    return apiClient(stack.url, key).get(request.path);
  },
  'getCatalog 304': ({ send, request }) => send({ ...request, headers: { 'If-None-Match': '*' } }),
  'listEquivalents 304': ({ send, request }) => send({ ...request, headers: { 'If-None-Match': '*' } }),
  'listPriceSources 304': ({ send, request }) => send({ ...request, headers: { 'If-None-Match': '*' } }),
  'estimateCost 422': ({ send, request }) =>
    send({ ...request, body: { items: [{ provider: 'aws', service: 'EC3', quantity: 1 }] } }),
  'getEvent 404': ({ send }) => send({ path: `${EVENTS}/9007199254740991` }),
  'createEndpoint 409': async ({ send, request, caller }) => {
    await send(request);
    await takeEndpointPlaces(stack, caller.accountId, 99);
    return send(request);
  },
  'retryDelivery 409': async ({ send, request, caller }) => {
    await caller.post(request.path.replace('/retry', '/cancel'));
    return send(request);
  },
  'cancelDelivery 409': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'replayDelivery 202': async ({ send, request, caller }) => {
    await caller.post(request.path.replace('/replay', '/cancel'));
    return send(request);
  },
  'replayEvent 202': async ({ send, caller }) => {
    const { id: endpointId } = await caller.register({ url: 'https://example.com/' });
    const { id } = await caller.ingest();
    await caller.post(`/api/v1/webhooks/deliveries/${id}.${endpointId}/cancel`);
    return send({ path: `${EVENTS}/${id}/replay` });
  },
  'eraseEvent 404': ({ send, request }) => send({ ...request, path: `${EVENTS}/9007199254740991/data` }),
  'createErasure 404': ({ send, request }) => send({ ...request, headers: { 'Everpost-Account': 'nobody' } }),
  'createErasure 409': async ({ send, request }) => {
    // No worker ends them; one is there.
    for (let count = 1; count < 10; count += 1) await send(request);
    return send(request);
  },
  'createErasure 422': ({ send, request }) => send({ ...request, body: { data: 'no_search_field:1' } }),
  'explainDelivery 409': async ({ operation, request, caller }) => {
    const { id } = await caller.ingest();
    const manager = await caller.manager();
    await manager.delete(`${EVENTS}/${id}/data`, { 'Everpost-Account': caller.accountId });
    const endpoint = await caller.register({ url: 'https://example.com/', options: { filter: { n: 2 } } });
    return client(operation, caller.key)({ ...request, path: `${EVENTS}/${id}/endpoints/${endpoint.id}` });
  },
  'replayEvent 404': ({ send }) => send({ path: `${EVENTS}/9007199254740991/replay` }),
  'replayEvent 409': ({ send, request }) => send({ path: request.path }),
  'explainDelivery 422': async ({ send, caller }) => {
    const { id } = await caller.ingest({ data: { a: Array.from({ length: 2_000 }, () => 1) } });
    const filter = { a: { $in: Array.from({ length: 100 }, (_, index) => index) } };
    const endpoint = await caller.register({ url: 'https://example.com/', options: { filter } });
    return send({ path: `${EVENTS}/${id}/endpoints/${endpoint.id}` });
  },
  'createDelivery 202': sendToNew,
  'createDelivery 404': ({ send, request }) => send(request),
  'createDelivery 409': async ({ send, caller }) => {
    const { id: endpointId } = await caller.register({ url: 'https://example.com/' });
    const { id } = await caller.ingest();
    return send({ path: `${EVENTS}/${id}/deliveries`, body: { endpoint_id: endpointId } });
  },
  'replayDelivery 409': ({ send, request }) => send(request),
  'createReplay 404': ({ send }) => send({ path: REPLAYS, body: { filter: { endpoint_id: `ep_${'0'.repeat(26)}` } } }),
  'createReplay 409': replayTooMuch,
  'recoverEndpoint 409': replayTooMuch,
  'createRehearsal 202': async ({ send, caller }) => {
    // Its time doubles with each character.
    await caller.ingest({ type: 'slow', data: { text: `${'a'.repeat(60)}!` } });
    const schema = { properties: { text: { pattern: '^(a+)+$' } } };
    return send({ path: REHEARSALS, body: { change: { event_type: { name: 'slow', schema } } } });
  },
  'createRehearsal 404': ({ send }) => send({ path: REHEARSALS, body: { change: { endpoint: { id: 'unknown' } } } }),
  'createRehearsal 409': async ({ operation }) => {
    const { key } = await stack.account({ scopes: ['endpoints:write', 'endpoints:read', 'events:read'] });
    const own = { url: 'https://example.com/', options: { headers: { 'X-Own': 'value' } } };
    const { body } = await apiClient(stack.url, key).post(ENDPOINTS, own);
    const change = { endpoint: { id: body.id, url: 'https://elsewhere.example.com/' } };
    return client(operation, key)({ path: REHEARSALS, body: { change } });
  },
  'createRehearsal 422': ({ send }) =>
    send({ path: REHEARSALS, body: { change: { endpoint: { url: 'ftp://example.com/' } } } }),
  'cancelReplay 409': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'changeReplay 409': async ({ send, request, caller }) => {
    await caller.post(`${request.path}/cancel`);
    return send(request);
  },
  'testEndpoint 422': ({ send, request }) => send({ ...request, body: { type: 'everpost.mine' } }),
  'createEndpoint 422': ({ send }) => send({ path: ENDPOINTS, body: { url: 'ftp://example.com/' } }),
  'changeEndpoint 422': ({ send, request }) => send({ ...request, body: { url: 'ftp://example.com/' } }),
  'changeEndpoint 409': async ({ operation, request }) => {
    const { key } = await stack.account({ scopes: ['endpoints:write'] });
    const own = { url: 'https://example.com/', options: { headers: { 'X-Own': 'value' } } };
    const { body } = await apiClient(stack.url, key).post(ENDPOINTS, own);
    const path = request.path.replace(/ep_[0-9a-z]{26}/, body.id as string);
    return client(operation, key)({ ...request, path, body: { url: 'https://elsewhere.example.com/' } });
  },
  'changeEndpoint 412': ({ send, request }) => send({ ...request, headers: { 'If-Match': '"another"' } }),
  'putEndpoint 201': ({ send, request }) => send({ ...request, path: `${ENDPOINTS}/new` }),
  'putEndpoint 409': ({ send, request }) => send({ ...request, body: { secret: `whsec_${btoa('x'.repeat(24))}` } }),
  'putEndpoint 412': ({ send, request }) => send({ ...request, headers: { 'If-Match': '"another"' } }),
  'putEndpoint 422': ({ send, request }) => send({ ...request, body: { url: 'ftp://example.com/' } }),
  'rotateSecret 409': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'activateSecret 200': async ({ send, request, caller }) => {
    await caller.post(request.path.replace('/activate', '/rotate'));
    return send(request);
  },
  'activateSecret 409': ({ send, request }) => send(request),
};

/** An event type that can't be shown. */
async function withBrokenType({ send, request }: Parameters<Provoke>[0]): Promise<ApiAnswer> {
  const types = stack.mongo.db.collection<{ _id: string }>('event_types');
  const type = { _id: request.path.split('/').at(-1)! };
  await types.updateOne(type, { $set: { created_at: 'x' } });
  const answer = await send(request);
  await types.updateOne(type, { $set: { created_at: new Date() } });
  return answer;
}

async function withRefusedWrites(collMod: string, call: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  await stack.mongo.db.command({ collMod, validator: { unknown: { $exists: true } } });
  const answer = await call();
  await stack.mongo.db.command({ collMod, validator: {} });
  return answer;
}

/** An answer without an end, cancelled as soon as it has started. */
async function beginningOf(path: string, key: string): Promise<ApiAnswer> {
  const stop = new AbortController();
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${stack.url}${path}`, { headers, signal: stop.signal });
  stop.abort();
  return { status: answer.status, headers: answer.headers, text: '', body: undefined };
}

async function sendToNew({ send, request, caller }: Parameters<Provoke>[0]): Promise<ApiAnswer> {
  const { id } = await caller.register({ url: 'https://example.com/' });
  return send({ ...request, body: { endpoint_id: id } });
}

/** No worker ends them. */
async function replayTooMuch({ send, request, caller }: Parameters<Provoke>[0]): Promise<ApiAnswer> {
  for (let count = 0; count < 10; count += 1) await caller.post(REPLAYS, { filter: {} });
  return send(request);
}

const documented = operations.flatMap((operation) =>
  Object.keys(openApi.paths[operation.path]![operation.method]!.responses)
    // test/breakage/mongodb-away.test.ts tests 503.
    .filter((status) => status !== '503')
    .map((status) => ({ name: `${operation.id} ${status}`, operation, status })),
);

it('the document lists statuses for every operation', () => {
  expect(documented.length).toBeGreaterThan(operations.length * 5);
});

// An operation or status that is documented and can't be provoked fails here; one that is answered and not documented
// fails in every test that meets it.
it.each(documented)('the API answers $name', async ({ name, operation, status }) => {
  const provoke = OWN[name] ?? COMMON[status];
  if (!provoke)
    throw new Error(`this file does not say how ${name} comes about: add it here, or take it out of the document`);
  const caller = await buildCaller(stack);
  if (operation.path.includes('event-types')) await putEventTypes(stack.url, (await stack.managementKey()).key);
  const request = await requestOf(operation, caller);

  const isManaged = operation.forInstallation || isForManagers(operation);
  const { key } = isManaged ? await stack.managementKey() : caller;
  const answer = await provoke({ operation, request, send: client(operation, key), caller });

  expect(answer.status).toBe(Number(status));
});
