import fc from 'fast-check';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchWithBackoff, sendEvent, waitMs } from '../../docs/clients/backoff';

/** What the server does with one request: a status with its Retry-After, or it hangs up. */
type Answer = { readonly status: number; readonly retryAfter?: string } | 'hang up';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let baseUrl: string;
let answers: Answer[];
let received: Received[];
let waits: number[];
let jitter: number;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.shift();
      if (answer === undefined || answer === 'hang up') return request.socket.destroy();
      const retryAfter = answer.retryAfter === undefined ? {} : { 'Retry-After': answer.retryAfter };
      return response.writeHead(answer.status, retryAfter).end(`{"status":${answer.status}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  answers = [];
  received = [];
  waits = [];
  jitter = 0;
});

const EVENT = { type: 'order.created', data: { order_id: 'ord_42' }, idempotency_key: 'ord_42_created' };

/** Time passes at once; how much is written down. */
function deps() {
  return {
    fetch,
    sleep: async (ms: number) => {
      waits.push(ms);
    },
    random: () => jitter,
  };
}

function send(): Promise<Response> {
  return sendEvent({ baseUrl, apiKey: 'svc_live_weh_example' }, EVENT, deps());
}

function limited(retryAfter?: string): Answer {
  return { status: 429, ...(retryAfter !== undefined && { retryAfter }) };
}

describe('the request', () => {
  it('sends the event to the ingest URL, with the API key', async () => {
    answers = [{ status: 202 }];
    expect((await send()).status).toBe(202);
    expect(received).toMatchObject([
      {
        path: '/api/v1/webhooks/events',
        headers: { authorization: 'Bearer svc_live_weh_example', 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.parse(received[0]!.body)).toEqual(EVENT);
    expect(waits).toEqual([]);
  });

  it('is the same on each try, so Everpost recognises it', async () => {
    answers = [limited('1'), 'hang up', { status: 503 }, { status: 200 }];
    expect((await send()).status).toBe(200);
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(received[3]!.body).toContain('"idempotency_key":"ord_42_created"');
  });
});

describe('the wait', () => {
  it('is Retry-After, doubled with each further try', async () => {
    answers = [limited('3'), limited('3'), limited('3'), limited('3'), limited('3'), { status: 202 }];
    expect((await send()).status).toBe(202);
    expect(waits).toEqual([3_000, 6_000, 12_000, 24_000, 48_000]);
  });

  it('follows the newest Retry-After', async () => {
    answers = [limited('17'), limited('2'), { status: 202 }];
    await send();
    expect(waits).toEqual([17_000, 4_000]);
  });

  it('has up to 500 ms of random jitter', async () => {
    jitter = 0.5;
    answers = [limited('1'), limited('1'), { status: 202 }];
    await send();
    expect(waits).toEqual([1_250, 2_250]);
  });

  it.each([502, 504])('is the same after %i of a proxy', async (status) => {
    answers = [{ status, retryAfter: '2' }, { status: 202 }];
    expect((await send()).status).toBe(202);
    expect(waits).toEqual([2_000]);
  });

  it('is the same after 503', async () => {
    answers = [{ status: 503, retryAfter: '2' }, { status: 503, retryAfter: '2' }, { status: 202 }];
    expect((await send()).status).toBe(202);
    expect(waits).toEqual([2_000, 4_000]);
  });

  it('is a doubled second without a usable Retry-After: 500, no answer, an unreadable header', async () => {
    answers = [{ status: 500 }, 'hang up', limited(), limited('soon'), { status: 202 }];
    expect((await send()).status).toBe(202);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it('understands a date from a proxy', async () => {
    answers = [
      limited(new Date(Date.now() + 30_000).toUTCString()),
      limited('Thu, 01 Jan 1970 00:00:00 GMT'),
      { status: 202 },
    ];
    await send();
    // The date has no milliseconds.
    expect(waits[0]).toBeGreaterThan(25_000);
    expect(waits[0]).toBeLessThanOrEqual(30_000);
    expect(waits[1]).toBe(0);
  });

  it('is never shorter than the doubled Retry-After, and never 500 ms longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 60 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (retry, seconds, random) => {
          const least = seconds * 1_000 * 2 ** (retry - 1);
          expect(waitMs(retry, seconds, random)).toBeGreaterThanOrEqual(least);
          expect(waitMs(retry, seconds, random)).toBeLessThanOrEqual(least + 500);
        },
      ),
    );
  });
});

describe('the end', () => {
  it('comes after five retries, with the last answer', async () => {
    answers = Array.from({ length: 9 }, () => limited('1'));
    const answer = await send();
    expect(answer.status).toBe(429);
    expect(await answer.json()).toEqual({ status: 429 });
    expect(received).toHaveLength(6);
    expect(waits).toHaveLength(5);
  });

  it('comes after five retries without an answer, with the error of fetch', async () => {
    answers = Array.from({ length: 9 }, () => 'hang up' as const);
    await expect(send()).rejects.toThrow('fetch failed');
    expect(received).toHaveLength(6);
    expect(waits).toHaveLength(5);
  });

  it.each([200, 202, 207, 400, 401, 403, 404, 409, 413, 415, 422])('comes at once with %d', async (status) => {
    answers = [{ status }];
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(received).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it('comes at once when the monthly quota is used up, instead of a wait of days', async () => {
    answers = [limited('61')];
    const answer = await send();
    expect(answer.status).toBe(429);
    expect(await answer.json()).toEqual({ status: 429 });
    expect(waits).toEqual([]);
  });

  it('does not come when the whole burst window must pass', async () => {
    answers = [limited('60'), { status: 202 }];
    expect((await send()).status).toBe(202);
    expect(waits).toEqual([60_000]);
  });
});

describe('an aborted call', () => {
  it('is not repeated', async () => {
    const init = { signal: AbortSignal.abort(new Error('no time')) };
    await expect(fetchWithBackoff(baseUrl, init, deps())).rejects.toThrow('no time');
    expect(waits).toEqual([]);
  });

  it('ends its wait', async () => {
    answers = [limited('60')];
    const stop = new AbortController();
    const refused = new Promise((resolve) => {
      server.once('request', (_request, response: ServerResponse) => response.once('close', resolve));
    });
    const call = fetchWithBackoff(baseUrl, { signal: stop.signal });
    await refused;
    stop.abort(new Error('no time'));
    await expect(call).rejects.toThrow('no time');
    expect(received).toHaveLength(1);
  });
});

it('works for other calls too', async () => {
  answers = [limited('1'), { status: 200 }];
  const answer = await fetchWithBackoff(`${baseUrl}/api/v1/webhooks/endpoints`, {}, deps());
  expect(await answer.json()).toEqual({ status: 200 });
  expect(received.map(({ path }) => path)).toEqual(['/api/v1/webhooks/endpoints', '/api/v1/webhooks/endpoints']);
});
