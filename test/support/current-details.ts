import type { WorkflowHandle } from '@temporalio/client';

/** What the Web UI shows as an execution's current details; it is asked for by a query of the SDK's own. */
export async function currentDetailsOf(execution: WorkflowHandle): Promise<string | undefined> {
  const metadata = await execution.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}
