import { createManagementKey } from '../../../src/keys/manage-management-keys';
import { createManagementKeyStore } from '../../../src/keys/management-key-store';
import { BY_COMMAND_LINE } from '../../../src/domain/audit-actions';
import { systemClock } from '../../../src/platform/clock';
import type { Cluster } from '../cluster/cluster';
import { createChecks, type Fault, quickIn } from '../fault';
import { createApi, type Api } from '../api';
import type { Received } from '../receivers/receiver-log';
import type { Tenant } from '../tenant';
import { pass, within } from '../waiting';

const BATCH = 100;
const FIELD = 'customer_id';
const [GONE, KEPT] = ['cus_gone', 'cus_kept'] as const;
/** The first attempt fails, so that deliveries wait when the erasure begins. */
const RETRY_AFTER_S = 20;
/** So that a request that was under way when the erasure ended has arrived. */
const UNDER_WAY_MS = 5_000;
const ENDED_WITHIN_MS = 240_000;

export const erasureKilled: Fault = {
  name: 'erasure-killed',
  title: 'kill -9 of a worker, an API and the primary of MongoDB in turn, in the middle of an erasure',
  criterion:
    'nothing is left of the value, nothing else is touched; receivers get nothing of an erased event after the erasure',
  ways: quickIn('workflow'),
  async run(testbed, counts) {
    const { cluster } = testbed;
    const checks = createChecks();
    const tenant = await testbed.open('erasure-killed', {
      endpoints: [{ failFirst: 1, delayMs: 50 }],
      retrySchedule: [0, RETRY_AFTER_S],
    });
    await cluster.mongo.db
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: tenant.accountId }, { $set: { search_fields: [FIELD] } });
    const gone = await ingest(tenant.api, GONE, counts.erased);
    const kept = await ingest(tenant.api, KEPT, BATCH);

    const manager = await managerOf(cluster, tenant);
    const created = await manager.insist('POST', '/erasures', { data: `${FIELD}:${GONE}` });
    const job = async () => (await tenant.api.insist('GET', `/erasures/${created.body.id}`)).body;
    await killInTurn(cluster);
    await within(ENDED_WITHIN_MS, async () => (await job()).state === 'completed');
    const endedAt = Date.now();
    const { state, erased } = await job();
    checks.figure('job', `${state}: ${erased} erased of ${gone.length}`);
    checks.hold(state === 'completed' && erased === gone.length, 'the erasure does not say that it erased all');

    await holdNothingLeft(checks, cluster, gone);
    const isGone = new Set(gone);
    const requests = () => tenant.received();
    await within(ENDED_WITHIN_MS, () => deliveredOf(requests(), kept).length === kept.length);
    await pass(RETRY_AFTER_S * 1_000);
    const late = requests().filter(({ id, at }) => isGone.has(id) && at > endedAt + UNDER_WAY_MS);
    checks.figure('requests of erased events after the erasure', late.length);
    checks.hold(late.length === 0, 'a receiver got an erased event after the erasure');
    checks.hold(deliveredOf(requests(), kept).length === kept.length, 'an event without the value was not delivered');
    const touched = await cluster.mongo.db
      .collection<{ _id: number }>('events')
      .countDocuments({ _id: { $in: kept }, data_erased_at: { $exists: true } });
    checks.hold(touched === 0, `${touched} events without the value were erased`);
    return checks.outcome();
  },
};

/** Ingests events of a customer. @returns their ids */
async function ingest(api: Api, customer: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const events = Array.from({ length: BATCH }, (_, n) => ({
      type: 'order.created',
      data: { [FIELD]: customer, serial: ids.length + n },
      idempotency_key: `${customer}-${ids.length + n}`,
    }));
    const { body } = await api.insist('POST', '/events/batch', { events });
    ids.push(...(body.results as { id: number }[]).map(({ id }) => id));
  }
  return ids;
}

/** The calls of a management key for the tenant's account. */
async function managerOf({ mongo, urls }: Cluster, { accountId }: Tenant): Promise<Api> {
  const deps = { managementKeys: createManagementKeyStore(mongo.db), clock: systemClock };
  const { key } = await createManagementKey(deps, { label: 'chaos' }, BY_COMMAND_LINE);
  return createApi(urls, key, undefined, accountId);
}

/** Kills what takes part in an erasure, one after the other, and starts it again. */
async function killInTurn({ workers, apis, replicaSet, heal }: Cluster): Promise<void> {
  for (const killed of [workers[0], apis[0]]) {
    await killed.kill();
    await killed.start();
  }
  await replicaSet.killPrimary();
  await Promise.all(workers.map((worker) => worker.kill()));
  await heal();
}

async function holdNothingLeft(
  checks: ReturnType<typeof createChecks>,
  { mongo }: Cluster,
  gone: number[],
): Promise<void> {
  const events = mongo.db.collection<{ _id: number }>('events');
  const these = { _id: { $in: gone } };
  const has = (...names: string[]) => ({ $or: names.map((name) => ({ [name]: { $exists: true } })) });
  const withData = await events.countDocuments({
    ...these,
    ...has('data', 'sealed_data', 'search', 'payload_hash'),
  });
  checks.hold(withData === 0, `${withData} events of the value still have data`);
  const unfinished = await events.countDocuments({ ...these, unfinished: { $gt: 0 } });
  checks.hold(unfinished === 0, `${unfinished} erased events have deliveries that are not finished`);
  // What receivers answered meanwhile goes when no answer can come any more.
  await within(
    ENDED_WITHIN_MS,
    async () => (await events.countDocuments({ ...these, ...has('erase_attempts_until') })) === 0,
  );
  const answers = await mongo.db.collection('attempts').countDocuments({
    event_id: { $in: gone },
    $or: [{ 'answer.response_snippet': { $type: 'string' } }, has('answer.sealed', 'answer.response_headers')],
  });
  checks.hold(answers === 0, `${answers} attempts of erased events still have what the receiver answered`);
}

function deliveredOf(received: readonly Received[], ids: readonly number[]) {
  const delivered = new Set(received.filter(({ status }) => status === 200).map(({ id }) => id));
  return ids.filter((id) => delivered.has(id));
}
