import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Ingested, LoadTarget, LoadTask } from './load';
import { preciseNowMs } from './statistics';

const { url, key, dataBytes, data: given, skipsRefused } = JSON.parse(process.argv[2]!) as LoadTarget;
const keys = [key].flat();
let sent = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const data = given ?? { order_id: 'ord_0123456789', total: 19.99, text: 'x'.repeat(Math.max(0, dataBytes - 60)) };

process.on('message', (task: LoadTask) => {
  const sending = task.kind === 'burst' ? burst(task.count, task.concurrency) : openLoop(task.perSecond, task.seconds);
  sending.then(
    (ingested) => process.send?.({ kind: 'ingested', ingested }),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));

async function burst(count: number, concurrency: number): Promise<Ingested[]> {
  const done: Ingested[] = [];
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const ingested = await post();
      if (ingested) done.push(ingested);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return done;
}

function openLoop(perSecond: number, seconds: number): Promise<Ingested[]> {
  return new Promise((resolve, reject) => {
    const posts: Promise<Ingested | undefined>[] = [];
    const startedAt = performance.now();
    const timer = setInterval(() => {
      const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
      while (posts.length < due) posts.push(post());
      if (posts.length < perSecond * seconds) return;
      clearInterval(timer);
      Promise.all(posts).then((answers) => resolve(answers.filter((answer) => answer !== undefined)), reject);
    }, 5);
  });
}

/** @returns undefined for an event that was refused and may be */
function post(): Promise<Ingested | undefined> {
  const body = JSON.stringify({ type: 'order.created', idempotency_key: randomUUID(), data });
  const headers = {
    Authorization: `Bearer ${keys[sent++ % keys.length]}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sentAtMs = preciseNowMs();
    const outgoing = request(`${url}/api/v1/webhooks/events`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 503 && skipsRefused) return resolve(undefined);
        if (response.statusCode !== 202) return reject(new Error(`ingest answered ${response.statusCode}: ${text}`));
        resolve({ eventId: JSON.parse(text).id, sentAtMs, latencyMs: preciseNowMs() - sentAtMs });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
