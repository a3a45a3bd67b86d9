import type { Api } from '../api';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import type { Tenant } from '../tenant';
import type { Testbed } from '../testbed';
import { within } from '../waiting';

/** Keyed ingests that are under way when the primary is deposed. */
const KEYS = 100;
const ARRIVE_MS = 120_000;

export const termRolledBack: Fault = {
  name: 'term-rolled-back',
  title:
    "MongoDB's primary is deposed while its secondaries lag, in the middle of keyed ingests: its last writes are rolled back; then every key is sent again",
  criterion: 'each key stands for one event, and its receiver sees one id; every key is acknowledged',
  ways: quickIn('express'),
  nightly: 'test/breakage/majority rolls a term back on three mongods',
  async run(testbed, counts) {
    const checks = createChecks();
    const tenant = await testbed.open('term-rolled-back', { endpoints: [{ delayMs: 0 }] });
    const told = new Map<number, Set<number>>();
    for (let round = 0; round < counts.rolledBackTerms; round += 1) await rollBack(testbed, tenant, told, round);

    const [serials, ids] = [[...told.keys()], [...told.values()]];
    checks.figure('rolled back terms', counts.rolledBackTerms);
    checks.figure('keys', serials.length);
    const torn = serials.filter((serial) => told.get(serial)!.size > 1);
    checks.hold(torn.length === 0, `one key, two events: serials ${torn.slice(0, 5).join(', ')}`);
    const silent = serials.filter((serial) => told.get(serial)!.size === 0);
    checks.hold(silent.length === 0, `${silent.length} keys were never acknowledged`);
    checks.hold(new Set(ids.flatMap((each) => [...each])).size === serials.length, 'two keys share an event');
    await holdArrived(checks, tenant, told);
    return checks.outcome();
  },
};

/** @param told collects the ids that each serial got as answers */
async function rollBack(
  testbed: Testbed,
  tenant: Tenant,
  told: Map<number, Set<number>>,
  round: number,
): Promise<void> {
  const { mongo, replicaSet } = testbed.cluster;
  const serials = Array.from({ length: KEYS }, (_, index) => round * KEYS + index + 1);
  for (const serial of serials) told.set(serial, new Set());
  const send = (call: Api['call']) => Promise.all(serials.map((serial) => post(tenant, call, told, serial)));
  const keys = mongo.db.collection<{ _id: string }>('idempotency_keys');
  // Both APIs have ids left: without a majority there are no new ones.
  const warm = testbed.cluster.urls.map((url) =>
    tenant.api.call('POST', '/events', { type: 'order.warm', data: {} }, url),
  );
  if ((await Promise.all(warm)).some(({ status }) => status !== 202)) throw new Error('nothing was accepted before');
  const ofTenant = { _id: { $regex: `^${tenant.accountId}:` } };
  const before = await keys.countDocuments(ofTenant);

  const resume = await replicaSet.haltSecondaries();
  const first = send(tenant.api.call);
  try {
    // The primary has keys that no other member has.
    const wrote = await within(20_000, async () => (await keys.countDocuments(ofTenant)) > before, 20);
    if (!wrote) throw new Error('the primary wrote no key');
    await replicaSet.deposePrimary();
  } finally {
    await resume();
  }
  await first;
  await send(tenant.api.insist);
}

async function post(tenant: Tenant, call: Api['call'], told: Map<number, Set<number>>, serial: number): Promise<void> {
  const body = { type: 'order.created', data: { serial }, idempotency_key: `${tenant.name}-${serial}` };
  const { status, body: answer } = await call('POST', '/events', body);
  if (status === 200 || status === 202) told.get(serial)!.add(answer.id as number);
}

async function holdArrived(
  checks: Checks,
  tenant: Tenant,
  told: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<void> {
  const received = () => tenant.received().filter(({ serial }) => serial > 0);
  const arrived = (): number => new Set(received().map(({ serial }) => serial)).size;
  const came = await within(ARRIVE_MS, () => arrived() >= told.size);
  checks.figure('arrived', arrived());
  checks.hold(came, `${told.size - arrived()} events did not arrive`);
  const strange = received().filter(({ serial, id }) => !told.get(serial)?.has(id));
  checks.hold(strange.length === 0, `${strange.length} requests have an id that no call was told`);
}
