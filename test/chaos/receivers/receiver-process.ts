// Healthy receivers in a separate process. Each path behaves as configured; every request is logged twice, when it
// arrives and when it is answered, before the answer is sent.

import { createHash, createHmac } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../cluster/child';
import type { Behaviour, LogLine, ReceiverMessage } from './receiver-log';

const DEFAULT: Behaviour = { status: 200, delayMs: 0 };

const behaviours = new Map<string, Behaviour>();
const counts = new Map<string, number>();
let log = 0;
let requests = 0;

function write(line: LogLine): void {
  writeSync(log, `${JSON.stringify(line)}\n`);
}

/** The answer is a function of the event and of how often it came: the same in every run with the same ids. */
function statusOf({ status, failFirst = 0, failShare = 0 }: Behaviour, event: string, count: number): number {
  if (count <= failFirst) return 503;
  if (failShare === 0) return status;
  const [chance = 0] = createHash('sha256').update(`${event} ${count}`).digest();
  return chance < failShare * 256 ? 503 : status;
}

function take(request: IncomingMessage, response: ServerResponse): void {
  requests += 1;
  const number = requests;
  const path = request.url ?? '/';
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const { id, data } = JSON.parse(body.toString()) as { id: number; data?: { serial?: number } };
    const behaviour = behaviours.get(path) ?? DEFAULT;
    const count = (counts.get(`${path} ${id}`) ?? 0) + 1;
    counts.set(`${path} ${id}`, count);
    const genuine =
      behaviour.secret === undefined ||
      request.headers['x-webhook-signature'] ===
        `sha256=${createHmac('sha256', behaviour.secret).update(body).digest('hex')}`;
    write({ kind: 'in', at: Date.now(), number, path, id, serial: data?.serial ?? -1, genuine });
    let answered = false;
    response.once('close', () => {
      if (!answered) write({ kind: 'cut', at: Date.now(), number, path, id });
    });
    setTimeout(() => {
      if (response.destroyed) return;
      answered = true;
      const status = statusOf(behaviour, `${path} ${id}`, count);
      write({ kind: 'out', at: Date.now(), number, path, id, status });
      const { location } = behaviour;
      response.writeHead(status, { 'Content-Length': '2', ...(location && { Location: location }) }).end('ok');
    }, behaviour.delayMs);
  });
}

answerParent((message: ReceiverMessage) => {
  if (message.kind === 'behave') {
    behaviours.set(message.path, message.behaviour);
    return undefined;
  }
  log = openSync(message.logFile, 'a');
  const server = createServer({ key: message.key, cert: message.cert }, take);
  return new Promise((resolve) => {
    server.listen(0, message.host, () => resolve({ port: (server.address() as AddressInfo).port }));
  });
});
