import { Client, Connection } from '@temporalio/client';

/** Works with Temporal as an operator does, in its Web UI or by its CLI. */
export async function withTemporal<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: 10_000 });
  try {
    return await work(new Client({ connection, namespace: 'default' }));
  } finally {
    await connection.close();
  }
}

/** How often each workflow id of an account was started. */
export function countExecutions(address: string, accountId: string): Promise<Map<string, number>> {
  return withTemporal(address, async (client) => {
    const counts = new Map<string, number>();
    for await (const { workflowId } of client.workflow.list({ query: `EverpostAccountId = '${accountId}'` })) {
      counts.set(workflowId, (counts.get(workflowId) ?? 0) + 1);
    }
    return counts;
  });
}
