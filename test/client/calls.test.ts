import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  createEverpost,
  EverpostConnectionError,
  EverpostError,
  EverpostTimeoutError,
  type Everpost,
  type EverpostOptions,
} from '../../client/src/index';
import { openApi } from '../support/conformance';

const KEY = `svc_live_weh_${'0'.repeat(32)}`;
const BASE_URL = 'http://everpost.test';

/** A client whose requests are kept, and get the same answer. */
function recorded(
  answer: () => Response = () => Response.json({ results: [] }),
  options: Partial<EverpostOptions> = {},
) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.clone());
    return answer();
  };
  return { everpost: createEverpost({ baseUrl: BASE_URL, apiKey: KEY, fetch, ...options }), requests };
}

/** The error of a call. */
async function refusal(call: Promise<unknown>): Promise<EverpostError> {
  return call.then(
    () => {
      throw new Error('The call was not refused.');
    },
    (error: unknown) => error as EverpostError,
  );
}

type Method = (...args: unknown[]) => unknown;

/** The resources of a client with their methods, by their path: `accounts.portalSessions.create`. */
function methodsOf(resource: object, prefix = ''): [string, Method][] {
  return Object.entries(resource).flatMap(([name, value]): [string, Method][] => {
    if (['api', 'account'].includes(name)) return [];
    return typeof value === 'function'
      ? [[prefix + name, value as Method]]
      : methodsOf(value as object, `${prefix}${name}.`);
  });
}

describe('methods', () => {
  const WITHOUT_METHOD = [
    // A stream of events: `everpost listen` reads it.
    'GET /api/v1/webhooks/listen',
    // What `eventTypes` reads, without archived ones: for the portal and the dashboard.
    'GET /api/v1/webhooks/event-types',
    'GET /api/v1/webhooks/event-types/x',
  ];

  it('make every call of the API but the stream', async () => {
    const { everpost, requests } = recorded();
    for (const [name, method] of methodsOf(everpost)) {
      // `x` is each id, and bodies and queries may be anything here.
      const answer = name === 'events.sendBatch' ? method([]) : method('x', 'x');
      await ((answer as { page?: () => Promise<unknown> }).page?.() ?? answer);
    }
    const called = requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    const wanted = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
    );
    expect(called.toSorted()).toEqual(wanted.filter((it) => !WITHOUT_METHOD.includes(it)).toSorted());
  });

  it('have the same names as those of the Python client', () => {
    const folder = join(__dirname, '..', '..', 'packages', 'python', 'src', 'everpost', '_async');
    const files = readdirSync(folder).filter((name) => !/^(__init__|client|pages|transport)\.py$/.test(name));
    const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const inPython = files.flatMap((name) => {
      const classes = readFileSync(join(folder, name), 'utf8')
        .split(/^class Async/m)
        .slice(1);
      return classes.flatMap((text) => {
        const resource = text[0]!.toLowerCase() + /^\w+/.exec(text)![0].slice(1);
        const methods = [...text.matchAll(/^ {4}(?:async )?def ([a-z]\w*)\(/gm)].map(([, method]) => camel(method!));
        return methods.map((method) => `${resource.replace('portal', 'accounts.portal')}.${method}`);
      });
    });
    const { everpost } = recorded();
    expect(
      methodsOf(everpost)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(inPython.toSorted());
  });

  it('take objects whose type is an interface', async () => {
    interface Order {
      readonly id: string;
    }
    const order: Order = { id: 'ord_42' };
    const { everpost, requests } = recorded();
    await everpost.events.send({ type: 'order.created', data: order, idempotency_key: 'k' });
    await everpost.endpoints.test('ep_1', { data: order });
    expect(await Promise.all(requests.map((it) => it.json()))).toEqual([
      { type: 'order.created', data: order, idempotency_key: 'k' },
      { data: order },
    ]);
  });

  it('send the account, and `If-Match` where a change depends on it; a removal answers nothing', async () => {
    const { everpost, requests } = recorded(() => new Response(null, { status: 204 }));
    const { endpoints } = everpost.account('cus_42');
    await endpoints.update('ep_1', { description: 'new' }, { ifMatch: '"v1"' });
    expect(await endpoints.delete('ep_1')).toBeUndefined();
    const headers = requests.map((it) => [it.headers.get('everpost-account'), it.headers.get('if-match')]);
    expect(headers).toEqual([
      ['cus_42', '"v1"'],
      ['cus_42', null],
    ]);
    expect(requests[0]!.headers.get('authorization')).toBe(`Bearer ${KEY}`);
  });

  it('refuse an id that names another path', async () => {
    const { everpost, requests } = recorded();
    for (const bad of ['', '.', '..', undefined as unknown as string]) {
      await expect(everpost.endpoints.delete(bad)).rejects.toThrow('An id is missing, empty, `.` or `..`.');
    }
    await everpost.endpoints.get('../../accounts?x#é');
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/v1/webhooks/endpoints/..%2F..%2Faccounts%3Fx%23%C3%A9',
    ]);
  });
});

