import { createChecks, type Fault, quickIn } from '../fault';
import { holdHealthyLag } from '../verdict-checks';
import { pass, within } from '../waiting';

/** Longer than any receiver may take: these endpoints hang until each attempt is given up. */
const HANG_MS = 60_000;
/** Each goes to every endpoint that hangs. */
const EVENTS = 20;
/** Open at a time over both receivers: more than sixteen of each endpoint would be held, in each process that sends. */
const LOUD_ENOUGH = 200;
const LOUD_WITHIN_MS = 60_000;
const BEFORE_MS = { quick: 4_000, full: 20_000 };

export const sharedHost: Fault = {
  name: 'shared-host',
  title: "one tenant's endpoints hang at the host and port of another tenant's healthy ones (24 endpoints; full: 80)",
  criterion:
    "each of the other tenant's deliveries succeeds at its first attempt; its lag p99 < 1 s (quick: < 5 s; where it is more without the neighbour, not twice that)",
  ways: quickIn('express'),
  nightly: 'test/api/noisy-neighbour has a tenant beside one whose receivers hang',
  measuresTime: true,
  async run(testbed, counts) {
    const checks = createChecks();
    const before = await testbed.open('shared-host-before');
    const quiet = await before.load(counts.perSecond / 2);
    await pass(BEFORE_MS[counts.profile]);
    await quiet.stop();
    const { lagP99Ms: beforeMs } = await before.settle();

    const endpoints = Array.from({ length: counts.hangingNeighbours }, () => ({ delayMs: HANG_MS }));
    const noisy = await testbed.open('shared-host-noisy', { endpoints, retrySchedule: [0] });
    const healthy = await testbed.open('shared-host-healthy');
    const noise = await noisy.load(EVENTS);
    await within(LOUD_WITHIN_MS, async () => (await noise.progress()).acknowledged >= EVENTS, 20);
    await noise.stop();
    const isLoud = await within(LOUD_WITHIN_MS, () => noisy.received().length >= LOUD_ENOUGH);
    checks.hold(isLoud, `only ${noisy.received().length} requests hang at the shared hosts`);
    const load = await healthy.load(counts.perSecond / 2);
    await pass(counts.receiverTimeoutMs);
    await load.stop();
    const verdict = await healthy.settle();
    const { lost, states } = await noisy.settle(HANG_MS + 4 * counts.receiverTimeoutMs);

    checks.figure('deliveries that hang', states['failed'] ?? 0);
    checks.hold(lost.length === 0, `${lost.length} events of the noisy tenant are not finished`);
    checks.figure('healthy deliveries', verdict.posts);
    checks.figure('most attempts', verdict.mostAttempts);
    holdHealthyLag(checks, verdict, { profile: counts.profile, beforeMs });
    checks.hold(verdict.mostAttempts === 1, `a healthy delivery took ${verdict.mostAttempts} attempts`);
    return checks.outcome();
  },
};
