import { TestWorkflowEnvironment } from '@temporalio/testing';
import { REPLAY_WORKFLOW, type ReplayActivities } from '../../src/domain/replay-contract';
import { startEphemeral } from '../support/ephemeral-server';
import { quietTemporal } from '../support/quiet-temporal';
import { serverBinary } from '../support/server-binary';
import { runWorkers } from './time-skipping-worker';

// A bulk replay may have a hundred thousand deliveries; no execution's history may grow without end (Temporal ends it at
// 51,200 events). This server suggests to begin a new one after 25 events instead of 4,096.

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  quietTemporal();
  const path = await serverBinary('temporal');
  environment = await startEphemeral(() =>
    TestWorkflowEnvironment.createLocal({
      server: {
        executable: { type: 'existing-path', path },
        extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=25'],
      },
    }),
  );
}, 60_000);

afterAll(() => environment?.teardown());

it('a long bulk replay goes on in new executions, keeps its pace, and counts its deliveries once', async () => {
  let counted = 0;
  const pages: number[] = [];
  const activities: ReplayActivities = {
    countReplay: async () => void (counted += 1),
    replayPage: async () => {
      if (pages.length === 12) return null;
      pages.push(Date.now());
      return { taken: 10, ratePerSecond: 50, replayed: pages.length * 10, matched: 120 };
    },
    recordReplayCancelled: async () => undefined,
  };
  const { workflow } = environment.client;
  const worker = await runWorkers(environment, ['long-replay'], activities);
  try {
    const workflowId = 'replay/rpl_long';
    const handle = await workflow.start(REPLAY_WORKFLOW, {
      taskQueue: 'long-replay',
      workflowId,
      args: [{ jobId: 'rpl_long' }],
    });
    await handle.result();

    expect((await workflow.getHandle(workflowId).describe()).runId).not.toBe(handle.firstExecutionRunId);
    expect(counted).toBe(1);
    expect(pages).toHaveLength(12);
    // Eleven waits of 200 ms.
    expect(pages.at(-1)! - pages[0]!).toBeGreaterThan(11 * 200 - 100);
  } finally {
    await worker.stop();
  }
});
