import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../src/domain/delivery-contract';

const KEYWORD = 2;
const RETENTION_SECONDS = 86_400;

/**
 * Makes a Temporal namespace of the test's own, with our search attributes: task queues have fixed names, so two
 * stacks may not share a namespace.
 */
export async function buildNamespace(address: string): Promise<string> {
  const namespace = `test-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const connection = await Connection.connect({ address });
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
    });
    const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD]));
    await retry(() => connection.operatorService.addSearchAttributes({ namespace, searchAttributes }));
    // Until then a start that has them is refused.
    const query = SEARCH_ATTRIBUTES.map((name) => `${name} = 'known'`).join(' AND ');
    await retry(() => connection.workflowService.countWorkflowExecutions({ namespace, query }));
    return namespace;
  } finally {
    await connection.close();
  }
}

/** The server's parts learn of a new namespace one after the other. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
