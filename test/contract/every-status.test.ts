import { randomBytes } from 'node:crypto';
import type { Operation } from '../../src/http/operation';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { buildApi, type Api } from '../support/build-api';
import { buildMongoProxy, type MongoProxy } from '../support/mongo-proxy';
import { buildStack, type Stack } from '../support/build-stack';
import { openApi, operations } from '../support/conformance';

const EVENTS = '/api/v1/webhooks/events';
const BATCH = `${EVENTS}/batch`;
const ENDPOINTS = '/api/v1/webhooks/endpoints';
const REPLAYS = '/api/v1/webhooks/replays';

let stack: Stack;
let proxy: MongoProxy;
/** An API whose MongoDB can be taken away. */
let cutOff: Api;

beforeAll(async () => {
  const tiers = [{ id: 'one', name: 'One call', monthlyQuota: null, perMinute: 1 }];
  stack = await buildStack({ role: 'api', env: { TIERS: JSON.stringify(tiers) } });
  proxy = await buildMongoProxy(stack.config.mongodb.uri!);
  cutOff = await buildApi(stack.config, { mongodb: { ...stack.config.mongodb, uri: proxy.uri } });
});

afterAll(async () => {
  await cutOff?.close();
  await proxy?.close();
  await stack?.close();
});

/** A request that is right, made of what the document shows. */
interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

type Send = (request: Request) => Promise<ApiAnswer>;

/** What a status of an operation takes. @returns its answer */
type Provoke = (context: {
  operation: Operation;
  request: Request;
  send: Send;
  key: string;
  accountId: string;
}) => Promise<ApiAnswer>;

const client =
  (operation: Operation, key: string | undefined, url = stack.url): Send =>
  ({ path, body, headers }) => {
    // Without a key the estimator lets everybody in.
    const anyKey = operation.security && { 'X-Api-Key': key ?? 'none' };
    return apiClient(url, key).call(operation.method.toUpperCase(), path, body, { ...anyKey, ...headers });
  };

/** What can't be counted with. */
const BROKEN_COUNTERS = { window_started_at: 'x' };

/** Statuses that every operation comes to in the same way. */
const COMMON: Record<string, Provoke> = {
  200: ({ send, request }) => send(request),
  201: ({ send, request }) => send(request),
  202: ({ send, request }) => send(request),
  204: ({ send, request }) => send(request),
  400: ({ send, request, operation }) => {
    if (operation.body) return send({ ...request, body: '{"no_such_field":1}' });
    if (operation.params) return send({ path: operation.path.replaceAll(/\{\w+\}/g, 'x') });
    return send({ path: `${request.path}?no_such_parameter=1` });
  },
  401: ({ operation, request }) => client(operation, undefined)(request),
  403: async ({ operation, request }) => client(operation, (await stack.account({ product: 'pii' })).key)(request),
  404: ({ send, request }) =>
    send({ ...request, path: request.path.replace(/(ep|rpl)_[0-9a-z]{26}/, `$1_${'0'.repeat(26)}`) }),
  413: ({ send, request }) => send({ ...request, body: 'x'.repeat(300_000) }),
  415: ({ send, request }) => send({ ...request, headers: { 'Content-Type': 'text/plain' } }),
  429: async ({ operation, request }) => {
    const send = client(operation, (await stack.account({ tier: 'one' })).key);
    await send(request);
    return send(request);
  },
  500: async ({ send, request, accountId }) => {
    await stack.mongo.db
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: accountId }, { $set: { limits: BROKEN_COUNTERS, estimator_limits: BROKEN_COUNTERS } });
    return send(request);
  },
};

