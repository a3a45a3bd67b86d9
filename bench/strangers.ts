import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config';
import { endWithUs } from '../dev/reaper';
import { makeThrowawayFolder, startOwnMongod } from '../dev/servers';
import { ask, pause } from './child';
import { STRANGER_ROUTES, type StrangerRoute } from './stranger-routes';
import { publish } from './page';
import { rounded } from './statistics';

/** Calls to the whole process until its code is compiled, and calls of each case. */
const FIRST_CALLS = 2_000;
const WARM_UP = 5;
/** The cheapest of this many rounds counts: other load makes a round dearer, never cheaper. */
const ROUNDS = 5;
const CALLS = 6;
/** So many that what the process itself does meanwhile makes no difference. */
const CONNECTIONS = 200;
const MAX_LOOKS = 20;
/** A call without an answer must not delay the others. */
const CALL_TIMEOUT_MS = 20_000;
/** The limit of the rule for a call before authentication. */
const MAX_MS = 2;
const MAX_KIB = 16;
/** The size of a body to a route that reads none. */
const REFUSED_BYTES = 256 * 1_024;
/** Just below the limit. */
const HEADER_BYTES = 8_100;
/** So much of a body arrives byte by byte. */
const DRIPPED_BYTES = 1_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Hostile bodies of about this many bytes. */
const BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'large body': (bytes) => `{"a":"${'x'.repeat(bytes - 8)}"}`,
  'deep JSON': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'unknown keys': (bytes) => `{${Array.from({ length: bytes / 16 }, (_, at) => `"k${at}":${at}`).join(',')}}`,
  'misspelt names': () =>
    JSON.stringify({
      items: Array.from({ length: 100 }, (_, at) => ({ provider: 'aws', service: `Lambda and ${at}`, quantity: 1 })),
    }),
  'long names': (bytes) =>
    JSON.stringify({
      items: Array.from({ length: 100 }, () => ({
        provider: 'aws',
        service: 'x'.repeat(Math.max(1, Math.floor(bytes / 110) - 50)),
        quantity: 1,
      })),
    }),
};

