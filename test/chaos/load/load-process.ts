// Posts events at a steady pace from a separate process, like a careful client: each with an idempotency key, and again
// with the same key, to the other API, after a broken connection or a 5xx. Answers are on disk, synced, before they are
// counted.

import { randomBytes } from 'node:crypto';
import { closeSync, fdatasync, openSync, write } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pass } from 'node:timers/promises';
import { promisify } from 'node:util';
import { answerParent } from '../cluster/child';
import type { LedgerLine } from './ledger';
import type { LoadMessage, LoadProgress, LoadSettings } from './load';

const PATIENCE_MS = 180_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** The most requests that a client has under way; while all wait for an answer it sends no new ones. */
const MAX_UNDER_WAY = 400;
const REQUEST_TIMEOUT_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 128 });
const counted = { sent: 0, acknowledged: 0, gaveUp: 0 };
const underWay = new Set<Promise<void>>();
let settings: LoadSettings;
let ledger = 0;
let timer: NodeJS.Timeout | undefined;

let waiting: { text: string; resolve: () => void }[] = [];
let syncing = false;

/** Resolves when the line is on disk. */
function writeDown(line: LedgerLine): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ text: `${JSON.stringify(line)}\n`, resolve });
    void sync();
  });
}

async function sync(): Promise<void> {
  if (syncing) return;
  syncing = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await promisify(write)(ledger, Buffer.from(group.map(({ text }) => text).join('')));
    await promisify(fdatasync)(ledger);
    for (const { resolve } of group) resolve();
  }
  syncing = false;
}

type Answer = Pick<LedgerLine, 'status' | 'id' | 'duplicate' | 'retryAfter'>;

function post(url: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${settings.key}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const outgoing = request(`${url}/api/v1/webhooks/events`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve({ status: 0 }));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
        const text = Buffer.concat(chunks).toString();
        const accepted = status === 200 || status === 202;
        const said = accepted ? (JSON.parse(text) as { id: number; duplicate: boolean }) : undefined;
        resolve({
          status,
          ...(said && { id: said.id, duplicate: said.duplicate }),
          ...(Number.isFinite(retryAfter) && { retryAfter }),
        });
      });
    });
    outgoing.setTimeout(REQUEST_TIMEOUT_MS, () => outgoing.destroy());
    outgoing.on('error', () => resolve({ status: 0 }));
    outgoing.end(body);
  });
}

async function send(serial: number): Promise<void> {
  // By chance, so that no database makes it smaller.
  const padding = settings.padding > 0 ? { padding: randomBytes(settings.padding).toString('base64') } : {};
  const event = { type: settings.type, data: { serial, ...padding }, idempotency_key: `${settings.tenant}-${serial}` };
  const body = Buffer.from(JSON.stringify(event));
  const giveUpAt = Date.now() + PATIENCE_MS;
  let pauseMs = FIRST_PAUSE_MS;
  for (let number = 1; ; number += 1) {
    const api = (serial + number) % settings.urls.length;
    const sentAt = Date.now();
    const answer = await post(settings.urls[api]!, body);
    await writeDown({ serial, try: number, sentAt, answeredAt: Date.now(), api, ...answer });
    if (answer.id !== undefined) {
      counted.acknowledged += 1;
      return;
    }
    if (Date.now() > giveUpAt || (answer.status >= 400 && answer.status < 500)) {
      counted.gaveUp += 1;
      return;
    }
    await pass(answer.retryAfter === undefined ? pauseMs : Math.min(answer.retryAfter * 1_000, MAX_PAUSE_MS));
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
}

function start(wanted: LoadSettings): void {
  settings = wanted;
  ledger = openSync(wanted.ledgerFile, 'a');
  const startedAt = performance.now();
  let skippedTicks = 0;
  timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * wanted.perSecond) - skippedTicks;
    while (counted.sent < due) {
      if (underWay.size >= MAX_UNDER_WAY) {
        skippedTicks += due - counted.sent;
        return;
      }
      counted.sent += 1;
      const sending = send(counted.sent).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  }, 5);
}

answerParent(async (message: LoadMessage) => {
  if (message.kind === 'start') start(message.settings);
  if (message.kind === 'stop') {
    clearInterval(timer);
    await Promise.all(underWay);
    closeSync(ledger);
  }
  return { ...counted } satisfies LoadProgress;
});
