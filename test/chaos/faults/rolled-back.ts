import { join } from 'node:path';
import { buildEarlier } from '../cluster/earlier-build';
import type { RoleChanges } from '../cluster/role';
import { createChecks, type Checks, type Fault, quickIn, skipped } from '../fault';
import type { Counts } from '../profile';
import type { Tenant, TenantEndpoint } from '../tenant';
import type { Testbed } from '../testbed';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { within } from '../waiting';
import { holdExpiries } from './rolled-back-record';
import { holdSealedWait } from './rolled-back-sealed';

/** Answered by 503 so often before the 200: deliveries are in the middle of their schedule while processes are rolled. */
const FAILURES = { quick: 4, full: 5 };
const ARRIVE_MS = 120_000;
/** The failing endpoint needs its schedule, the held one all that waited. */
const SETTLE_MS = 240_000;

/** Runs every process on a version, one after the other: a worker, an API, the other worker, the other API. */
export type Roll = (changes?: RoleChanges) => Promise<void>;

export const rolledBack: Fault = {
  name: 'rolled-back',
  title:
    'all processes are upgraded one by one from an earlier version to this one, rolled back, and upgraded again, in load',
  criterion:
    'all delivered, none twice; what one version holds the other sends; what is sealed waits in the earlier version and costs no attempt; everything expires',
  ways: quickIn('workflow'),
  nightly: 'it compiles an earlier version; test/time/retention and test/workflows/replay have what one leaves behind',
  async run(testbed, counts) {
    const { cluster, root } = testbed;
    const checks = createChecks();
    const from = Date.now();
    const build = await buildEarlier(root, join(cluster.folder, 'earlier'));
    if (build === undefined) return skipped('not played: no earlier commit here, as in a shallow clone');
    checks.figure('seconds to build the earlier version', Math.round((Date.now() - from) / 1_000));
    const earlier: RoleChanges = { build };
    const [workers, apis] = [cluster.workers, cluster.apis];
    const roll: Roll = async (changes) => {
      for (const role of [workers[0], apis[0], workers[1], apis[1]]) await role.restart(changes);
    };
    await roll(earlier);
    await rollInLoad(testbed, counts, { checks, roll, earlier });
    await holdSealedWait(testbed, counts, { checks, roll, earlier });
    await holdExpiries(cluster, checks);
    return checks.outcome();
  },
};

async function rollInLoad(
  testbed: Testbed,
  counts: Counts,
  { checks, roll, earlier }: { readonly checks: Checks; readonly roll: Roll; readonly earlier: RoleChanges },
): Promise<void> {
  const failures = FAILURES[counts.profile];
  const tenant = await testbed.open('rolled-back', {
    endpoints: [{ delayMs: 20 }, { failFirst: failures, delayMs: 20 }, { delayMs: 20 }],
  });
  const held = tenant.endpoints[2]!;
  await tenant.api.insist('POST', `/endpoints/${held.id}/pause`);
  const load = await tenant.load(counts.perSecond / 4);
  const steps: readonly (readonly [string, RoleChanges | undefined])[] = [
    ['upgraded', { env: { SEAL_PAYLOADS: 'off' } }],
    ['rolled back', earlier],
    ['upgraded again', undefined],
  ];
  for (const [step, changes] of steps) {
    const waiting = await heldBefore(tenant, held, counts.rolledDeliveries / 10);
    checks.figure(`in flight when ${step}`, inFlight(tenant));
    checks.hold(inFlight(tenant) > 0, `nothing was in flight when it was ${step}`);
    await roll(changes);
    await tenant.api.insist('POST', `/endpoints/${held.id}/resume`);
    const arrived = await within(ARRIVE_MS, () => missing(tenant, held, waiting).length === 0);
    const late = missing(tenant, held, waiting).length;
    checks.figure(`held by the other version when ${step}`, waiting.length);
    checks.hold(arrived, `${late} of ${waiting.length} held deliveries did not arrive after it was ${step}`);
    await tenant.api.insist('POST', `/endpoints/${held.id}/pause`);
  }
  await tenant.api.insist('POST', `/endpoints/${held.id}/resume`);
  await load.stop();
  const verdict = await tenant.settle(SETTLE_MS);
  holdNothingLost(checks, verdict);
  holdAllDelivered(checks, verdict, failures);
  holdNoRepeats(checks, verdict);
}

/** Waits until the paused endpoint holds so many deliveries. @returns their events */
async function heldBefore(tenant: Tenant, held: TenantEndpoint, count: number): Promise<readonly number[]> {
  const waiting = (): number[] => {
    const acknowledged = tenant.ledger().acknowledged.map(({ id }) => id);
    return missing(tenant, held, acknowledged);
  };
  if (!(await within(ARRIVE_MS, () => waiting().length >= count))) throw new Error('the load accepted too little');
  return waiting();
}

/** Those of the events that did not come to the endpoint. */
function missing(tenant: Tenant, { path }: TenantEndpoint, ids: readonly number[]): number[] {
  const came = new Set(tenant.received().flatMap((request) => (request.path === path ? [request.id] : [])));
  return ids.filter((id) => !came.has(id));
}

/** Deliveries of acknowledged events that no receiver answered with 200. */
function inFlight(tenant: Tenant): number {
  const delivered = tenant.received().filter(({ status }) => status === 200).length;
  return tenant.ledger().acknowledged.length * tenant.endpoints.length - delivered;
}
