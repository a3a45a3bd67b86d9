import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { pass, within } from '../waiting';

const ANSWER_MS = 3_000;

export const mongodbAwayAfterPost: Fault = {
  name: 'mongodb-away-after-post',
  title: 'MongoDB is away (full: for 20 s) exactly between a POST and its record',
  criterion: 'no second POST: it is away for less than a claim lasts',
  ways: quickIn('express'),
  nightly: 'test/data-path/unrecorded-answer cuts MongoDB off between a POST and its record',
  async run(testbed, counts) {
    const { replicaSet } = testbed.cluster;
    const checks = createChecks();
    const tenant = await testbed.open('away-after-post', {
      endpoints: [{ delayMs: ANSWER_MS }, { delayMs: ANSWER_MS }],
    });
    const load = await tenant.load(counts.perSecond);
    const open = (): number => tenant.received().filter(({ endedAt }) => endedAt === undefined).length;
    await within(60_000, () => open() >= 2 * counts.perSecond);
    await load.stop();
    const inFlight = new Set(
      tenant.received().flatMap((it) => (it.endedAt === undefined ? [`${it.id} ${it.path}`] : [])),
    );
    const killedAt = Date.now();
    await replicaSet.killAll();
    await pass(counts.mongoAwayMs);
    const startedAt = Date.now();
    await replicaSet.startAll();
    const answered = tenant
      .received()
      .filter(
        ({ id, path, endedAt = 0 }) => inFlight.has(`${id} ${path}`) && endedAt > killedAt && endedAt < startedAt,
      );
    checks.figure('away s', counts.mongoAwayMs / 1_000);
    checks.figure('answers that came meanwhile', answered.length);
    checks.hold(answered.length > 0, 'no answer came while MongoDB was away, so nothing was shown');
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdNoRepeats(checks, verdict);
    return checks.outcome();
  },
};
