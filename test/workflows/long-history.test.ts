import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { REPLAY_WORKFLOW, type ReplayActivities } from '../../src/domain/replay-contract';
import { wake } from '../../workflows/deliver-event';
import { startEphemeral } from '../support/ephemeral-server';
import { eventually } from '../support/eventually';
import { quietTemporal } from '../support/quiet-temporal';
import { serverBinary } from '../support/server-binary';
import { buildAnswer, stageOn, type Stage } from './build-stage';
import { runWorkers } from './time-skipping-worker';

// A delivery may be held for months, and a bulk replay may have a hundred thousand deliveries; no execution's history may
// grow without end (Temporal ends it at 51,200 events). This server suggests to begin a new one after 25 events instead
// of 4,096.

let stage: Stage;

beforeAll(async () => {
  quietTemporal();
  const path = await serverBinary('temporal');
  stage = await stageOn(
    await startEphemeral(() =>
      TestWorkflowEnvironment.createLocal({
        server: {
          executable: { type: 'existing-path', path },
          searchAttributes: SEARCH_ATTRIBUTES.map((name) => defineSearchAttributeKey(name, 'KEYWORD')),
          extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=25'],
        },
      }),
    ),
  );
}, 60_000);

afterAll(() => stage?.close());

it('a delivery that is held for long goes on in a new execution, with the same attempt', async () => {
  let paused = true;
  const accountId = defineSearchAttributeKey('EverpostAccountId', 'KEYWORD');
  const delivery = await stage.start(
    { attemptDelivery: ({ number }) => (paused ? { kind: 'held' } : buildAnswer(number, number === 1 ? 503 : 200)) },
    { schedule: [0, 100, 100] },
    { typedSearchAttributes: new TypedSearchAttributes([{ key: accountId, value: 'acc_test' }]) },
  );
  const { firstExecutionRunId } = delivery.handle;
  const current = stage.environment.client.workflow.getHandle(delivery.handle.workflowId);

  await eventually(
    async () => {
      await current.signal(wake);
      return (await current.describe()).runId;
    },
    (runId) => runId !== firstExecutionRunId,
    30_000,
  );
  // An operator still finds it.
  expect((await current.describe()).typedSearchAttributes.get(accountId)).toBe('acc_test');
  paused = false;
  await current.signal(wake);

  expect(await delivery.handle.result()).toEqual({ state: 'delivered', attempts: 2 });
  const numbers = delivery.attempts().map(({ number }) => number);
  expect(numbers.slice(0, -1)).toEqual(Array(numbers.length - 1).fill(1));
  expect(numbers.at(-1)).toBe(2);
});

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
  const { workflow } = stage.environment.client;
  const worker = await runWorkers(stage.environment, ['long-replay'], activities);
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