/** A request with invalid credentials, different each time. */
function headOf({ method, path }: StrangerRoute, framing: string, filler = 0): string {
  const key = randomBytes(16).toString('hex');
  const head =
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n` +
    `Authorization: Bearer svc_live_weh_${key}\r\nX-Api-Key: svc_live_weh_${key}\r\n` +
    `Cookie: everpost_session=${randomBytes(32).toString('base64url')}\r\n${framing}`;
  return filler === 0 ? `${head}\r\n` : `${head}X-Long: ${'x'.repeat(filler - head.length)}\r\n\r\n`;
}

/** Strangers may use the estimator without a key; with an invalid one they are refused earlier. */
const withoutKey = (head: string): string => head.replace(/X-Api-Key:.*\r\n/, '');

/** The calls that are tried on a route. */
function casesOf(route: StrangerRoute): Record<string, () => string> {
  const bytes = route.reads === 0 ? REFUSED_BYTES : route.reads;
  const withBody = (body: string) => (): string =>
    withoutKey(headOf(route, `Content-Length: ${body.length}\r\n`)) + body;
  const bodies = route.method === 'GET' ? [] : Object.entries(BODIES);
  return {
    'unknown credentials': () => headOf(route, ''),
    'large headers': () => headOf(route, '', HEADER_BYTES),
    ...Object.fromEntries(bodies.map(([name, build]) => [name, withBody(build(bytes).slice(0, bytes))])),
  };
}

async function dial(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends one request on a connection and reads its whole answer; a closed connection counts as an answer. */
async function exchange(url: string, request: string): Promise<void> {
  const socket = await dial(url);
  socket.setTimeout(CALL_TIMEOUT_MS, () => socket.destroy());
  socket.write(request.replace('\r\n', '\r\nConnection: close\r\n'));
  await new Promise((resolve) => socket.on('data', () => undefined).once('close', resolve));
}

const cpuOf = async (child: ChildProcess): Promise<number> =>
  (await ask<{ nanoseconds: number }>(child, { kind: 'cpu' }, 'cpu')).nanoseconds / 1e6;
const heapOf = async (child: ChildProcess): Promise<number> =>
  (await ask<{ bytes: number }>(child, { kind: 'heap' }, 'heap')).bytes / 1_024;

/**
 * The heap once it no longer changes: a busy machine needs time to read the requests, or to notice that a client left.
 */
async function settledHeapOf(child: ChildProcess): Promise<number> {
  let last = await heapOf(child);
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    await pause(200);
    const now = await heapOf(child);
    if (Math.abs(now - last) < CONNECTIONS) return now;
    last = now;
  }
  return last;
}

/** The dearest of a route's cases, in milliseconds of the event loop's thread for each call. */
async function timeOf(child: ChildProcess, url: string, route: StrangerRoute): Promise<{ ms: number; name: string }> {
  let dearest = { ms: 0, name: '' };
  for (const [name, build] of Object.entries(casesOf(route))) {
    for (let call = 0; call < WARM_UP; call += 1) await exchange(url, build());
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await cpuOf(child);
      for (let call = 0; call < CALLS; call += 1) await exchange(url, build());
      ms = Math.min(ms, ((await cpuOf(child)) - before) / CALLS);
    }
    if (ms > dearest.ms) dearest = { ms, name };
  }
  return dearest;
}

/**
 * The memory that the process holds for a call that has sent its largest headers and all but the end of its body.
 *
 * @param dripped how many bytes of the body arrive one by one
 */
async function memoryOf(
  child: ChildProcess,
  url: string,
  { route, dripped }: { route: StrangerRoute; dripped: number },
): Promise<number> {
  const bytes = route.reads === 0 ? REFUSED_BYTES : route.reads;
  const body = route.method === 'GET' ? '' : 'x'.repeat(bytes - 1);
  const framing = body === '' ? '' : `Content-Length: ${bytes}\r\n`;
  const before = await heapOf(child);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => dial(url)));
  for (const socket of sockets) {
    // It does not read: its answers wait in the process and in the system.
    socket.pause();
    socket.write(withoutKey(headOf(route, framing, HEADER_BYTES)) + body.slice(dripped));
  }
  for (let byte = 0; byte < dripped; byte += 1) {
    for (const socket of sockets) socket.write('x');
    // Without a pause the system would join them.
    await pause(1);
  }
  const kib = ((await settledHeapOf(child)) - before) / CONNECTIONS;
  for (const socket of sockets) socket.destroy();
  await settledHeapOf(child);
  return Math.max(0, kib);
}

/** Prints the cost of every route before authentication. `-- --page <file>` writes it between the marks of a page. */
async function main(): Promise<void> {
  const folder = await makeThrowawayFolder();
  const mongod = await startOwnMongod({ config: loadConfig(), folder, onProgress: say }, 0);
  const child = fork(join(__dirname, 'strangers-process.js'), { execArgv: ['--expose-gc'] });
  endWithUs(child);
  try {
    const task = { kind: 'start', mongodbUri: mongod.uri };
    const { url } = await ask<{ url: string }>(child, task, 'listening');
    for (let call = 0; call < FIRST_CALLS; call += 1) {
      await exchange(url, headOf(STRANGER_ROUTES[call % STRANGER_ROUTES.length]!, ''));
    }
    const machine = `Node ${process.versions.node}, ${cpus().length} CPUs, load average ${rounded(loadavg()[0]!, 1)} before.`;
    const lines = [machine, '', '| Route | Event loop, ms | by | Memory, KiB | |', '| --- | --- | --- | --- | --- |'];
    for (const route of STRANGER_ROUTES) {
      const { ms, name } = await timeOf(child, url, route);
      const atOnce = await memoryOf(child, url, { route, dripped: 0 });
      const dripping = route.method === 'GET' ? 0 : await memoryOf(child, url, { route, dripped: DRIPPED_BYTES });
      const kib = Math.max(atOnce, dripping);
      const verdict = ms <= MAX_MS && kib <= MAX_KIB ? '' : '**more**';
      lines.push(`| \`${route.name}\` | ${rounded(ms, 2)} | ${name} | ${rounded(kib, 1)} | ${verdict} |`);
      say(lines.at(-1)!);
    }
    publish('strangers', lines.join('\n'));
  } finally {
    child.kill('SIGKILL');
    await mongod.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
