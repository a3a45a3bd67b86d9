import { Agent, request } from 'node:http';
import { preciseNowMs } from './statistics';

/** One ingest as the client saw it. */
export interface Ingested {
  readonly eventId: number;
  readonly sentAtMs: number;
  readonly latencyMs: number;
}

/** Posts events over kept-alive connections. */
export interface Load {
  /** Posts `count` events with `concurrency` at a time, as fast as they are accepted. */
  burst(count: number, concurrency: number): Promise<Ingested[]>;
  /** Posts `perSecond` events a second for `seconds`, whether or not earlier ones are answered (an open loop). */
  openLoop(perSecond: number, seconds: number): Promise<Ingested[]>;
  close(): void;
}

const DATA = {
  order_id: 'ord_0123456789',
  customer: { id: 42, name: 'A. Customer' },
  lines: Array.from({ length: 16 }, (_, line) => ({ sku: `sku-${line}`, quantity: 2, price: 9.99 })),
};

/** @param url base address of the API */
export function createLoad(url: string, key: string): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const body = Buffer.from(JSON.stringify({ type: 'order.created', data: DATA }));
  const post = (): Promise<Ingested> =>
    new Promise((resolve, reject) => {
      const sentAtMs = preciseNowMs();
      const headers = {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      };
      const outgoing = request(`${url}/api/v1/webhooks/events`, { method: 'POST', agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode !== 202) return reject(new Error(`ingest answered ${response.statusCode}: ${text}`));
          resolve({ eventId: JSON.parse(text).id, sentAtMs, latencyMs: preciseNowMs() - sentAtMs });
        });
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  return {
    async burst(count, concurrency) {
      const done: Ingested[] = [];
      let left = count;
      const lane = async (): Promise<void> => {
        while (left-- > 0) done.push(await post());
      };
      await Promise.all(Array.from({ length: concurrency }, lane));
      return done;
    },
    openLoop: (perSecond, seconds) =>
      new Promise((resolve, reject) => {
        const posts: Promise<Ingested>[] = [];
        const startedAt = performance.now();
        const timer = setInterval(() => {
          const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
          while (posts.length < due) posts.push(post());
          if (posts.length < perSecond * seconds) return;
          clearInterval(timer);
          Promise.all(posts).then(resolve, reject);
        }, 5);
      }),
    close: () => agent.destroy(),
  };
}
