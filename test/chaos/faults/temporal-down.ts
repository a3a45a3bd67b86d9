import { countExecutions } from '../cluster/executions';
import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { pass, within } from '../waiting';

export const temporalDown: Fault = {
  name: 'temporal-down',
  title:
    'Temporal is down (full: 10 min, 50 events a second; 10 where each waits for its execution) while ingest goes on',
  criterion: '100 % of ingests answered 202; the backlog drains; nothing is sent twice',
  ways: quickIn('workflow'),
  nightly: 'test/api/ingest-event and replays have Temporal down; temporal-wiped takes more away',
  async run(testbed, counts) {
    const checks = createChecks();
    const tenant = await testbed.open('temporal-down', { endpoints: [{}] });
    const perSecond = counts.temporalDownPerSecond[testbed.way];
    const load = await tenant.load(perSecond);
    await within(60_000, () => tenant.received().length >= perSecond);
    await testbed.cluster.temporal.kill();
    await pass(counts.temporalDownMs);
    await testbed.cluster.temporal.start();
    const backAt = Date.now();
    await load.stop();
    const { lines } = tenant.ledger();
    const accepted = lines.filter(({ status }) => status === 202).length;
    checks.figure('down s', counts.temporalDownMs / 1_000);
    checks.figure('ingests answered 202', `${accepted} of ${lines.length}`);
    checks.hold(accepted === lines.length, `${lines.length - accepted} ingests were not answered 202 at once`);
    const verdict = await tenant.settle(900_000);
    checks.figure('drained after s', Math.round((Date.now() - backAt) / 1_000));
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdNoRepeats(checks, verdict);
    // Two processes may start what waited. The later execution finds all done, and ends.
    const executions = [...(await countExecutions(testbed.cluster.temporal.address, tenant.accountId)).values()];
    checks.figure('deliveries with an execution', executions.length);
    checks.figure('of those with a second one', executions.filter((starts) => starts > 1).length);
    return checks.outcome();
  },
};
