import type { Collection } from 'mongodb';
import { newId } from '../src/platform/ids';
import type { Endpoint } from '../src/stores/endpoint-store';
import type { StoredEvent } from '../src/stores/event-store';
import { arrivalsOf } from './arrivals';
import { pause } from './child';
import { rounded } from './statistics';
import type { System, Tenant } from './system';

/** Endpoints of others that are paused, with one held event each. */
const PAUSED = 5_000;
/** Paused endpoints of one account that one event waits for. */
const FAN_OUT = 40;
const RESUMED = 8;
const PER_SECOND = 0.5;
const TURNS = 6;
const PATIENCE_MS = 60_000;

/**
 * Measures what closed gates of others cost: how long 8 endpoints take from their resume to the POST, and how far apart
 * the deliveries of a slow rate are. First alone, then beside paused endpoints of others.
 */
export async function measureBesideOthers(system: System, say: (line: string) => void) {
  const alone = await measure(system);
  say(`${FAN_OUT} endpoints with one event, and ${PAUSED} with one each, are paused beside it`);
  await pauseOthers(system);
  return { alone, beside_paused: await measure(system) };
}

async function measure(system: System) {
  const [resumedMs, gapsMs] = await Promise.all([resumes(system), gaps(system)]);
  return { resume_to_post_ms: resumedMs, gaps_at_half_a_second_ms: gapsMs };
}

/** Milliseconds from each resume to the arrival of what the endpoint held; null if it did not come in a minute. */
async function resumes(system: System): Promise<(number | null)[]> {
  const tenants = await Promise.all(Array.from({ length: RESUMED }, () => system.addTenant()));
  const events = await Promise.all(
    tenants.map(async (tenant) => {
      await call(tenant, 'POST', `/endpoints/${tenant.endpointId}/pause`);
      return ingest(tenant);
    }),
  );
  const resumedAt = await Promise.all(
    tenants.map(async (tenant) => {
      await call(tenant, 'POST', `/endpoints/${tenant.endpointId}/resume`);
      return Date.now();
    }),
  );
  const arrivals = await arrivalsOfAll(system, events);
  return events.map((id, index) => arrivals.get(id)?.map((at) => Math.max(0, at - resumedAt[index]!))[0] ?? null);
}

/** Milliseconds between the deliveries of an endpoint with a slow rate. */
async function gaps(system: System): Promise<number[]> {
  const tenant = await system.addTenant();
  await call(tenant, 'PATCH', `/endpoints/${tenant.endpointId}`, { options: { max_per_second: PER_SECOND } });
  const events = await Promise.all(Array.from({ length: TURNS }, () => ingest(tenant)));
  const arrivals = await arrivalsOfAll(system, events);
  const times = events.flatMap((id) => arrivals.get(id) ?? []).toSorted((one, other) => one - other);
  return times.slice(1).map((at, index) => rounded(at - times[index]!));
}

async function arrivalsOfAll({ receiver }: System, events: readonly number[]) {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const arrivals = await arrivalsOf(receiver, 0);
    if (events.every((id) => arrivals.has(id)) || performance.now() > giveUpAt) return arrivals;
    await pause(200);
  }
}

/** The API would need an hour for thousands of endpoints: they are copies of the first ones. */
async function pauseOthers(system: System): Promise<void> {
  const { db } = system.mongo;
  const endpoints: Collection<Endpoint> = db.collection('endpoints');
  const events: Collection<StoredEvent> = db.collection('events');
  const tenant = await system.addTenant();
  await call(tenant, 'POST', `/endpoints/${tenant.endpointId}/pause`);
  const endpoint = (await endpoints.findOne({ _id: tenant.endpointId }))!;
  const event = (await events.findOne({ _id: await ingest(tenant) }))!;
  const destinationsOf = (ids: readonly string[]) =>
    ids.map((endpointId) => ({ ...event.destinations[0]!, endpoint_id: endpointId }));
  const copies = (count: number, accountIds: readonly string[]) =>
    Array.from({ length: count }, (_, slot) => ({
      ...endpoint,
      _id: newId('ep'),
      account_id: accountIds[slot % accountIds.length]!,
      slot: Math.floor(slot / accountIds.length),
    }));
  const fanned = copies(FAN_OUT, [newId('acc')]);
  const single = copies(
    PAUSED,
    Array.from({ length: PAUSED }, () => newId('acc')),
  );
  await endpoints.insertMany([...fanned, ...single]);
  const groups = [fanned, ...single.map((it) => [it])];
  await events.insertMany(
    groups.map((group, index) => ({
      ...event,
      _id: index + 1,
      account_id: group[0]!.account_id,
      destinations: destinationsOf(group.map(({ _id }) => _id)),
      unfinished: group.length,
    })),
  );
}

async function ingest(tenant: Tenant): Promise<number> {
  return ((await call(tenant, 'POST', '/events', { type: 'order.created', data: { n: 1 } })) as { id: number }).id;
}

async function call({ url, key }: Tenant, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/webhooks${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
