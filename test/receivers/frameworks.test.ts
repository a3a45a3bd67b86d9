import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../dev/ports';
import type { BodyShape } from '../../src/domain/body-form';
import { createHttpSender, type HttpSender } from '../../src/sender/http-sender';
import { composeBody, signDelivery } from '../../src/sender/signature';
import { LOOPBACK_POLICY } from '../sender/receivers';
import { eventually } from '../support/eventually';
import { pythonTools, type PythonTools } from '../support/python-tools';
import { codeUnder, FRAMEWORKS, layOut, missingFor, type Framework } from './frameworks';

// The receivers of docs/frameworks.md, as a reader copies them, and the sender that makes real deliveries.

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** Bytes that a parser would change, and the largest that Everpost sends. */
const AWKWARD = '{"n":12345678901234567890,"x":1.0,"name":"Zoë 🎉","2":0,"1":0, "s": "\\u00eb"}';
const LARGEST = `{"text":"${'x'.repeat(256 * 1024 - 20)}"}`;
/** npm, pip and Go fetch what is not there yet. */
const PATIENCE_MS = 300_000;

let folder: string;
let python: PythonTools | undefined;
let sender: HttpSender;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'everpost-frameworks-'));
  python = await pythonTools();
  sender = createHttpSender({ policy: { ...LOOPBACK_POLICY, allowHttp: true }, timeoutMs: 30_000, extraCaPem: [] });
}, PATIENCE_MS);
afterAll(async () => {
  await sender?.close();
  rmSync(folder, { recursive: true, force: true });
});

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

interface Signing {
  readonly at?: number;
  readonly secret?: string;
  readonly shape?: BodyShape;
}

/** A delivery as the sender signs it. */
function sign(id: number, data: string, { at = nowSeconds(), secret = SECRET, shape = 'envelope' }: Signing = {}) {
  const envelope = composeBody({ id, type: 'order.created', data: Buffer.from(data), timestamp: at });
  const body = shape === 'data' ? Buffer.from(data) : envelope;
  const secrets = { current: secret };
  const headers = signDelivery({ secrets, body, eventId: id, eventType: 'order.created', timestampSeconds: at });
  return { body, headers: { 'Content-Type': 'application/json', ...headers } };
}

interface Running {
  readonly url: string;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

async function start(framework: Framework): Promise<Running> {
  const place = join(folder, framework.name.replaceAll('.', ''));
  layOut(framework, place);
  const port = await freePort();
  const [program, ...args] = framework.command(port, python?.python ?? 'python3');
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? place, PORT: String(port) };
  const child = spawn(program!, args, { cwd: place, env: { ...env, WEBHOOK_SECRET: SECRET } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const output = () => printed;
  const ready = () => accepts(port);
  await eventually(ready, (isReady) => isReady || child.exitCode !== null, 120_000);
  if (child.exitCode !== null) throw new Error(`the receiver with ${framework.name} did not start: ${printed}`);
  return { url: `http://127.0.0.1:${port}/hook`, output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe.each(FRAMEWORKS)('the receiver with $name', (framework) => {
  let receiver: Running | undefined;
  const statusOf = async (delivery: ReturnType<typeof sign>) =>
    (await sender.send({ url: receiver!.url, ...delivery })) as { statusCode?: number };

  beforeAll(async () => {
    const missing = missingFor(framework, python);
    if (missing) process.stderr.write(`SKIPPED: ${missing}, so the receiver with ${framework.name} did not run.\n`);
    else receiver = await start(framework);
  }, PATIENCE_MS);
  afterAll(() => receiver?.stop());

  it('has at most 15 lines besides what all of its language share', () => {
    const lines = codeUnder(framework.name)
      .split('\n')
      .filter((line) => line.trim() !== '');
    // Go's has the whole receiver.
    expect(lines.length).toBeLessThanOrEqual(framework.name === 'Go' ? 33 : 15);
  });

  it('accepts genuine deliveries of every size, and handles each event once', async () => {
    if (!receiver) return;
    const statuses = [];
    for (const delivery of [
      sign(1, AWKWARD),
      sign(1, AWKWARD),
      sign(2, LARGEST),
      sign(3, AWKWARD, { shape: 'data' }),
    ]) {
      statuses.push((await statusOf(delivery)).statusCode);
    }
    expect(statuses).toEqual([204, 204, 204, 204]);
    await eventually(receiver.output, (output) => output.includes('handled event 3'));
    expect(receiver.output().match(/handled event \d+/g)).toEqual([1, 2, 3].map((id) => `handled event ${id}`));
  });

  it('refuses another body, another secret, an edited id, a recorded delivery, and one without the timed signature', async () => {
    if (!receiver) return;
    const genuine = sign(11, AWKWARD);
    const recorded = sign(12, AWKWARD, { at: nowSeconds() - 90 * 86_400 });
    const deliveries = [
      { ...genuine, body: Buffer.from(genuine.body.toString().replace('1.0', '1.1')) },
      sign(13, AWKWARD, { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
      { ...genuine, headers: { ...genuine.headers, 'webhook-id': '14' } },
      recorded,
      { ...recorded, headers: { ...recorded.headers, 'webhook-timestamp': String(nowSeconds()) } },
      { ...genuine, headers: { ...genuine.headers, 'webhook-signature': '' } },
    ];
    const statuses = [];
    for (const delivery of deliveries) statuses.push((await statusOf(delivery)).statusCode);
    expect(statuses).toEqual(deliveries.map(() => 401));
    expect(receiver.output()).not.toMatch(/handled event 1\d/);
  });
});
