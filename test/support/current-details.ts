import type { WorkflowHandle } from '@temporalio/client';

/** An execution's current details, as the Web UI shows them; the SDK has a query for them. */
export async function currentDetailsOf(execution: WorkflowHandle): Promise<string | undefined> {
  const metadata = await execution.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}
