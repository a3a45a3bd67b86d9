import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpSender, type HttpSender, type SendResult } from '../../src/sender/http-sender';
import type { Received } from '../../src/sender/read-response';
import { composeBody, signDelivery } from '../../src/sender/signature';
import { LOOPBACK_POLICY } from '../sender/receivers';
import type { AcceptedVector, RefusedVector, SignatureVectors } from './build-vectors';
import { buildReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { lacking, LANGUAGES, RECEIVERS, type Language } from './languages';
import { runReceiver, startReceiver, type ReceiverProcess } from './receiver-process';

const ROOT = join(__dirname, '..', '..');
const { accepted, refused } = JSON.parse(
  readFileSync(join(ROOT, 'docs', 'vectors', 'signatures.json'), 'utf8'),
) as SignatureVectors;
const [plain] = accepted as [AcceptedVector];
const rotation = accepted.find((vector) => vector.next_secret !== undefined)!;
const MAX_BODY_BYTES = 1024 * 1024;

let folder: string;
let sender: HttpSender;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'everpost-receivers-')));
  sender = createHttpSender({ policy: { ...LOOPBACK_POLICY, allowHttp: true }, timeoutMs: 10_000, extraCaPem: [] });
});
afterAll(async () => {
  await sender.close();
  rmSync(folder, { recursive: true, force: true });
});

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** The vector as it would come at a time, with the signature of that time; as the file has it without one. */
async function send(
  receiver: ReceiverProcess,
  vector: AcceptedVector | RefusedVector,
  { at, headers = {} }: { at?: number | string; headers?: Readonly<Record<string, string>> } = { at: nowSeconds() },
): Promise<SendResult & Partial<Received>> {
  const body = Buffer.from(vector.body_base64, 'base64');
  const secrets = { current: vector.secret, ...('next_secret' in vector && { next: vector.next_secret }) };
  const signed = signDelivery({
    secrets,
    body,
    eventId: Number(vector.headers['X-Webhook-ID']),
    eventType: vector.headers['X-Webhook-Type']!,
    // Some of the times are none.
    timestampSeconds: at as number,
  });
  const all = { ...vector.headers, ...(at !== undefined && 'webhook-id' in vector.headers && signed), ...headers };
  const result = await sender.send({ url: receiver.url, headers: all, body });
  return { ...result, ...(await result.reading?.ended) };
}

/** A delivery that is signed now, as the worker signs it. */
function signNow(event: { id: number; data: Buffer; secrets: { current: string; next?: string } }) {
  const body = composeBody({ id: event.id, type: 'order.created', data: event.data, timestamp: nowSeconds() });
  const headers = signDelivery({
    secrets: event.secrets,
    body,
    eventId: event.id,
    eventType: 'order.created',
    timestampSeconds: nowSeconds(),
  });
  return { headers, body };
}

/** The status of a request that the sender would never make; 0 when the connection was closed instead. */
function ask(port: number, method: string, headers: Record<string, string>, body: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path: '/hook', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    outgoing.on('error', () => resolve(0));
    outgoing.end(body);
  });
}

