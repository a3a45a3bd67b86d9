// Receives Everpost's deliveries with Node's standard library alone. ../README.md says how to run it.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { argv, env, exit, stderr, stdout } from 'node:process';

/** The endpoint's whole signing secret. */
const SECRET = env['WEBHOOK_SECRET'] ?? '';
/** Standard Webhooks: the HMAC key is what stands after `whsec_`, decoded from base64. */
const KEY = Buffer.from(SECRET.replace(/^whsec_/, ''), 'base64');
const PORT = Number(argv[2] || env['PORT'] || 8000);
/** 0 turns the check off. */
const TOLERANCE_SECONDS = Number(env['TIMESTAMP_TOLERANCE_SECONDS'] || 300);
/** Everpost sends at most a little more than 256 KiB. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Ids of the handled events. In your service this is a table with a unique column, written in the
 * transaction that does the work. A table outlives the process, and all processes share it.
 *
 * @type {Set<string>}
 */
const handled = new Set();

/**
 * The exact bytes of the body, or undefined if it is too large. The rest is read and discarded.
 *
 * @param {import('node:http').IncomingMessage} request
 */
async function readBody(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/**
 * Whether one of the signatures is right: of the id, the time and the body together, compared in constant time.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {Buffer} body
 */
function isGenuine(headers, body) {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
  const expected = Buffer.from(`v1,${createHmac('sha256', KEY).update(signed).update(body).digest('base64')}`);
  // During a rotation of the secret there are two signatures: one of the old secret and one of the new one.
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** @param {string | string[] | undefined} header */
function isRecent(header) {
  if (TOLERANCE_SECONDS === 0) return true;
  if (typeof header !== 'string' || !/^\d+$/.test(header)) return false;
  return Math.abs(Date.now() / 1000 - Number(header)) <= TOLERANCE_SECONDS;
}

/**
 * Why the delivery is refused, or undefined if it is accepted.
 *
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {Buffer} body
 * @param {string | undefined} id
 */
function refusal(headers, body, id) {
  if (!isGenuine(headers, body)) return 'wrong signature';
  // The signature covers this time.
  if (!isRecent(headers['webhook-timestamp'])) return 'stale timestamp';
  if (id === undefined) return 'no event id';
  return undefined;
}

/**
 * Does the work once for each event, however often it arrives. Throw to make Everpost retry.
 *
 * @param {string} id
 */
function handle(id) {
  // INSERT INTO handled_events (id) VALUES ($1) ON CONFLICT DO NOTHING: no new row means a repeat.
  if (handled.has(id)) return;
  stdout.write(`handled event ${id}\n`);
  handled.add(id);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<[status: number, text: string]>}
 */
async function answer(request) {
  if (request.method !== 'POST') return [405, 'POST only'];
  const body = await readBody(request);
  if (!body) return [413, 'body too large'];
  // Everpost writes the id first, so nothing is parsed before the delivery is known to be genuine and new.
  const id = /^\{"id":(\d+),/.exec(body.toString('latin1', 0, 32))?.[1];
  const refused = refusal(request.headers, body, id);
  if (refused) return [401, refused];
  handle(/** @type {string} */ (id));
  return [204, ''];
}

if (SECRET === '') {
  stderr.write('Set WEBHOOK_SECRET to the signing secret of the endpoint.\n');
  exit(1);
}

const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
  answer(request).then(
    ([status, text]) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(text),
    (/** @type {unknown} */ error) => {
      stderr.write(`${String(error)}\n`);
      response.writeHead(500).end();
    },
  );
});
server.listen(PORT, '127.0.0.1', () => stdout.write(`listening on http://127.0.0.1:${PORT}\n`));
