import { createChecks, type Fault, quickIn } from '../fault';
import { holdAllDelivered, holdNothingLost, holdOnly503, repeatsOf } from '../verdict-checks';
import { pass, within } from '../waiting';

/** Requests are open this long, so that some are at every moment. */
const ANSWER_MS = 700;

export const mongodbStopped: Fault = {
  name: 'mongodb-stopped',
  title: 'MongoDB is stopped (full: 60 s), all three members',
  criterion: '503 with Retry-After only; attempts made meanwhile are recorded after; those alone may be made twice',
  ways: quickIn('workflow'),
  nightly: 'test/breakage/mongodb-away and mongod, and everything-killed, take all of MongoDB away',
  async run(testbed, counts) {
    const { replicaSet } = testbed.cluster;
    const checks = createChecks();
    const tenant = await testbed.open('mongodb-stopped', {
      endpoints: [{ delayMs: ANSWER_MS }, { delayMs: ANSWER_MS }],
    });
    const load = await tenant.load(counts.perSecond);
    await within(60_000, () => tenant.received().length >= counts.perSecond);
    const stoppedAt = Date.now();
    await replicaSet.stopAll();
    const goneAt = Date.now();
    await pass(counts.mongoStoppedMs);
    const startedAt = Date.now();
    await replicaSet.startAll();
    const { gaveUp } = await load.stop();
    const { lines } = tenant.ledger();
    const meanwhile = lines.filter(({ sentAt, answeredAt }) => sentAt > goneAt && answeredAt < startedAt);
    checks.figure('stopped s', counts.mongoStoppedMs / 1_000);
    checks.figure('answers meanwhile', meanwhile.length);
    checks.hold(meanwhile.length > 0, 'nothing was asked meanwhile');
    const accepted = meanwhile.filter(({ status }) => status !== 503).length;
    checks.hold(accepted === 0, `${accepted} answers were not 503 while there was no MongoDB`);
    holdOnly503(checks, lines);
    checks.hold(gaveUp === 0, `${gaveUp} events were not acknowledged after three minutes of retries`);
    const answered = tenant.received().filter(({ endedAt = 0 }) => endedAt > stoppedAt && endedAt < startedAt);
    checks.figure('answers of receivers meanwhile', answered.length);
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    const repeated = repeatsOf(verdict);
    checks.figure('repeated POSTs', repeated);
    // A claim may end before the process with the answer can write it down.
    checks.hold(repeated <= answered.length, `${repeated} POSTs were repeated`);
    return checks.outcome();
  },
};
