import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost, holdOnly503 } from '../verdict-checks';
import { pass, within } from '../waiting';

export const primaryKilled: Fault = {
  name: 'primary-killed',
  title: "kill -9 of MongoDB's primary (one of three) in load",
  criterion: '0 acknowledged lost; only 503s meanwhile',
  ways: quickIn('express'),
  async run(testbed, counts) {
    const { replicaSet } = testbed.cluster;
    const checks = createChecks();
    const tenant = await testbed.open('primary-killed');
    const load = await tenant.load(counts.perSecond);
    const outagesMs: number[] = [];
    for (let kill = 0; kill < counts.primaryKills; kill += 1) {
      await pass(1_000);
      const killedAt = Date.now();
      const member = await replicaSet.killPrimary();
      const back = (): number | undefined =>
        tenant.ledger().lines.find(({ status, sentAt }) => status === 202 && sentAt > killedAt + 100)?.answeredAt;
      const came = await within(60_000, () => back() !== undefined);
      checks.hold(came, 'nothing was accepted in a minute after the primary was killed');
      if (came) outagesMs.push(back()! - killedAt);
      await replicaSet.start(member);
      await pass(2_000);
    }
    const { gaveUp } = await load.stop();
    checks.figure('kills', counts.primaryKills);
    checks.figure('longest until the next 202 ms', Math.max(...outagesMs));
    holdOnly503(checks, tenant.ledger().lines);
    checks.hold(gaveUp === 0, `${gaveUp} events were not acknowledged in three minutes of retries`);
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdNoRepeats(checks, verdict);
    return checks.outcome();
  },
};
