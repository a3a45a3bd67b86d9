import { claimedAttempts } from '../cluster/claimed-attempts';
import { createChecks, quickIn, type Fault } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { within } from '../waiting';

/** `quick` gives receivers ten seconds at most. */
const ANSWER_MS = { quick: 7_000, full: 10_000 };

export const sigtermInMidPost: Fault = {
  name: 'sigterm-in-mid-post',
  title:
    'SIGTERM to all that send, one of them API and worker in one process, while receivers take 10 s (quick: 7) to answer',
  criterion: 'each ends only when its answers are written down; no connection is cut; no POST is made again',
  ways: quickIn('express'),
  async run(testbed, counts) {
    const { apis, workers, mongo } = testbed.cluster;
    const checks = createChecks();
    const [api, both] = apis;
    await both.restart({ role: 'all' });
    const senders = testbed.way === 'express' ? [api, both] : [both, ...workers];
    const delayMs = ANSWER_MS[counts.profile];
    const tenant = await testbed.open('sigterm', { endpoints: [{ delayMs }, { delayMs }] });
    const load = await tenant.load(counts.perSecond);
    const open = () => tenant.received().filter(({ endedAt }) => endedAt === undefined);
    await within(60_000, () => open().length >= counts.perSecond, 20);
    await load.stop();
    /** Attempts that are the senders', by the record. */
    const claims = async () => {
      const all = await claimedAttempts(mongo);
      const ours = all.filter(({ endpointId }) => tenant.endpoints.some(({ id }) => id === endpointId));
      return ours.filter(({ promised }) => testbed.way === 'workflow' || promised);
    };
    const underWay = (await claims()).length;
    checks.figure('under way at SIGTERM', underWay);
    checks.hold(underWay > 0 && open().length > 0, 'no POST was under way, so nothing was shown');
    const signalledAt = Date.now();
    await Promise.all(senders.map((sender) => sender.stop()));
    checks.figure('ended after s', Math.round((Date.now() - signalledAt) / 1_000));
    const left = (await claims()).length;
    checks.hold(left === 0, `${left} attempts were not written down when their processes had ended`);
    await Promise.all(senders.map((sender) => sender.start()));
    const verdict = await tenant.settle();
    const cut = tenant.received().filter(({ endedAt, status }) => endedAt !== undefined && status === undefined).length;
    checks.figure('connections cut', cut);
    checks.hold(cut === 0, `${cut} connections were cut before the answer`);
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict);
    holdNoRepeats(checks, verdict);
    return checks.outcome();
  },
};
