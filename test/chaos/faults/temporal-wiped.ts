import type { Stack } from '../cluster/stack';
import { createChecks, type Fault, type Outcome, quickIn } from '../fault';
import type { Counts } from '../profile';
import type { Testbed } from '../testbed';
import { holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { within } from '../waiting';

const FAILURES = 4;
/** The promise is that each is through at last: five attempts each, at the pace of the machine. */
export const PATIENCE_MS = 420_000;

export const temporalWiped: Fault = {
  name: 'temporal-wiped',
  title: "Temporal's store is wiped while deliveries wait for their retries",
  criterion: 'every unfinished delivery goes on from its recorded attempt',
  ways: quickIn('workflow'),
  run: (testbed, counts) => wipeTemporal(testbed, counts, { name: 'temporal-wiped', inLoad: false }),
};

/** Wipes Temporal's store while deliveries wait for retries. @param row `inLoad`: while events are accepted, too */
export async function wipeTemporal(
  testbed: Testbed<Stack>,
  counts: Counts,
  { name, inLoad }: { readonly name: string; readonly inLoad: boolean },
): Promise<Outcome> {
  const { temporal } = testbed.cluster;
  const checks = createChecks();
  // Delivered by the fifth attempt: not one request less or more, whatever happens in between.
  const tenant = await testbed.open(name, { endpoints: [{ failFirst: FAILURES, delayMs: 10 }] });
  const load = await tenant.load(counts.unfinishedPerSecond);
  const acceptMore = async (): Promise<void> => {
    const { acknowledged } = await load.progress();
    const enough = acknowledged + counts.unfinishedAtWipe;
    await within(60_000, async () => (await load.progress()).acknowledged >= enough, 20);
  };
  await acceptMore();
  if (!inLoad) await load.stop();
  const reached = (): number => new Set(tenant.received().map(({ id }) => id)).size;
  await within(60_000, () => reached() >= counts.unfinishedAtWipe / 2, 20);
  await temporal.kill();
  const done = tenant.received().filter(({ status }) => status === 200).length;
  const { acknowledged } = tenant.ledger();
  checks.figure('unfinished at the wipe', acknowledged.length - done);
  checks.hold(acknowledged.length - done > 0, 'everything was delivered before the wipe');
  await temporal.wipe();
  if (inLoad) await acceptMore();
  await temporal.start();
  const startedAt = Date.now();
  if (inLoad) {
    await acceptMore();
    await load.stop();
  }
  const verdict = await tenant.settle(PATIENCE_MS);
  checks.figure('all through after s', Math.round((Date.now() - startedAt) / 1_000));
  holdNothingLost(checks, verdict);
  holdNoRepeats(checks, verdict);
  const wrong = [...verdict.finals].filter(([, [final]]) => final?.attemptCount !== FAILURES + 1);
  checks.figure('delivered by attempt 5', verdict.finals.size - wrong.length);
  checks.hold(wrong.length === 0, `${wrong.length} deliveries did not go on from their attempt`);
  return checks.outcome();
}
