import { claimedAttempts } from '../cluster/claimed-attempts';
import type { Stack } from '../cluster/stack';
import { createChecks, type Fault, type Outcome, quickIn } from '../fault';
import type { Counts } from '../profile';
import type { TenantOptions } from '../tenant';
import type { Testbed } from '../testbed';
import { holdAllDelivered, holdNothingLost, holdOnly503, holdRepeatsInFlight } from '../verdict-checks';
import { pass, within } from '../waiting';

export const everythingKilled: Fault = {
  name: 'everything-killed',
  title: 'kill -9 of everything at once in load: three mongods, Temporal, both APIs, both workers; all restarted',
  criterion: 'all goes on: 0 acknowledged lost; repeated POSTs ≤ attempts in flight at the kill',
  ways: quickIn('express'),
  run: (testbed, counts) =>
    endEverything(testbed, counts, { name: 'everything-killed', end: () => killEverything(testbed.cluster) }),
};

/** `kill -9` of all processes at once. */
export async function killEverything({ replicaSet, temporal, roles }: Stack): Promise<void> {
  await Promise.all([replicaSet.killAll(), temporal.kill(), ...roles.map((role) => role.kill())]);
}

interface Ending {
  /** Of the row. */
  readonly name: string;
  /** Ends all processes in load. */
  end(): Promise<void>;
  readonly endpoints?: TenantOptions['endpoints'];
  /** How often each receiver refuses an event. */
  readonly refused?: number;
  /** How long what is open may take after that. */
  readonly settleMs?: number;
}

/** Ends everything in load, starts it again, and judges what was acknowledged. */
export async function endEverything(
  testbed: Testbed<Stack>,
  counts: Counts,
  { name, end, endpoints, refused = 0, settleMs }: Ending,
): Promise<Outcome> {
  const { cluster } = testbed;
  const checks = createChecks();
  const tenant = await testbed.open(name, endpoints && { endpoints });
  const load = await tenant.load(counts.perSecond);
  await within(60_000, () => tenant.received().length >= 2 * counts.perSecond);
  const from = Date.now();
  await end();
  const to = Date.now();
  await pass(2_000);
  const startedAt = Date.now();
  await cluster.replicaSet.startAll();
  const kill = { from, to, claimed: await claimedAttempts(cluster.mongo) };
  await cluster.heal();
  await within(60_000, () => tenant.ledger().lines.some(({ status, sentAt }) => status === 202 && sentAt > startedAt));
  checks.figure('first 202 after s', Math.round((Date.now() - startedAt) / 1_000));
  await load.stop();
  const broken = tenant.ledger().lines.filter(({ status }) => status === 0).length;
  checks.figure('connections broken', broken);
  holdOnly503(
    checks,
    tenant.ledger().lines.filter(({ status }) => status !== 0),
  );
  const verdict = await tenant.settle(settleMs);
  holdNothingLost(checks, verdict);
  holdAllDelivered(checks, verdict, refused);
  holdRepeatsInFlight(checks, verdict, tenant, [kill]);
  return checks.outcome();
}
