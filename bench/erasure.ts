import { Timestamp, type Collection } from 'mongodb';
import { createManagementKey } from '../src/keys/manage-management-keys';
import { createManagementKeyStore } from '../src/keys/management-key-store';
import { BY_COMMAND_LINE } from '../src/domain/audit-actions';
import { systemClock } from '../src/platform/clock';
import type { StoredEvent } from '../src/stores/event-store';
import { pause } from './child';
import { startLoad } from './load';
import { percentile, quantiles, rounded } from './statistics';
import { startSystem, type System } from './system';

const EVENTS = 100_000;
const INSERTED_AT_ONCE = 5_000;
const DATA_BYTES = 1_024;
const PER_SECOND = 20;
/** Of the neighbour alone, before and after. */
const SECONDS = 20;
/** Of the neighbour beside the erasure, again and again. */
const SLICE_SECONDS = 2;
const POLL_MS = 100;
/** So far below are the ids of copies: others got those close by. */
const OTHER_IDS = 1_000_000_000;
const VALUE = { customer_id: 'cus_1' };

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Measures an erasure of 100,000 events of 1 KB by a search value, and the ingest of another tenant alone and beside it.
 */
async function main(): Promise<void> {
  const system = await startSystem({ say, extraBytes: 1024 ** 3 });
  const neighbour = await system.addTenant();
  const load = startLoad({ ...neighbour, dataBytes: DATA_BYTES });
  try {
    await load.burst(50, 8);
    const erased = await fillAccount(system);
    const alone = await latencies(load, SECONDS);
    say(`erasing ${EVENTS} events`);
    const startedAt = performance.now();
    let tookMs = 0;
    const erasure = eraseAll(system, erased.accountId).then(() => (tookMs = performance.now() - startedAt));
    const beside: number[] = [];
    while (tookMs === 0) beside.push(...(await latencies(load, SLICE_SECONDS)));
    await erasure;
    alone.push(...(await latencies(load, SECONDS)));
    const result = {
      events: EVENTS,
      seconds: rounded(tookMs / 1_000, 1),
      events_per_second: Math.round(EVENTS / (tookMs / 1_000)),
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

async function latencies(load: ReturnType<typeof startLoad>, seconds: number): Promise<number[]> {
  return (await load.openLoop(PER_SECOND, seconds)).map(({ latencyMs }) => latencyMs);
}

/** Makes an account with copies of an event that it has ingested and delivered, and of its attempt. */
async function fillAccount({ mongo, url, addTenant }: System): Promise<{ readonly accountId: string }> {
  const { key, endpointId } = await addTenant();
  const accounts = mongo.db.collection<{ _id: string }>('accounts');
  const endpoint = await mongo.db
    .collection<{ _id: string; account_id: string }>('endpoints')
    .findOne({ _id: endpointId });
  const accountId = endpoint!.account_id;
  await accounts.updateOne({ _id: accountId }, { $set: { search_fields: ['customer_id'] } });
  const body = JSON.stringify({ type: 'order.created', data: { ...VALUE, text: 'x'.repeat(DATA_BYTES) } });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const accepted = await fetch(`${url}/api/v1/webhooks/events`, { method: 'POST', headers, body });
  const { id } = (await accepted.json()) as { id: number };
  const events: Collection<StoredEvent> = mongo.db.collection('events');
  const attempts = mongo.db.collection<{ _id: string; event_id: number }>('attempts');
  while ((await events.countDocuments({ _id: id, unfinished: 0 })) === 0) await pause(POLL_MS);
  const [event, attempt] = [(await events.findOne({ _id: id }))!, (await attempts.findOne({ event_id: id }))!];
  say(`${EVENTS} events are stored`);
  for (let at = 1; at < EVENTS; at += INSERTED_AT_ONCE) {
    const ids = Array.from({ length: Math.min(INSERTED_AT_ONCE, EVENTS - at) }, (_, n) => id - OTHER_IDS - at - n);
    await events.insertMany(ids.map((_id) => ({ ...event, _id, accepted_at: new Timestamp({ t: 1, i: id - _id }) })));
    await attempts.insertMany(
      ids.map((eventId) => ({ ...attempt, _id: `${eventId}.${endpointId}/1/1`, event_id: eventId })),
    );
  }
  return { accountId };
}

/** Erases everything of the account that has the value, by the API. */
async function eraseAll({ mongo, url }: System, accountId: string): Promise<void> {
  const deps = { managementKeys: createManagementKeyStore(mongo.db), clock: systemClock };
  const { key } = await createManagementKey(deps, { label: 'bench' }, BY_COMMAND_LINE);
  const headers = {
    Authorization: `Bearer ${key}`,
    'Everpost-Account': accountId,
    'Content-Type': 'application/json',
  };
  const path = `${url}/api/v1/webhooks/erasures`;
  const body = JSON.stringify({ data: `customer_id:${VALUE.customer_id}` });
  let answer = await fetch(path, { method: 'POST', headers, body });
  for (;;) {
    const erasure = (await answer.json()) as { id: string; state: string; erased: number };
    if (!answer.ok) throw new Error(`nothing was erased: ${JSON.stringify(erasure)}`);
    if (erasure.state === 'completed') {
      if (erasure.erased !== EVENTS) throw new Error(`the erasure erased ${erasure.erased} events`);
      return;
    }
    await pause(POLL_MS);
    answer = await fetch(`${path}/${erasure.id}`, { headers });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