function testReceiver(language: Language): void {
  let command: readonly string[];
  let receiver: ReceiverProcess;
  /** Holds the secret that the other's is being rotated to, and doesn't look at the time. */
  let rotated: ReceiverProcess;

  beforeAll(async () => {
    command = language.prepare(folder);
    receiver = await startReceiver(language, command, { folder, env: { WEBHOOK_SECRET: plain.secret } });
    const env = { WEBHOOK_SECRET: rotation.next_secret!, TIMESTAMP_TOLERANCE_SECONDS: '0' };
    rotated = await startReceiver(language, command, { folder, env });
    // A machine without a cache of Go's standard library has to compile it first.
  }, 120_000);
  afterAll(async () => {
    await receiver?.stop();
    await rotated?.stop();
  });

  it.each(accepted)('accepts $name', async (vector) => {
    expect(await send(receiver, vector)).toMatchObject({ succeeded: true, statusCode: 204 });
  });

  it.each(refused)('refuses $name', async (vector) => {
    expect(await send(receiver, vector)).toMatchObject({
      statusCode: 401,
      snippet: expect.stringContaining('wrong signature'),
    });
  });

  it('accepts the second signature when it has the new secret, and no other delivery', async () => {
    // As published, with times of long ago.
    expect(await send(rotated, rotation, {})).toMatchObject({ statusCode: 204 });
    expect(await send(rotated, plain, {})).toMatchObject({ statusCode: 401 });
  });

  it('accepts a delivery that is a few minutes late or early', async () => {
    for (const seconds of [-280, 280]) {
      expect(await send(receiver, plain, { at: nowSeconds() + seconds })).toMatchObject({ statusCode: 204 });
    }
  });

  it.each([
    ['old', () => nowSeconds() - 310],
    ['in the future', () => nowSeconds() + 310],
    ['long ago', () => Number(plain.headers['X-Webhook-Timestamp'])],
    ['in milliseconds', () => Date.now()],
    ['not a number', () => 'now'],
    ['empty', () => ''],
  ])('refuses a signed time that is %s', async (_name, at) => {
    expect(await send(receiver, plain, { at: at() })).toMatchObject({
      statusCode: 401,
      snippet: expect.stringContaining('stale timestamp'),
    });
  });

  it.each([
    ['its time, edited', () => ({ 'webhook-timestamp': String(nowSeconds()) })],
    ['its id, edited', () => ({ 'webhook-id': '1002' })],
    ['no timed signature', () => ({ 'webhook-signature': '' })],
    ['the untimed signature in its place', () => ({ 'webhook-signature': plain.headers['X-Webhook-Signature']! })],
  ])('refuses a delivery recorded long ago, with %s', async (_name, edited) => {
    const now = { 'X-Webhook-Timestamp': String(nowSeconds()) };
    expect(await send(receiver, plain, { headers: { ...now, ...edited() } })).toMatchObject({
      statusCode: 401,
      snippet: expect.stringContaining('wrong signature'),
    });
  });

  it('refuses another body with the signature of a genuine delivery', async () => {
    const { headers, body } = signNow({ id: 20_005, data: Buffer.from('{"n":1}'), secrets: { current: plain.secret } });
    const other = Buffer.from(body.toString().replace('"n":1', '"n":2'));
    expect(await sender.send({ url: receiver.url, headers, body: other })).toMatchObject({ statusCode: 401 });
  });

  it('handles a delivery once that is replayed with another X-Webhook-ID', async () => {
    const { headers, body } = signNow({ id: 20_004, data: Buffer.from('{"n":1}'), secrets: { current: plain.secret } });
    for (const id of ['20004', '999999', '']) {
      const replay = { ...headers, 'X-Webhook-ID': id };
      expect(await sender.send({ url: receiver.url, headers: replay, body })).toMatchObject({ statusCode: 204 });
    }
    await eventually(receiver.output, (output) => output.includes('handled event 20004'));
    expect(receiver.output().split('handled event 20004')).toHaveLength(2);
    expect(receiver.output()).not.toContain('999999');
  });

  it('handles an event once, however often it arrives', async () => {
    const { headers, body } = signNow({ id: 20_001, data: Buffer.from('{"n":1}'), secrets: { current: plain.secret } });
    const deliver = () => sender.send({ url: receiver.url, headers, body });
    const results = [...(await Promise.all([deliver(), deliver(), deliver()])), await deliver()];
    expect(results.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204]);
    await eventually(receiver.output, (output) => output.includes('handled event 20001'));
    expect(receiver.output().split('handled event 20001')).toHaveLength(2);
  });

  it('accepts a body of the largest size that Everpost sends', async () => {
    const data = Buffer.from(`"${'x'.repeat(256 * 1024)}"`);
    const { headers, body } = signNow({ id: 20_002, data, secrets: { current: plain.secret } });
    expect(await sender.send({ url: receiver.url, headers, body })).toMatchObject({ statusCode: 204 });
  });

  it('refuses a larger body, signed or not, and keeps working', async () => {
    const data = Buffer.from(`"${'x'.repeat(2 * MAX_BODY_BYTES)}"`);
    const { headers, body } = signNow({ id: 20_003, data, secrets: { current: plain.secret } });
    // Some close the connection at once, and their answer may get lost.
    const statuses = [
      await ask(receiver.port, 'POST', { ...headers, 'Content-Length': String(body.length) }, body),
      await ask(receiver.port, 'POST', { ...headers, 'Transfer-Encoding': 'chunked' }, body),
    ];
    for (const status of statuses) expect([0, 411, 413]).toContain(status);
    expect(receiver.output()).not.toContain('handled event 20003');
    expect(await send(receiver, plain)).toMatchObject({ statusCode: 204 });
  });

  it('accepts only POST', async () => {
    expect(await ask(receiver.port, 'GET', {}, Buffer.alloc(0))).toBeGreaterThanOrEqual(400);
  });

  it('accepts nothing without a secret', async () => {
    if (!language.startsWithoutSecret) {
      const { code, output } = await runReceiver(language, command, { folder, env: {} });
      expect(code).not.toBe(0);
      expect(output).toContain('Set WEBHOOK_SECRET');
      return;
    }
    const without = await startReceiver(language, command, { folder, env: {} });
    try {
      expect(await send(without, plain)).toMatchObject({ statusCode: 500 });
    } finally {
      await without.stop();
    }
  });
}

