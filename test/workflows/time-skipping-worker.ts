import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { workflowCode } from '../../src/worker';
import { startEphemeral } from '../support/ephemeral-server';
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
  return {
    /** Ends the workers, and the server. */
    async close(): Promise<void> {
      for (const worker of workers) worker.shutdown();
      await running;
      await environment.teardown();
    },
  };
}
