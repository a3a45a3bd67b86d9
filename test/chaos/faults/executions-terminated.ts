import type { Client } from '@temporalio/client';
import { withTemporal } from '../cluster/executions';
import { createChecks, type Fault, quickIn } from '../fault';
import { holdNoRepeats } from '../verdict-checks';
import { inLanes, within } from '../waiting';

/**
 * An attempt that was under way when its execution closed is still made. One that nothing has ended would be seen: it is
 * tried again every six seconds.
 */
const UNDER_WAY_MS = 5_000;

export const executionsTerminated: Fault = {
  name: 'executions-terminated',
  title: 'executions are terminated and cancelled by hand, as in the Web UI',
  criterion: 'recorded as `cancelled`; nothing is sent after',
  ways: quickIn('express'),
  nightly: 'test/data-path/terminated-executions ends executions by hand',
  async run(testbed, counts) {
    const { temporal } = testbed.cluster;
    const checks = createChecks();
    const tenant = await testbed.open('terminated', { endpoints: [{ status: 503, delayMs: 10 }] });
    const load = await tenant.load(counts.unfinishedPerSecond);
    await within(60_000, async () => (await load.progress()).acknowledged >= counts.unfinishedAtWipe, 20);
    await load.stop();
    const endpoint = tenant.endpoints[0]!.id;
    const handleOf = (client: Client, id: number) => client.workflow.getHandle(`delivery/${id}/${endpoint}`);
    const ended: number[] = [];
    const counted = { terminated: 0, cancelled: 0 };
    await withTemporal(temporal.address, async (client) => {
      // As they come: each in the middle of its own schedule.
      await within(60_000, () => new Set(tenant.received().map(({ id }) => id)).size >= counts.unfinishedAtWipe, 20);
      await inLanes(tenant.ledger().acknowledged, 16, async ({ id }, index) => {
        const handle = handleOf(client, id);
        const how = index % 2 === 0 ? 'terminated' : 'cancelled';
        await (how === 'terminated' ? handle.terminate('by hand') : handle.cancel()).then(
          () => {
            ended.push(id);
            counted[how] += 1;
          },
          // Its eight attempts were over.
          () => undefined,
        );
      });
    });
    for (const [how, count] of Object.entries(counted)) checks.figure(how, count);
    checks.hold(ended.length > 0, 'nothing was ended by hand');
    const verdict = await tenant.settle();
    // A cancel is a request: an execution whose last attempt fails before its turn comes has failed.
    const endedAt = new Map<string, number>();
    await withTemporal(temporal.address, (client) =>
      inLanes(ended, 16, async (id) => {
        const { status, closeTime } = await handleOf(client, id).describe();
        if (status.name !== 'FAILED') endedAt.set(String(id), (closeTime ?? new Date()).getTime());
      }),
    );
    checks.figure('failed before the cancel', ended.length - endedAt.size);
    const wrong = [...verdict.finals].filter(
      ([id, [final]]) => endedAt.has(String(id)) && final?.state !== 'cancelled',
    );
    checks.figure('recorded as cancelled', endedAt.size - wrong.length - verdict.lost.length);
    checks.figure('lost', verdict.lost.length);
    checks.hold(wrong.length === 0, `${wrong.length} were ended by hand and are not recorded as cancelled`);
    checks.hold(verdict.lost.length === 0, `${verdict.lost.length} are not finished after 90 s`);
    const late = tenant.received().filter(({ id, at }) => at > (endedAt.get(String(id)) ?? Infinity) + UNDER_WAY_MS);
    checks.figure('sent after', late.length);
    checks.hold(late.length === 0, `${late.length} requests were made after their execution was ended`);
    holdNoRepeats(checks, verdict);
    return checks.outcome();
  },
};
