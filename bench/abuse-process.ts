import { Agent, request } from 'node:http';

/** What a stranger or a free account does to an API for as long as this process runs. */
export interface Abuse {
  readonly kind: 'listen' | 'setup' | 'details' | 'batches';
  readonly url: string;
  /** Keys of free accounts. */
  readonly keys: readonly string[];
}

const STREAMS_OF_AN_ACCOUNT = 5;
const SETUPS = Array.from({ length: 25 });
const CONNECTIONS = Array.from({ length: 3 });
const UNKNOWN_FIELDS = 32_749;
const WEAK_PASSWORD = 'password'.repeat(8);
const BATCH = { events: Array.from({ length: 100 }, () => ({ type: 'order.created', data: {} })) };

const answers: Record<string, number> = {};

process.on('message', (message: Abuse | { readonly kind: 'tell' }) => {
  if (message.kind === 'tell') return void process.send?.({ kind: 'answers', answers });
  void begin(message).then(() => process.send?.({ kind: 'begun' }));
});
process.on('disconnect', () => process.exit(0));

async function begin({ kind, url, keys }: Abuse): Promise<void> {
  const origin = { Origin: url };
  if (kind === 'listen') {
    const opening = keys.flatMap((key) => Array.from({ length: STREAMS_OF_AN_ACCOUNT }, () => listen(url, key)));
    return void (await Promise.all(opening));
  }
  if (kind === 'setup') {
    const body = JSON.stringify({ token: 'x'.repeat(32), email: 'a@example.com', password: WEAK_PASSWORD });
    return everySecond(() => SETUPS.forEach(() => void post(`${url}/dashboard/api/setup`, origin, body)));
  }
  if (kind === 'details') {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: UNKNOWN_FIELDS }, (_, index) => [index, 0])));
    return CONNECTIONS.forEach(() => void repeat(() => post(`${url}/dashboard/api/sign-in`, origin, body)));
  }
  const body = JSON.stringify(BATCH);
  everySecond(() =>
    keys.forEach((key) => void post(`${url}/api/v1/webhooks/events/batch`, { Authorization: `Bearer ${key}` }, body)),
  );
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

/** Counts the answer. A connection that the API closes early is counted as `closed`. */
function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  return new Promise((resolve) => {
    const count = (what: string): void => {
      answers[what] = (answers[what] ?? 0) + 1;
      resolve();
    };
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      },
      (response) => response.resume().once('end', () => count(String(response.statusCode))),
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
