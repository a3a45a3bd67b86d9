import type { LimitedDisk } from '../cluster/limited-disk';
import type { Stack } from '../cluster/stack';
import { createChecks, type Fault, type Outcome, quickIn, skipped } from '../fault';
import type { Testbed } from '../testbed';
import { holdNothingLost, holdOnly503 } from '../verdict-checks';
import { pass, within } from '../waiting';

/** For three members together; they write a journal each. */
const LEFT_BYTES = 12 * 1024 ** 2;
const PADDING_BYTES = 60_000;
const LOAD_PER_SECOND = 5;
const FULL_FOR_MS = 3_000;

export const diskFullMongodb: Fault = {
  name: 'disk-full-mongodb',
  title: "MongoDB's disk is full, under all three members, in load",
  criterion: '503 with Retry-After, no false 202, recovery after space returns',
  ways: quickIn('express'),
  run: (testbed) => fillDisk(testbed, { name: 'disk-full-mongodb', disk: testbed.cluster.disks.mongodb }),
};

/** Fills MongoDB's disk in load, gives the space back, and starts what has ended. */
export async function fillDisk(
  testbed: Testbed<Stack>,
  { name, disk }: { readonly name: string; readonly disk: LimitedDisk },
): Promise<Outcome> {
  const { replicaSet } = testbed.cluster;
  if (disk.unavailable !== undefined) return skipped(disk.unavailable);
  const checks = createChecks();
  const tenant = await testbed.open(name);
  const load = await tenant.load(LOAD_PER_SECOND, { padding: PADDING_BYTES });
  await pass(1_000);
  await disk.fill(LEFT_BYTES);
  const refused = (): number => tenant.ledger().lines.filter(({ status }) => status === 503).length;
  const felt = await within(
    90_000,
    async () => {
      // The journal has its space; it is the next checkpoint that has none.
      await replicaSet.checkpoint();
      return refused() >= LOAD_PER_SECOND;
    },
    500,
  );
  checks.hold(felt, 'the full disk was not felt in 90 s');
  await pass(FULL_FOR_MS);
  checks.figure('members that ended', replicaSet.running() ? 0 : 'some');
  await disk.release();
  const releasedAt = Date.now();
  await testbed.cluster.heal();
  const back = await within(60_000, () =>
    tenant.ledger().lines.some(({ status, sentAt }) => status === 202 && sentAt > releasedAt),
  );
  checks.hold(back, 'nothing was accepted in a minute after the space was back');
  checks.figure('accepted again after s', Math.round((Date.now() - releasedAt) / 1_000));
  await load.stop();
  holdOnly503(checks, tenant.ledger().lines);
  const verdict = await tenant.settle();
  holdNothingLost(checks, verdict);
  return checks.outcome();
}
