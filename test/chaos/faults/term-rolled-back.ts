import type { Api } from '../api';
import { type Checks, createChecks, type Fault, quickIn } from '../fault';
import type { Scene } from '../scene';
import type { Stage } from '../stage';
import { within } from '../waiting';

/** Keyed ingests that are under way when the primary is deposed. */
const KEYS = 100;
const ARRIVE_MS = 120_000;

export const termRolledBack: Fault = {
  name: 'term-rolled-back',
  title:
    "MongoDB's primary is deposed while its secondaries lag, in the middle of keyed ingests: its last writes are rolled back; then every key is sent again",
  criterion: 'each key stands for one event, and its receiver sees one id; every key is acknowledged',
  limitSeconds: { quick: 180, full: 420 },
  ways: quickIn('express'),
  async run(stage, counts) {
    const checks = createChecks();
    const scene = await stage.open('term-rolled-back', { endpoints: [{ delayMs: 0 }] });
    const told = new Map<number, Set<number>>();
    for (let round = 0; round < counts.rolledBackTerms; round += 1) await rollBack(stage, scene, told, round);

    const [serials, ids] = [[...told.keys()], [...told.values()]];
    checks.figure('rolled back terms', counts.rolledBackTerms);
    checks.figure('keys', serials.length);
    const torn = serials.filter((serial) => told.get(serial)!.size > 1);
    checks.hold(torn.length === 0, `one key, two events: serials ${torn.slice(0, 5).join(', ')}`);
    const silent = serials.filter((serial) => told.get(serial)!.size === 0);
    checks.hold(silent.length === 0, `${silent.length} keys were never acknowledged`);
    checks.hold(new Set(ids.flatMap((each) => [...each])).size === serials.length, 'two keys share an event');
    await holdArrived(checks, scene, told);
    return checks.outcome();
  },
};

/** @param told to which the ids go that each serial was answered with */
async function rollBack(stage: Stage, scene: Scene, told: Map<number, Set<number>>, round: number): Promise<void> {
  const { mongo, replicaSet } = stage.cluster;
  const serials = Array.from({ length: KEYS }, (_, index) => round * KEYS + index + 1);
  for (const serial of serials) told.set(serial, new Set());
  const send = (call: Api['call']) => Promise.all(serials.map((serial) => post(scene, call, told, serial)));
  const keys = mongo.db.collection<{ _id: string }>('idempotency_keys');
  // Both APIs have ids to give: without a majority there are no new ones.
  const warm = stage.cluster.urls.map((url) =>
    scene.api.call('POST', '/events', { type: 'order.warm', data: {} }, url),
  );
  if ((await Promise.all(warm)).some(({ status }) => status !== 202)) throw new Error('nothing was accepted before');
  const ofScene = { _id: { $regex: `^${scene.accountId}:` } };
  const before = await keys.countDocuments(ofScene);

  const resume = await replicaSet.haltSecondaries();
  const first = send(scene.api.call);
  try {
    // The primary has keys that nobody else has.
    const wrote = await within(20_000, async () => (await keys.countDocuments(ofScene)) > before, 20);
    if (!wrote) throw new Error('the primary wrote no key');
    await replicaSet.deposePrimary();
  } finally {
    await resume();
  }
  await first;
  await send(scene.api.insist);
}

async function post(scene: Scene, call: Api['call'], told: Map<number, Set<number>>, serial: number): Promise<void> {
  const body = { type: 'order.created', data: { serial }, idempotency_key: `${scene.name}-${serial}` };
  const { status, body: answer } = await call('POST', '/events', body);
  if (status === 200 || status === 202) told.get(serial)!.add(answer.id as number);
}

async function holdArrived(
  checks: Checks,
  scene: Scene,
  told: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<void> {
  const received = () => scene.received().filter(({ serial }) => serial > 0);
  const arrived = (): number => new Set(received().map(({ serial }) => serial)).size;
  const came = await within(ARRIVE_MS, () => arrived() >= told.size);
  checks.figure('arrived', arrived());
  checks.hold(came, `${told.size - arrived()} events did not arrive`);
  const strange = received().filter(({ serial, id }) => !told.get(serial)?.has(id));
  checks.hold(strange.length === 0, `${strange.length} requests have an id that no call was told`);
}
