import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { pass, within } from '../waiting';

const GOES_ON_WITHIN_MS = 30_000;

export const killTemporal: Fault = {
  name: 'kill-temporal',
  title: 'kill -9 of Temporal, and its restart, in load',
  criterion: '0 lost; deliveries go on within 30 s',
  ways: quickIn('express'),
  nightly: 'everything-killed kills Temporal in load too',
  async run(testbed, counts) {
    const checks = createChecks();
    const tenant = await testbed.open('kill-temporal');
    const load = await tenant.load(counts.perSecond);
    await within(60_000, () => tenant.received().length >= counts.perSecond);
    await testbed.cluster.temporal.kill();
    await pass(2_000);
    await testbed.cluster.temporal.start();
    const backAt = Date.now();
    const first = (): number => Math.min(...tenant.received().flatMap(({ at }) => (at > backAt ? [at] : [])));
    const wentOn = await within(GOES_ON_WITHIN_MS, () => Number.isFinite(first()));
    checks.hold(wentOn, 'no delivery was made in 30 s after the restart');
    if (wentOn) checks.figure('went on after ms', first() - backAt);
    await load.stop();
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdNoRepeats(checks, verdict);
    return checks.outcome();
  },
};
