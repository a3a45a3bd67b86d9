import { cp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { withTemporal } from '../cluster/executions';
import { createChecks, type Fault, quickIn } from '../fault';
import type { Testbed } from '../testbed';
import { holdNoRepeats, holdNothingLost } from '../verdict-checks';
import { within } from '../waiting';

/** Answered by 503 so often before the 200: deliveries are in the middle of their schedule for ten or fifteen seconds. */
const FAILURES = { quick: 4, full: 5 };
const HISTORIES = join('test', 'workflows', 'replay', 'histories');
/** How Temporal's SDK reports that a workflow deviates from its history. */
const NON_DETERMINISM = /nondetermin|determinismviolation|TMPRL1100/i;

export const workerRolled: Fault = {
  name: 'worker-rolled',
  title: 'both workers are rolled from another build to this one in mid-flight; old histories are replayed',
  criterion: '0 non-determinism errors; every delivery goes on where it was, and none twice',
  ways: quickIn('workflow'),
  nightly: 'test/breakage/worker-builds has two builds; test/workflows/replay the old histories',
  async run(testbed, counts) {
    const { workers, temporal } = testbed.cluster;
    const checks = createChecks();
    const failures = FAILURES[counts.profile];
    const build = await otherBuild(testbed);
    for (const worker of workers) {
      await worker.kill();
      await worker.start({ build });
    }
    const tenant = await testbed.open('worker-rolled', { endpoints: [{ failFirst: failures, delayMs: 10 }] });
    const load = await tenant.load(counts.rolledPerSecond);
    await within(60_000, async () => (await load.progress()).acknowledged >= counts.rolledDeliveries, 20);
    await load.stop();
    await within(60_000, () => new Set(tenant.received().map(({ id }) => id)).size >= counts.rolledDeliveries / 2, 20);
    const inFlight =
      tenant.ledger().acknowledged.length - tenant.received().filter(({ status }) => status === 200).length;
    for (const worker of workers) {
      await worker.stop();
      await worker.start();
    }
    checks.figure('in flight when rolled', inFlight);
    checks.hold(inFlight > 0, 'nothing was in flight when the workers were rolled');
    const verdict = await tenant.settle();
    holdNothingLost(checks, verdict);
    holdNoRepeats(checks, verdict);
    const wrong = [...verdict.finals].filter(([, [final]]) => final?.attemptCount !== failures + 1);
    checks.hold(wrong.length === 0, `${wrong.length} deliveries did not go on where they were`);

    const rolled = await historiesOf(temporal.address, tenant.accountId);
    const failedTasks = rolled.filter(({ history }) =>
      history.events?.some((event) => event.workflowTaskFailedEventAttributes),
    ).length;
    checks.figure('workflow tasks that failed', failedTasks);
    checks.hold(failedTasks === 0, `${failedTasks} deliveries have a failed workflow task`);
    const replayed = await replay(testbed, [...rolled, ...(await recordedHistories(testbed.root))]);
    checks.figure('histories replayed on this version', replayed.total);
    checks.figure('non-determinism errors', replayed.errors.length);
    checks.hold(replayed.errors.length === 0, `a history can't be replayed: ${replayed.errors[0]}`);
    const logs = await Promise.all(workers.map(({ logFile }) => readFile(logFile, 'utf8')));
    checks.hold(!logs.some((log) => NON_DETERMINISM.test(log)), "a worker's log speaks of non-determinism");
    return checks.outcome();
  },
};

interface Replayable {
  readonly workflowId: string;
  readonly history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/**
 * The same code under another build id, which Temporal's SDK makes from the bundle. Once there is a release, use its
 * bundle here: the code that was running before an update.
 */
async function otherBuild({ root, cluster }: Testbed): Promise<string> {
  const build = join(cluster.folder, 'other-build');
  await cp(cluster.build, build, { recursive: true });
  for (const name of ['node_modules', 'package.json']) await symlink(join(root, name), join(cluster.folder, name));
  const bundle = join(build, 'workflow-bundle.js');
  // In front: the SDK reads a source map to the end of the file.
  await writeFile(bundle, `// another build\n${await readFile(bundle, 'utf8')}`);
  return build;
}

function historiesOf(address: string, accountId: string): Promise<Replayable[]> {
  return withTemporal(address, async (client) => {
    const histories: Replayable[] = [];
    for await (const { workflowId, runId } of client.workflow.list({ query: `EverpostAccountId = '${accountId}'` })) {
      histories.push({ workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() });
    }
    return histories;
  });
}

/** Recorded by earlier versions, of each path through the workflow. */
async function recordedHistories(root: string): Promise<Replayable[]> {
  const names = (await readdir(join(root, HISTORIES), { recursive: true })).filter((name) => name.endsWith('.json'));
  return Promise.all(
    names.map(async (name) => ({
      workflowId: 'delivery/1/ep_replay',
      history: JSON.parse(await readFile(join(root, HISTORIES, name), 'utf8')),
    })),
  );
}

async function replay({ cluster }: Testbed, histories: readonly Replayable[]) {
  const workflowBundle = { codePath: join(cluster.build, 'workflow-bundle.js') };
  const errors: string[] = [];
  let total = 0;
  for await (const { error, workflowId } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    total += 1;
    if (error) errors.push(`${workflowId}: ${error.message}`);
  }
  return { total, errors };
}