describe.each(LANGUAGES.filter(({ missing }) => !missing))('the receiver in $name', (language) => {
  testReceiver(language);
});

describe('the receiver in JavaScript', () => {
  it('passes a strict type check, with the types in its comments', () => {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--ignoreConfig', '--noEmit', '--checkJs', '--strict', '--module', 'nodenext', '--types', 'node'];
    const receiver = join(RECEIVERS, 'javascript', 'receiver.mjs');
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...flags, receiver], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });
});

/** Verifies one delivery with Python's `standardwebhooks`; prints the event's id. */
const STANDARD_WEBHOOKS_IN_PYTHON = `import base64, json, sys
from standardwebhooks.webhooks import Webhook
given = json.load(sys.stdin)
print(Webhook(given["secret"]).verify(base64.b64decode(given["body"]), given["headers"])["id"])
`;

async function verifyWithPython(): Promise<void> {
  const secrets = { current: plain.secret, next: rotation.next_secret! };
  const signed = signNow({ id: 30_001, data: Buffer.from('{"name":"Zoë 🎉"}'), secrets });
  const destination = await buildReceiver();
  const sent = await sender.send({ url: destination.url, ...signed });
  await destination.close();
  expect(sent).toMatchObject({ succeeded: true });
  const { headers, body } = destination.requests[0]!;
  const verify = (secret: string, bytes: Buffer) => {
    const input = JSON.stringify({ secret, headers, body: bytes.toString('base64') });
    return spawnSync('python3', ['-c', STANDARD_WEBHOOKS_IN_PYTHON], { input, encoding: 'utf8' });
  };
  expect(verify(secrets.current, body)).toMatchObject({ status: 0, stdout: '30001\n' });
  expect(verify(secrets.next, body)).toMatchObject({ status: 0, stdout: '30001\n' });
  const forged = verify(secrets.current, Buffer.concat([body, Buffer.from(' ')]));
  expect(forged.stderr).toContain('No matching signature found');
}

// Tests that can't run here are shown as skipped, with the reason, so that they don't count as passed.
const pythonLacks = lacking('python3', ['-c', 'import standardwebhooks']);
const skipped = [
  ...LANGUAGES.flatMap(({ name, missing }) => (missing ? [`the receiver in ${name}: ${missing}`] : [])),
  ...(pythonLacks ? [`the Standard Webhooks library of Python: ${pythonLacks}; pip install standardwebhooks`] : []),
];
// oxlint-disable-next-line jest/no-disabled-tests, jest/expect-expect
if (skipped.length > 0) it.skip.each(skipped)('%s', () => undefined);

if (!pythonLacks) it('the Standard Webhooks library for Python verifies a real delivery', verifyWithPython);
