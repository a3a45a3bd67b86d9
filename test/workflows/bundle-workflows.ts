import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** The present workflow code, as a worker takes it. */
export function bundleWorkflows() {
  const workflowsPath = join(__dirname, '..', '..', 'workflows', 'index.ts');
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}
