import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { loadConfig } from '../../src/config';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';
import { findServer } from '../../src/local/find-server';
import { wake } from '../../workflows/deliver-event';
import { startEphemeral } from '../support/ephemeral-server';
import { eventually } from '../support/eventually';
import { quietTemporal } from '../support/quiet-temporal';
import { buildAnswer, stageOn, type Stage } from './build-stage';

// A delivery may be held for months, and its execution's history may not grow without end (Temporal ends it at 51,200
// events). This server suggests to begin a new one after 25 events instead of 4,096.

let stage: Stage;

beforeAll(async () => {
  quietTemporal();
  const config = loadConfig();
  const path = await findServer('temporal', {
    configuredPath: config.temporal.binary,
    cacheDir: config.cacheDir,
    onProgress: () => undefined,
  });
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

test('a delivery that is held for long goes on in a new execution, with the same attempt', async () => {
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
