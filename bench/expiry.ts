import { parseArgs } from 'node:util';
import { Binary, Timestamp, type Collection } from 'mongodb';
import { ATTEMPTS_COLLECTION, type Attempt } from '../src/stores/attempt-store';
import { EVENTS_COLLECTION, type StoredEvent } from '../src/stores/event-store';
import { pause } from './child';
import { startLoad, type Load } from './load';
import { percentile, quantiles, rounded } from './statistics';
import { register, startSystem, type System } from './system';

const DATA_BYTES = 1_024;
const PER_SECOND = 20;
const SECONDS = 10;
const BATCH = 5_000;
/** Deletes that each accepted event needs in the end: its own, and that of one attempt. */
const DELETES_PER_EVENT = 2;
const POLL_MS = 250;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Measures how many expired events and attempts a second MongoDB's TTL monitor deletes, alone and beside the ingest of a
 * tenant, and what the ingest notices of it.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { expired: { type: 'string', default: '200000' } } });
  const count = Number(values.expired);
  const system = await startSystem({ say });
  const { key } = await register(system.config, system.mongo, system.url, { name: 'expiry' }, [
    `https://127.0.0.1:${system.config.delivery.policy.allowPorts[0]!.from}/expiry`,
  ]);
  const load = startLoad({ url: system.url, key, dataBytes: DATA_BYTES });
  try {
    await load.burst(50, 8);
    const monitor = ttlMonitorOf(system);
    const ingestAlone = await ingest(load);
    const alone = await deleted(system, monitor, count, () => Promise.resolve());
    const beside: number[] = [];
    const besideIngest = await deleted(system, monitor, count, async (isOver) => {
      while (!isOver()) beside.push(...(await ingest(load)));
    });
    const result = {
      expired_events_and_attempts: 2 * count,
      deletes_per_s: { alone: rounded(alone), beside_ingest: rounded(besideIngest) },
      ratio_to_needed_at_1000_events_per_s: rounded(besideIngest / (1_000 * DELETES_PER_EVENT), 2),
      ingest_per_s: PER_SECOND,
      ingest_alone_ms: quantiles(ingestAlone),
      ingest_beside_ms: quantiles(beside),
      p99_ratio: rounded(percentile(beside, 0.99) / percentile(ingestAlone, 0.99), 2),
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } finally {
    load.close();
    await system.close();
  }
}

async function ingest(load: Load): Promise<number[]> {
  return (await load.openLoop(PER_SECOND, SECONDS)).map(({ latencyMs }) => latencyMs);
}

type TtlMonitor = ReturnType<typeof ttlMonitorOf>;

function ttlMonitorOf({ mongo }: System) {
  const admin = mongo.db.admin();
  return {
    set: (isOn: boolean) => admin.command({ setParameter: 1, ttlMonitorSleepSecs: 1, ttlMonitorEnabled: isOn }),
    /** Documents that it has deleted since the start of MongoDB. */
    async deletedDocuments(): Promise<number> {
      const { metrics } = await admin.command({ serverStatus: 1 });
      return Number(metrics.ttl.deletedDocuments);
    },
  };
}

/**
 * Has so many expired events, and an attempt of each, deleted.
 *
 * @param meanwhile runs until it is over
 * @returns deleted documents a second
 */
async function deleted(
  system: System,
  monitor: TtlMonitor,
  count: number,
  meanwhile: (isOver: () => boolean) => Promise<void>,
): Promise<number> {
  await monitor.set(false);
  say(`${count} expired events and attempts are stored`);
  await storeExpired(system, count);
  const before = await monitor.deletedDocuments();
  let isOver = false;
  await monitor.set(true);
  const other = meanwhile(() => isOver);
  const until = async (atLeast: number): Promise<number> => {
    for (;;) {
      const gone = (await monitor.deletedDocuments()) - before;
      if (gone >= atLeast) return gone;
      await pause(POLL_MS);
    }
  };
  // The monitor may sleep at first, and then counts whole batches.
  const first = await until(1);
  const startedAt = performance.now();
  await until(2 * count);
  const seconds = (performance.now() - startedAt) / 1_000;
  isOver = true;
  await other;
  return (2 * count - first) / seconds;
}

/** Copies an event of the tenant and its attempt. Their ids are lower than any that is given out. */
async function storeExpired({ mongo }: System, count: number): Promise<void> {
  const events: Collection<StoredEvent> = mongo.db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = mongo.db.collection(ATTEMPTS_COLLECTION);
  const attempt = (await attempts.findOne({ 'answer.succeeded': true }))!;
  const event = (await events.findOne({ _id: attempt.event_id }))!;
  const data = new Binary(Buffer.from(JSON.stringify({ text: 'x'.repeat(DATA_BYTES - 11) })));
  const expired = { expires_at: new Date(0) };
  for (let from = 1; from <= count; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, index) => from + index);
    const accepted = new Timestamp({ t: 0, i: 0 });
    await events.insertMany(
      ids.map((_id) => ({ ...event, ...expired, _id, data, idempotency_key: null, accepted_at: accepted })),
      { ordered: false },
    );
    await attempts.insertMany(
      ids.map((id) => ({ ...attempt, ...expired, _id: `${id}.${attempt.endpoint_id}/1/1`, event_id: id })),
      { ordered: false },
    );
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
