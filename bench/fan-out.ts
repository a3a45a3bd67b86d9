import { parseArgs } from 'node:util';
import { BSON, type Collection } from 'mongodb';
import { createAccountStore } from '../src/accounts/account-store';
import { FIRST_ATTEMPT_MODES } from '../src/domain/delivery-contract';
import { newId } from '../src/platform/ids';
import { createSecretBox } from '../src/platform/secret-box';
import { ENDPOINTS_COLLECTION, type Endpoint } from '../src/stores/endpoint-store';
import { EVENTS_COLLECTION, type StoredEvent } from '../src/stores/event-store';
import { arrivalsOf, lagsOf, ratesOf } from './arrivals';
import { pause } from './child';
import { startLoad } from './load';
import { publish } from './page';
import { meterCpu, percentile, rounded, whole } from './statistics';
import { startSystem, type System, type Tenant } from './system';

const WIDTHS = [1, 5, 50, 100, 500, 1_000, 5_000];
/** The deliveries of each width: at least one event. */
const DELIVERIES = 5_000;
const WARM_UP = 500;
const CONCURRENCY = 16;
const DATA_BYTES = 1_024;
const LOOK_EVERY_MS = 200;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Measures what an event costs that goes to many endpoints: up to 5,000, although an account can register only 100. The
 * others are put into the database. `--mode` sets `FIRST_ATTEMPT`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { mode: { type: 'string', default: 'express' }, page: { type: 'string' } } });
  const mode = FIRST_ATTEMPT_MODES.find((name) => name === values.mode);
  if (!mode) throw new Error(`Modes: ${FIRST_ATTEMPT_MODES.join(', ')}`);
  const system = await startSystem({ say, mode });
  try {
    const tenant = await system.addTenant();
    const load = startLoad({ url: tenant.url, key: tenant.key, dataBytes: DATA_BYTES });
    let delivered = 0;
    const deliver = async (events: number, width: number) => {
      const ingested = await load.burst(events, CONCURRENCY);
      delivered += events * width;
      const arrivals = await arrivalsOf(system.receiver, delivered);
      return { perSecond: ratesOf(ingested, arrivals).delivered, ingested, lags: lagsOf(ingested, arrivals) };
    };
    await deliver(WARM_UP, 1);
    const rows: Row[] = [];
    for (const width of WIDTHS) {
      await widen(system, tenant, width);
      const events = Math.ceil(DELIVERIES / width);
      say(`${events} events to ${width} endpoints`);
      const { everpost, servers } = system;
      const cpuPer1000 = meterCpu({
        everpost: everpost.pid!,
        mongod: servers.mongod.pid,
        temporal: servers.temporal.pid,
      });
      const { perSecond, ingested, lags } = await deliver(events, width);
      const bytes = await settledBytes(system, ingested[0]!.eventId);
      const cpu = Object.values(cpuPer1000(lags.length));
      rows.push({ width, events, perSecond, lags, ingestMs: ingested.map(({ latencyMs }) => latencyMs), cpu, bytes });
    }
    load.close();
    publish('fan-out', tableOf(rows));
  } finally {
    await system.close();
  }
}

interface Row {
  readonly width: number;
  readonly events: number;
  readonly perSecond: number;
  readonly lags: readonly number[];
  readonly ingestMs: readonly number[];
  /** Seconds for 1,000 deliveries: Everpost, mongod, Temporal. */
  readonly cpu: readonly number[];
  /** Of one event. */
  readonly bytes: number;
}

function tableOf(rows: readonly Row[]): string {
  return [
    '| Endpoints of an event | Events | Deliveries/s | Arrival p50 / p99, ms | Ingest p50, ms | CPU s per 1,000: Everpost, mongod, Temporal | One event, KB |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ width, events, perSecond, lags, ingestMs, cpu, bytes }) => {
      const arrival = `${whole(percentile(lags, 0.5))} / ${whole(percentile(lags, 0.99))}`;
      const ingest = rounded(percentile(ingestMs, 0.5));
      return `| ${whole(width)} | ${whole(events)} | ${whole(perSecond)} | ${arrival} | ${ingest} | ${cpu.join(', ')} | ${rounded(bytes / 1_024)} |`;
    }),
  ].join('\n');
}

/** Copies the tenant's endpoint until there are that many, with a path and a secret for each. */
async function widen({ mongo, config }: System, tenant: Tenant, width: number): Promise<void> {
  const endpoints: Collection<Endpoint> = mongo.db.collection(ENDPOINTS_COLLECTION);
  const model = (await endpoints.findOne({ _id: tenant.endpointId }))!;
  const present = await endpoints.countDocuments({ account_id: model.account_id });
  const box = createSecretBox(config.encryptionKeys);
  const secret = box.open(model.secret, model._id);
  const copies = Array.from({ length: width - present }, (_, index): Endpoint => {
    const [id, slot] = [newId('ep'), present + index];
    return { ...model, _id: id, slot, url: `${model.url}/${slot}`, secret: box.seal(secret, id) };
  });
  if (copies.length > 0) await endpoints.insertMany(copies);
  await createAccountStore(mongo.db).bumpEndpointsVersion(model.account_id);
}

/** Waits until the answers of the latest deliveries are recorded. @returns the size of an event */
async function settledBytes({ mongo }: System, eventId: number): Promise<number> {
  const events: Collection<StoredEvent> = mongo.db.collection(EVENTS_COLLECTION);
  while ((await events.countDocuments({ unfinished: { $gt: 0 } })) > 0) await pause(LOOK_EVERY_MS);
  return BSON.calculateObjectSize((await events.findOne({ _id: eventId }))!);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
