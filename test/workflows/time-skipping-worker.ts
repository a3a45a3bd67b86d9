import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { workflowCode } from '../../src/worker';
import { startEphemeral } from '../support/ephemeral-server';
import { useFixture } from '../support/fixture';
import { quietTemporal } from '../support/quiet-temporal';
import { testServers } from '../support/servers';

/** Temporal's time-skipping server. */
export function createTimeSkipping(): Promise<TestWorkflowEnvironment> {
  quietTemporal();
  return startEphemeral(() =>
    TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path: testServers().testServerBinary } },
    }),
  );
}

/** Workers on a server, one for each task queue; the first has the product's workflows. */
export async function runWorkers(
  environment: TestWorkflowEnvironment,
  taskQueues: readonly string[],
  activities: object,
) {
  const connection = environment.nativeConnection;
  const workflowBundle = await workflowCode();
  const workers = await Promise.all(
    taskQueues.map((taskQueue, index) =>
      // Without a cache each step is replayed from the start; with one, this server hangs now and then.
      Worker.create({
        connection,
        taskQueue,
        activities,
        ...(index === 0 && { workflowBundle, maxCachedWorkflows: 0 }),
      }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  const stop = async (): Promise<void> => {
    for (const worker of workers) worker.shutdown();
    await running;
  };
  return {
    /** Ends the workers. */
    stop,
    /** Ends the workers, and the server. */
    async close(): Promise<void> {
      await stop();
      await environment.teardown();
    },
  };
}

/** Gives the tests of a file a time-skipping server with workers. */
export function useTimeSkipping(taskQueues: readonly string[], activities: object) {
  return useFixture(
    'file',
    async () => {
      const environment = await createTimeSkipping();
      return { environment, ...(await runWorkers(environment, taskQueues, activities)) };
    },
    ({ close }) => close(),
  );
}
