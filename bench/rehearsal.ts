import { Binary, Timestamp } from 'mongodb';
import type { StoredEvent } from '../src/stores/event-store';
import { pause } from './child';
import { startLoad } from './load';
import { percentile, quantiles, rounded } from './statistics';
import { register, startSystem, type System } from './system';

const EVENTS = 10_000;
const DATA_BYTES = 1_024;
const PER_SECOND = 20;
const SECONDS = 10;
const ROUNDS = 3;
const POLL_MS = 50;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Measures how long a rehearsal over 10,000 events of 1 KB takes, and the ingest of the same tenant with and without
 * rehearsals that follow each other, in turn.
 */
async function main(): Promise<void> {
  const system = await startSystem({ say });
  const { key, endpointIds } = await register(system.config, system.mongo, system.url, { name: 'rehearsal' }, [
    `https://127.0.0.1:${system.config.delivery.policy.allowPorts[0]!.from}/rehearsal`,
  ]);
  const load = startLoad({ url: system.url, key, dataBytes: DATA_BYTES });
  try {
    say(`${EVENTS} events are stored`);
    await load.burst(50, 8);
    await storeEvents(system);
    const rehearse = () => rehearsalMs(system.url, key, endpointIds[0]!);
    await rehearse();
    const alone: number[] = [];
    const beside: number[] = [];
    const took: number[] = [];
    const ingest = async (): Promise<number[]> =>
      (await load.openLoop(PER_SECOND, SECONDS)).map(({ latencyMs }) => latencyMs);
    for (let round = 1; round <= ROUNDS; round += 1) {
      say(`round ${round} of ${ROUNDS}`);
      alone.push(...(await ingest()));
      let isOver = false;
      const rehearsing = (async () => {
        while (!isOver) took.push(await rehearse());
      })();
      beside.push(...(await ingest()));
      isOver = true;
      await rehearsing;
    }
    const result = {
      rehearsals: took.length,
      rehearsal_ms: { p50: Math.round(percentile(took, 0.5)), max: Math.round(Math.max(...took)) },
      ingest_alone_ms: quantiles(alone),
      ingest_beside_ms: quantiles(beside),
      p99_ratio: rounded(percentile(beside, 0.99) / percentile(alone, 0.99), 2),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } finally {
    load.close();
    await system.close();
  }
}

/** Stores events of the tenant that has ingested some, without deliveries. */
async function storeEvents({ mongo }: System): Promise<void> {
  const events = mongo.db.collection<StoredEvent>('events');
  // What is sealed can only be opened in its place.
  const first = (await events.findOne({}, { projection: { sealed_data: 0 } }))!;
  const customer = { name: 'Zoë', email: 'zoe@example.com' };
  const data = JSON.stringify({ total: 5, customer, text: 'x'.repeat(DATA_BYTES - 80) });
  const now = Math.floor(Date.now() / 1_000);
  await events.insertMany(
    Array.from({ length: EVENTS }, (_, index): StoredEvent => ({
      ...first,
      _id: 1 + index,
      type: `type.${index % 20}`,
      data: new Binary(Buffer.from(data)),
      timestamp: now - index,
      accepted_at: new Timestamp({ t: now - index, i: 1 }),
      idempotency_key: null,
      destinations: [],
      unfinished: 0,
      finished_at: new Date(),
    })),
  );
}

/** A change of patterns, filter, shape and masks, rehearsed until its result is there. @returns milliseconds */
async function rehearsalMs(url: string, key: string, id: string): Promise<number> {
  const path = `${url}/api/v1/webhooks/rehearsals`;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const options = { filter: { total: { $gte: 1 } }, body: 'cloudevents', exclude: ['customer.email'] };
  const body = { change: { endpoint: { id, events: ['type.*'], options } }, limit: EVENTS };
  const startedAt = performance.now();
  let answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  for (;;) {
    const rehearsal = (await answer.json()) as { id: string; state: string; result?: { events: number } };
    if (!answer.ok) throw new Error(`the change was not rehearsed: ${JSON.stringify(rehearsal)}`);
    if (rehearsal.state !== 'running') {
      if (rehearsal.result?.events !== EVENTS) throw new Error(`the rehearsal read ${rehearsal.result?.events} events`);
      return performance.now() - startedAt;
    }
    await pause(POLL_MS);
    answer = await fetch(`${path}/${rehearsal.id}`, { headers });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
