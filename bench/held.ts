import { Connection } from '@temporalio/client';
import { Binary, Timestamp, type Collection } from 'mongodb';
import { BEGINNING_OF_OVERDUE, newBacklogCursor, createDispatchStore } from '../src/stores/dispatch-store';
import { createDeliveryStore } from '../src/stores/delivery-store';
import { createGateStore } from '../src/stores/gate-store';
import type { Endpoint } from '../src/stores/endpoint-store';
import { createEventStore, type StoredEvent } from '../src/stores/event-store';
import { answeredBy, arrivalsOf, lagsOf } from './arrivals';
import { measureBesideOthers } from './beside-others';
import { pause } from './child';
import { countCommands } from './mongodb-commands';
import { cpuSeconds, percentile, quantiles, rounded } from './statistics';
import { startSystem, type System, type Tenant } from './system';
import { UNSEALED } from '../dev/unsealed';

const PER_SECOND = 10;
const SECONDS = 20;
const IDLE_MS = 10_000;
const RESUMED_MS = 30_000;
const BATCH = 5_000;
const PASSES = 5;
const WARM_UP = 50;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Measures what closed gates of others cost, what a paused endpoint with many held deliveries costs other tenants, how fast they are sent after the
 * resume, and how long the removal of the rest takes. `--held 100000` sets how many; a million by default.
 */
async function main(): Promise<void> {
  const at = process.argv.indexOf('--held');
  const count = at < 0 ? 1_000_000 : Number(process.argv[at + 1]);
  const system = await startSystem({ say });
  /** Milliseconds from ingest to arrival of a healthy tenant's trickle, while something else runs. */
  const trickle = async () => {
    const ingested = await system.load.openLoop(PER_SECOND, SECONDS);
    for (;;) {
      const arrivals = await arrivalsOf(system.receiver, 0);
      const lags = lagsOf(ingested, arrivals);
      if (lags.length === ingested.length) return quantiles(lags);
      await pause(200);
    }
  };
  try {
    await system.load.burst(WARM_UP, 8);
    say('gates');
    const gates = await measureBesideOthers(system, say);
    say('alone');
    const alone = { idle: await idleOf(system), arrival_ms: await trickle() };
    const tenant = await system.addTenant();
    await call(tenant, 'POST', '/pause');
    say(`${count} deliveries are held for a paused endpoint`);
    await hold(system, tenant, count);
    const held = {
      idle: await idleOf(system),
      arrival_ms: await trickle(),
      pass_ms: await passOf(system),
      open_executions: await openExecutionsOf(system, tenant),
    };
    say('the endpoint is resumed');
    await call(tenant, 'POST', '/resume');
    const before = await answeredBy(system.receiver);
    const resumedAt = performance.now();
    const [arrivalMs] = await Promise.all([trickle(), pause(RESUMED_MS)]);
    const perSecond = ((await answeredBy(system.receiver)) - before) / ((performance.now() - resumedAt) / 1_000);
    say('the endpoint is removed');
    const removedAt = performance.now();
    await call(tenant, 'DELETE', '');
    const removalS = (performance.now() - removedAt) / 1_000;
    const left = await heldOf(system);
    const result = {
      gates,
      held: count,
      alone,
      while_held: held,
      resumed: { deliveries_per_s: rounded(perSecond), arrival_ms: arrivalMs },
      removal: { s: rounded(removalS), held_after: left },
    };
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } finally {
    await system.close();
  }
}

async function call({ url, key, endpointId }: Tenant, method: string, path: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/webhooks/endpoints/${endpointId}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}` },
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** Stores events like an ingest to a paused endpoint. */
async function hold({ mongo }: System, { endpointId }: Tenant, count: number): Promise<void> {
  const endpoints: Collection<Endpoint> = mongo.db.collection('endpoints');
  const { account_id: accountId, url } = (await endpoints.findOne({ _id: endpointId }))!;
  const first = await createEventStore(mongo.db, UNSEALED).reserveIds(count);
  const events: Collection<StoredEvent> = mongo.db.collection('events');
  const destination = {
    endpoint_id: endpointId,
    url,
    state: 'pending',
    attempt_count: 0,
    run: 1,
    completed_at: null,
  } as const;
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index): StoredEvent => ({
      _id: first + from + index,
      account_id: accountId,
      type: 'order.created',
      data: new Binary(Buffer.from('{"n":1.0}')),
      timestamp: Math.floor(Date.now() / 1_000),
      idempotency_key: null,
      destinations: [
        { ...destination, next_attempt_at: null, dispatch: 'held', held_for: 'paused', held_at: new Date() },
      ],
      unfinished: 1,
      accepted_at: new Timestamp({ t: 0, i: 0 }),
      finished_at: null,
    }));
    await events.insertMany(batch, { ordered: false });
  }
}

async function idleOf({ mongo, everpost, servers }: System) {
  const before = [await countCommands(mongo), cpuSeconds(everpost.pid!), cpuSeconds(servers.mongod.pid)] as const;
  await pause(IDLE_MS);
  const perSecond = (value: number): number => rounded(value / (IDLE_MS / 1_000), 2);
  return {
    commands_per_s: perSecond((await countCommands(mongo)) - before[0]),
    cpu_percent: perSecond(100 * (cpuSeconds(everpost.pid!) - before[1])),
    mongod_cpu_percent: perSecond(100 * (cpuSeconds(servers.mongod.pid) - before[2])),
  };
}

/** The reads of a sweeper's pass; the median of a few. */
async function passOf({ mongo }: System): Promise<number> {
  const dispatch = createDispatchStore(mongo.db);
  const deliveries = createDeliveryStore(mongo.db, 0, 0, UNSEALED);
  const gates = createGateStore(mongo.db);
  const took: number[] = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const startedAt = performance.now();
    const now = await dispatch.now();
    await dispatch.findDue(now, now, 500, newBacklogCursor());
    await gates.takeDue(new Date(0), 500);
    await deliveries.endpointsThatHold('', 50);
    await dispatch.findOverdue(BEGINNING_OF_OVERDUE, new Date(now.getTime() - 120_000), 500);
    took.push(performance.now() - startedAt);
  }
  return rounded(percentile(took, 0.5));
}

async function openExecutionsOf({ servers, config }: System, { endpointId }: Tenant): Promise<number> {
  const connection = await Connection.connect({ address: servers.temporal.address });
  const query = `EverpostEndpointId="${endpointId}" AND ExecutionStatus="Running"`;
  const { namespace } = config.temporal;
  const { count } = await connection.workflowService.countWorkflowExecutions({ namespace, query });
  await connection.close();
  return Number(count);
}

async function heldOf({ mongo }: System): Promise<number> {
  return mongo.db.collection('events').countDocuments({ 'destinations.dispatch': 'held' });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