/** What only one operation can come to, or comes to in a way of its own. */
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
  'listen 200': ({ request, key }) => beginningOf(request.path, key),
  'listen 429': async ({ request }) => {
    const { key } = await stack.account({ tier: 'one' });
    await beginningOf(request.path, key);
    return apiClient(stack.url, key).get(request.path);
  },
  'getCatalog 304': ({ send, request }) => send({ ...request, headers: { 'If-None-Match': '*' } }),
  'estimateCost 422': ({ send, request }) =>
    send({ ...request, body: { items: [{ provider: 'aws', service: 'EC3', quantity: 1 }] } }),
  'getEvent 404': ({ send }) => send({ path: `${EVENTS}/9007199254740991` }),
  'createEndpoint 409': async ({ send, request }) => {
    await Promise.all(Array.from({ length: 100 }, () => send(request)));
    return send(request);
  },
  'retryDelivery 409': async ({ send, request, key }) => {
    await apiClient(stack.url, key).post(request.path.replace('/retry', '/cancel'));
    return send(request);
  },
  'cancelDelivery 409': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'replayDelivery 202': async ({ send, request, key }) => {
    await apiClient(stack.url, key).post(request.path.replace('/replay', '/cancel'));
    return send(request);
  },
  'replayDelivery 409': ({ send, request }) => send(request),
  'createReplay 404': ({ send }) => send({ path: REPLAYS, body: { filter: { endpoint_id: `ep_${'0'.repeat(26)}` } } }),
  'createReplay 409': replayTooMuch,
  'recoverEndpoint 409': replayTooMuch,
  'cancelReplay 409': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'createEndpoint 422': ({ send }) => send({ path: ENDPOINTS, body: { url: 'ftp://example.com/' } }),
  'changeEndpoint 422': ({ send, request }) => send({ ...request, body: { url: 'ftp://example.com/' } }),
  'rotateSecret 409': async ({ send, request }) => {
    await send(request);
    return send(request);
  },
  'activateSecret 200': async ({ send, request, key }) => {
    await apiClient(stack.url, key).post(request.path.replace('/activate', '/rotate'));
    return send(request);
  },
  'activateSecret 409': ({ send, request }) => send(request),
};

/** An answer without an end, let go as soon as it has begun. */
async function beginningOf(path: string, key: string): Promise<ApiAnswer> {
  const stop = new AbortController();
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${stack.url}${path}`, { headers, signal: stop.signal });
  stop.abort();
  return { status: answer.status, headers: answer.headers, text: '', body: undefined };
}

/** No worker ends them. */
async function replayTooMuch({ send, request, key }: Parameters<Provoke>[0]): Promise<ApiAnswer> {
  for (let count = 0; count < 10; count += 1) await apiClient(stack.url, key).post(REPLAYS, { filter: {} });
  return send(request);
}

async function requestOf(operation: Operation, key: string): Promise<Request> {
  let { path } = operation;
  if (path.includes('{event_id}')) {
    const { body } = await apiClient(stack.url, key).post(EVENTS, { type: 'a', data: {} });
    path = path.replace('{event_id}', String(body.id));
  }
  if (path.includes('{endpoint_id}')) {
    const { body } = await apiClient(stack.url, key).post(ENDPOINTS, { url: 'https://example.com/' });
    path = path.replace('{endpoint_id}', body.id);
  }
  if (path.includes('{delivery_id}')) {
    const endpoint = await apiClient(stack.url, key).post(ENDPOINTS, { url: 'https://example.com/' });
    const { body } = await apiClient(stack.url, key).post(EVENTS, { type: 'a', data: {} });
    path = path.replace('{delivery_id}', `${body.id}.${endpoint.body.id}`);
  }
  if (path.includes('{job_id}')) {
    const { body } = await apiClient(stack.url, key).post(REPLAYS, { filter: {} });
    path = path.replace('{job_id}', body.job_id);
  }
  const { bodyExample } = operation;
  const isEvent = operation.id === 'ingestEvent';
  return {
    path,
    ...(operation.body && {
      body: isEvent ? { ...(bodyExample as object), idempotency_key: randomBytes(8).toString('hex') } : bodyExample,
    }),
  };
}

const documented = operations.flatMap((operation) =>
  Object.keys(openApi.paths[operation.path]![operation.method]!.responses)
    .filter((status) => status !== '503')
    .map((status) => ({ name: `${operation.id} ${status}`, operation, status })),
);

test('the document names statuses for every operation', () => {
  expect(documented.length).toBeGreaterThan(operations.length * 5);
});

// An operation or status that is documented and can't be provoked fails here; one that is answered and not documented
// fails in every test that meets it.
test.each(documented)(
  '$name is real',
  async ({ name, operation, status }) => {
    const provoke = OWN[name] ?? COMMON[status];
    if (!provoke)
      throw new Error(`nobody knows how ${name} comes about: add it to this file, or take it out of the document`);
    const { key, accountId } = await stack.account();
    const request = await requestOf(operation, key);
    const answer = await provoke({ operation, request, send: client(operation, key), key, accountId });
    expect(answer.status).toBe(Number(status));
  },
  60_000,
);

test('503 of every operation is real', async () => {
  const { key } = await stack.account();
  const requests = await Promise.all(operations.map((operation) => requestOf(operation, key)));
  proxy.cut();
  try {
    const answers = await Promise.all(
      operations.map((operation, index) => client(operation, key, cutOff.url)(requests[index]!)),
    );
    expect(answers.map(({ status }) => status)).toEqual(operations.map(() => 503));
  } finally {
    proxy.mend();
  }
  for (const operation of operations)
    expect(openApi.paths[operation.path]![operation.method]!.responses).toHaveProperty('503');
}, 60_000);
