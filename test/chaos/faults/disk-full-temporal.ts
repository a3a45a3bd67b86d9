import { createChecks, type Fault, quickIn, skipped } from '../fault';
import { holdAllDelivered, holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { pass, within } from '../waiting';

const LEFT_BYTES = 512 * 1024;
/** This long without a delivery shows that the full disk has an effect. */
const STALLED_MS = 4_000;
const BY_ITSELF_MS = 15_000;

export const diskFullTemporal: Fault = {
  name: 'disk-full-temporal',
  title: "the disk of Temporal's file is full, in load",
  criterion: 'ingest goes on with 202; recovery after space returns; nothing lost, nothing twice',
  ways: quickIn('workflow'),
  nightly: 'to the product it is a Temporal that is down: everything-killed, temporal-wiped',
  async run(testbed, counts) {
    const { temporal, disks } = testbed.cluster;
    if (disks.temporal.unavailable !== undefined) return skipped(disks.temporal.unavailable);
    const checks = createChecks();
    // Express, only what was refused needs Temporal.
    const failFirst = testbed.way === 'express' ? 1 : 0;
    const tenant = await testbed.open('disk-full-temporal', { endpoints: [{ failFirst }, { failFirst }] });
    const delivered = () => tenant.received().filter(({ status }) => status === 200);
    const load = await tenant.load(counts.perSecond);
    await within(60_000, () => delivered().length >= counts.perSecond);
    await disks.temporal.fill(LEFT_BYTES);
    const lastAt = (): number => Math.max(0, ...delivered().map(({ at }) => at));
    const stalled = await within(60_000, () => Date.now() - lastAt() > STALLED_MS, 500);
    checks.hold(stalled, 'the full disk was not felt in a minute');
    await pass(2_000);
    await disks.temporal.release();
    const releasedAt = Date.now();
    const goesOn = (): boolean => lastAt() > releasedAt;
    const byItself = await within(BY_ITSELF_MS, goesOn);
    checks.figure('goes on', byItself ? 'by itself' : 'after a restart of Temporal');
    if (!byItself) {
      await temporal.kill();
      await temporal.start();
      checks.hold(await within(60_000, goesOn), 'no delivery was made after the space was back and Temporal restarted');
    }
    await load.stop();
    const { lines } = tenant.ledger();
    const accepted = lines.filter(({ status }) => status === 202).length;
    checks.figure('ingests answered 202', `${accepted} of ${lines.length}`);
    checks.hold(accepted === lines.length, `${lines.length - accepted} ingests were not answered 202 at once`);
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdAllDelivered(checks, verdict, failFirst);
    holdNoRepeats(checks, verdict);
    return checks.outcome();
  },
};
