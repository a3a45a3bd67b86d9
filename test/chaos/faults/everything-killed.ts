import { claimedAttempts } from '../cluster/claimed-attempts';
import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNothingLost, holdOnly503, holdRepeatsInFlight } from '../verdict-checks';
import { pass, within } from '../waiting';

export const everythingKilled: Fault = {
  name: 'everything-killed',
  title: 'kill -9 of everything at once in load: three mongods, Temporal, both APIs, both workers; all restarted',
  criterion: 'all goes on: 0 acknowledged lost; repeated POSTs ≤ attempts in flight at the kill',
  ways: quickIn('express'),
  async run(testbed, counts) {
    const { replicaSet, temporal, apis, workers } = testbed.cluster;
    const checks = createChecks();
    const tenant = await testbed.open('everything-killed');
    const load = await tenant.load(counts.perSecond);
    await within(60_000, () => tenant.received().length >= 2 * counts.perSecond);
    const from = Date.now();
    await Promise.all([replicaSet.killAll(), temporal.kill(), ...[...apis, ...workers].map((role) => role.kill())]);
    const to = Date.now();
    await pass(2_000);
    const startedAt = Date.now();
    await replicaSet.startAll();
    const kill = { from, to, claimed: await claimedAttempts(testbed.cluster.mongo) };
    await testbed.cluster.heal();
    await within(60_000, () =>
      tenant.ledger().lines.some(({ status, sentAt }) => status === 202 && sentAt > startedAt),
    );
    checks.figure('first 202 after s', Math.round((Date.now() - startedAt) / 1_000));
    await load.stop();
    const broken = tenant.ledger().lines.filter(({ status }) => status === 0).length;
    checks.figure('connections broken', broken);
    holdOnly503(
      checks,
      tenant.ledger().lines.filter(({ status }) => status !== 0),
    );
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdRepeatsInFlight(checks, verdict, tenant, [kill]);
    return checks.outcome();
  },
};