describe('an error', () => {
  it('has everything that the answer says, even a code and a field of a newer API', async () => {
    const body = {
      ...{ error: 'Not that way.', code: 'from_the_future', request_id: 'req_1', reset_at: '2026-12-01T00:00:00Z' },
      ...{ details: [{ path: 'data', message: 'is wrong' }], more: true },
    };
    const headers = { 'Retry-After': '86400', 'X-RateLimit-Remaining': '3' };
    const { everpost } = recorded(() => Response.json(body, { status: 429, headers }));
    const error = await refusal(everpost.endpoints.get('ep_1'));

    expect(error).toBeInstanceOf(EverpostError);
    expect(error).toMatchObject({ status: 429, code: 'from_the_future', message: 'Not that way.', requestId: 'req_1' });
    expect([error.retryAfterSeconds, error.details, error.body]).toEqual([86_400, body.details, body]);
    expect([error.body.reset_at, error.headers.get('x-ratelimit-remaining')]).toEqual([body.reset_at, '3']);
  });

  it.each([
    [403, 'The API answered 403.'],
    [200, 'The answer 200 is not JSON: something between here and the API wrote it.'],
  ])('tells that a proxy answered %i with a page', async (status, message) => {
    const page = () => new Response('<h1>Blocked</h1>', { status, headers: { 'Content-Type': 'text/html' } });
    const error = await refusal(recorded(page).everpost.usage.get());
    expect(error).toMatchObject({ status, code: 'unknown', message });
  });

  it.each([[[1]], [null], [{ error: 1, code: null, details: 'x', request_id: 5 }]])(
    "is the API's error even if its fields have other types: %j",
    async (body) => {
      const error = await refusal(recorded(() => Response.json(body, { status: 400 })).everpost.usage.get());
      expect(error).toMatchObject({ status: 400, code: 'unknown', message: 'The API answered 400.', details: [] });
    },
  );

  it('of an address or a key that no header takes never tells it', () => {
    for (const apiKey of ['', 'svc_secret\n', ' svc_secret', 'svc_sécret', undefined as unknown as string]) {
      expect(() => createEverpost({ baseUrl: BASE_URL, apiKey })).toThrow(/^`apiKey` is missing, or holds (?!.*cret)/);
    }
    expect(() => recorded().everpost.account('cus\r\nX: 1')).toThrow('`id` is missing, or holds');
    expect(() => createEverpost({ baseUrl: 'everpost.test', apiKey: KEY })).toThrow('begins with https:// or http://');
    expect(() => createEverpost({ baseUrl: BASE_URL, apiKey: KEY, timeoutMs: 0 })).toThrow('`timeoutMs` is a number');
  });
});

describe('a server that', () => {
  let server: Server;
  let listener: RequestListener;
  let everpost: Everpost;

  beforeAll(async () => {
    server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    everpost = createEverpost({ baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, maxRetries: 0 });
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    [
      'never ends its answer',
      (_request, response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
    ],
  ])('%s ends a call with a time-out', async (_, behaviour) => {
    listener = behaviour;
    const error = await refusal(everpost.usage.get({}, { timeoutMs: 50 }));
    expect(error).toBeInstanceOf(EverpostTimeoutError);
    expect(error).toBeInstanceOf(EverpostConnectionError);
    expect(error).toMatchObject({ name: 'EverpostTimeoutError', status: undefined, code: 'timeout', timeoutMs: 50 });
    expect(error.message).toMatch(/^There was no complete answer from http:\/\/127\.0\.0\.1:\d+ within 50 ms\.$/);

    const stopped = new AbortController();
    listener = (request, response) => {
      behaviour(request, response);
      stopped.abort(new Error('no time'));
    };
    await expect(everpost.events.list({}, { signal: stopped.signal }).page()).rejects.toThrow('no time');
    await expect(everpost.usage.get({}, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  it('asks for a longer wait than a call may take gets no further request', async () => {
    let requests = 0;
    listener = ({ method }, response) => {
      // A request of an earlier test, which gave it up, may come late.
      if (method === 'POST') requests += 1;
      response
        .writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': '60' })
        .end('{"code":"rate_limit_exceeded"}');
    };
    const call = everpost.events.send({ type: 'a', data: {} }, { maxRetries: 5, totalTimeoutMs: 50_000 });
    expect(await refusal(call)).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfterSeconds: 60 });
    expect(requests).toBe(1);
  });

  it('sends to another address is not followed there, because the request has the key', async () => {
    const paths: (string | undefined)[] = [];
    listener = ({ url }, response) => {
      paths.push(url);
      response.writeHead(302, { Location: '/elsewhere' }).end();
    };
    expect(await refusal(everpost.keys.getOwn())).toMatchObject({ status: 302, message: 'The API answered 302.' });
    expect(paths).not.toContain('/elsewhere');
  });

  it('hangs up is named, with what happened', async () => {
    listener = ({ socket }) => void socket.destroy();
    const error = await refusal(everpost.endpoints.create({ url: 'https://example.com' }));
    expect(error).toMatchObject({ name: 'EverpostConnectionError', status: undefined, code: 'connection_failed' });
    expect(error.message).toMatch(/^There was no answer from http:\/\/127\.0\.0\.1:\d+: UND_ERR_SOCKET\.$/);
    expect((error.cause as Error).message).toBe('fetch failed');
  });
});
