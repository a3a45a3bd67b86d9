import { connect } from 'node:net';
import { buildCaller, type Caller } from '../support/build-caller';
import { useStack } from '../support/build-stack';

// RFC 9110, 10.1.1: a client that sends `Expect: 100-continue` gets the final status at once where the headers decide,
// and sends its body only after 100.

const stack = useStack();
const EVENTS = '/api/v1/webhooks/events';
const BODY = '{"type":"order.created","data":{}}';
let api: Caller;

beforeAll(async () => {
  api = await buildCaller(stack);
});

interface Expecting {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
}

/** Sends the headers, and the body only when it is told to. @returns the statuses in order, and the last answer */
function ask({ path = EVENTS, method = 'POST', headers = {}, body = BODY }: Expecting) {
  const { hostname, port } = new URL(stack.url);
  return new Promise<{ statuses: number[]; text: string; closed: boolean }>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    let isSent = false;
    const all = {
      Host: hostname,
      Authorization: `Bearer ${api.key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
      ...headers,
    };
    const isChunked = 'Transfer-Encoding' in headers;
    const sent = Object.entries(all).filter(([name]) => !isChunked || name !== 'Content-Length');
    const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
      if (statuses.includes(100) && !isSent) socket.write(body);
      isSent ||= statuses.includes(100);
      const isDone = statuses.at(-1)! >= 200 && /\r\n\r\n.*\}$/s.test(text);
      if (!isDone) return;
      const closed = /^connection: close\r$/im.test(text);
      if (!closed) socket.destroy();
      resolve({ statuses, text, closed });
    });
    socket.on('error', reject);
  });
}

it('a body that is wanted is asked for, and the connection stays open', async () => {
  const { statuses, text, closed } = await ask({});

  expect([statuses, closed]).toEqual([[100, 202], false]);
  expect(text).toContain('"id":');
});

it.each<[what: string, request: Expecting, status: number]>([
  ['a wrong key', { headers: { Authorization: `Bearer svc_live_weh_${'0'.repeat(32)}` } }, 401],
  ['another product', { headers: { Authorization: `Bearer svc_live_pii_${'0'.repeat(32)}` } }, 401],
  ['no key', { headers: { Authorization: '' } }, 401],
  ['4 MB', { headers: { 'Content-Length': 4_000_000 } }, 413],
  ['more than a batch takes', { path: `${EVENTS}/batch`, headers: { 'Content-Length': 40_000_000 } }, 413],
  ['another media type', { headers: { 'Content-Type': 'text/plain' } }, 415],
  ['a compressed body', { headers: { 'Content-Encoding': 'gzip' } }, 415],
  ['an unknown path', { path: '/api/v1/webhooks/nothing' }, 404],
  ['a method that is not there', { method: 'PUT' }, 405],
  ['a large body where none belongs', { path: `${EVENTS}/1/replay`, headers: { 'Content-Length': 4_000_000 } }, 413],
  ['a large body for the estimator', { path: '/api/cost-estimator', headers: { 'Content-Length': 40_000_000 } }, 413],
  ['a chunked body and a wrong key', { headers: { Authorization: 'Bearer x', 'Transfer-Encoding': 'chunked' } }, 401],
])('%s is refused without 100, and the connection is closed', async (_what, request, status) => {
  const headers = { ...request.headers };
  const { statuses, closed } = await ask({ ...request, headers });

  expect([statuses, closed]).toEqual([[status], true]);
});

it('an expectation of a request without a body is ignored', async () => {
  const { statuses } = await ask({ method: 'GET', body: '', headers: { 'Content-Length': 0 } });

  expect(statuses).toEqual([200]);
});

it('what is wrong in the body is refused after it was sent', async () => {
  const { statuses, closed } = await ask({ body: '{"type":1}' });

  expect([statuses, closed]).toEqual([[100, 400], false]);
});
