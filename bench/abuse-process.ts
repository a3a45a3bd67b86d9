import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { COSTLY_BATCH } from './costly-filter';
import type { LongHistory } from './long-history';

/** What a stranger or a free account does to an API for as long as this process runs. */
export interface Abuse {
  readonly kind: 'listen' | 'setup' | 'details' | 'addresses' | 'batches' | 'filters' | 'cannon' | 'history';
  readonly url: string;
  /** Keys of free accounts. */
  readonly keys: readonly string[];
  /** The key of an account whose endpoint has `COSTLY_FILTER`. */
  readonly filterKey: string;
  /** A free account with endpoints at one host. */
  readonly cannon: { readonly key: string; readonly endpointIds: readonly string[] };
  readonly history: LongHistory;
}

const STREAMS_OF_AN_ACCOUNT = 5;
const SETUPS = Array.from({ length: 25 });
const SIGN_INS_A_SECOND = 120;
const CONNECTIONS = Array.from({ length: 3 });
/** As many as the tier `business` allows. */
const CALLS_A_SECOND = Array.from({ length: 10 });
const UNKNOWN_FIELDS = 32_749;
const LARGE = { text: 'x'.repeat(260_000) };
const WEAK_PASSWORD = 'password'.repeat(8);
const BATCH = { events: Array.from({ length: 100 }, () => ({ type: 'order.created', data: {} })) };

const answers: Record<string, number> = {};

process.on('message', (message: Abuse | { readonly kind: 'tell' }) => {
  if (message.kind === 'tell') return void process.send?.({ kind: 'answers', answers });
  void begin(message).then(() => process.send?.({ kind: 'begun' }));
});
process.on('disconnect', () => process.exit(0));

async function begin({ kind, url, keys, filterKey, cannon, history }: Abuse): Promise<void> {
  const origin = { Origin: url };
  if (kind === 'listen') {
    const opening = keys.flatMap((key) => Array.from({ length: STREAMS_OF_AN_ACCOUNT }, () => listen(url, key)));
    return void (await Promise.all(opening));
  }
  if (kind === 'setup') {
    const body = JSON.stringify({ token: 'x'.repeat(32), email: 'a@example.com', password: WEAK_PASSWORD });
    return everySecond(() => SETUPS.forEach(() => void post(`${url}/dashboard/api/setup`, origin, body)));
  }
  if (kind === 'addresses') {
    setInterval(() => {
      const body = JSON.stringify({ email: `${randomUUID()}@example.com`, password: WEAK_PASSWORD });
      void post(
        `${url}/dashboard/api/sign-in`,
        { ...origin, 'X-Forwarded-For': `10.${randomBytes(3).join('.')}` },
        body,
      );
    }, 1_000 / SIGN_INS_A_SECOND);
    return;
  }
  if (kind === 'details') {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: UNKNOWN_FIELDS }, (_, index) => [index, 0])));
    return CONNECTIONS.forEach(() => void repeat(() => post(`${url}/dashboard/api/sign-in`, origin, body)));
  }
  if (kind === 'history') {
    const headers = { Authorization: `Bearer ${history.key}` };
    const paths = CALLS_A_SECOND.map((_, index) => `${url}${history.paths[index % history.paths.length]}`);
    return everySecond(() => paths.forEach((path) => void call(path, 'GET', headers)));
  }
  if (kind === 'cannon') {
    const headers = { Authorization: `Bearer ${cannon.key}` };
    await post(`${url}/api/v1/webhooks/events`, headers, JSON.stringify({ type: 'order.created', data: LARGE }));
    let at = 0;
    return everySecond(() => {
      const id = cannon.endpointIds[(at += 1) % cannon.endpointIds.length]!;
      for (const change of ['pause', 'resume'])
        void post(`${url}/api/v1/webhooks/endpoints/${id}/${change}`, headers, '');
    });
  }
  const sendBatch = (key: string, batch: object) =>
    post(`${url}/api/v1/webhooks/events/batch`, { Authorization: `Bearer ${key}` }, JSON.stringify(batch));
  if (kind === 'filters') return CONNECTIONS.forEach(() => void repeat(() => sendBatch(filterKey, COSTLY_BATCH)));
  everySecond(() => keys.forEach((key) => void sendBatch(key, BATCH)));
}

/** One after the other, as fast as they are answered. */
async function repeat(send: () => Promise<void>): Promise<never> {
  for (;;) await send();
}

function everySecond(send: () => void): void {
  send();
  setInterval(send, 1_000);
}

const agent = new Agent({ keepAlive: true });

function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  const sized = { ...headers, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  return call(url, 'POST', sized, body);
}

/** Counts the answer. A connection that the API closes early is counted as `closed`. */
function call(url: string, method: string, headers: Readonly<Record<string, string>>, body?: string): Promise<void> {
  return new Promise((resolve) => {
    const count = (what: string): void => {
      answers[what] = (answers[what] ?? 0) + 1;
      resolve();
    };
    const outgoing = request(url, { method, agent, headers }, (response) =>
      response.resume().once('end', () => count(String(response.statusCode))),
    );
    outgoing.once('error', () => count('closed'));
    outgoing.end(body);
  });
}

/** Opens a stream and ignores what it gets. */
function listen(url: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const outgoing = request(`${url}/api/v1/webhooks/listen`, { agent: false, headers }, (response) => {
      answers[String(response.statusCode)] = (answers[String(response.statusCode)] ?? 0) + 1;
      response.resume();
      resolve();
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
