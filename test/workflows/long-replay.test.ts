import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { loadConfig } from '../../src/config';
import { DELIVERY_TASK_QUEUE } from '../../src/domain/delivery-contract';
import { REPLAY_WORKFLOW, type ReplayActivities } from '../../src/domain/replay-contract';
import { findServer } from '../../src/local/find-server';
import { startEphemeral } from '../support/ephemeral-server';
import { quietTemporal } from '../support/quiet-temporal';
import { workflowCode } from '../../src/worker';

// A bulk replay of a hundred thousand deliveries has a longer history than Temporal allows. This server suggests to
// begin a new execution after 25 events instead of 4,096.

test('a long bulk replay goes on in new executions, keeps its pace, and counts its deliveries once', async () => {
  quietTemporal();
  const config = loadConfig();
  const path = await findServer('temporal', {
    configuredPath: config.temporal.binary,
    cacheDir: config.cacheDir,
    onProgress: () => undefined,
  });
  const environment = await startEphemeral(() =>
    TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path },
        extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=25'],
      },
    }),
  );
  let counted = 0;
  const pages: number[] = [];
  const activities: ReplayActivities = {
    countReplay: async () => void (counted += 1),
    replayPage: async () => {
      if (pages.length === 12) return null;
      pages.push(Date.now());
      return { taken: 10, ratePerSecond: 20, replayed: pages.length * 10, matched: 120 };
    },
    recordReplayCancelled: async () => undefined,
  };
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: DELIVERY_TASK_QUEUE,
    workflowBundle: await workflowCode(),
    activities,
  });
  const running = worker.run();
  try {
    const handle = await environment.client.workflow.start(REPLAY_WORKFLOW, {
      taskQueue: DELIVERY_TASK_QUEUE,
      workflowId: 'replay/rpl_long',
      args: [{ jobId: 'rpl_long' }],
    });
    const first = handle.firstExecutionRunId;
    await handle.result();

    expect((await environment.client.workflow.getHandle('replay/rpl_long').describe()).runId).not.toBe(first);
    expect(counted).toBe(1);
    expect(pages).toHaveLength(12);
    // Eleven waits of half a second.
    expect(pages.at(-1)! - pages[0]!).toBeGreaterThan(11 * 500 - 250);
  } finally {
    worker.shutdown();
    await running;
    await environment.teardown();
  }
}, 90_000);
