import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { onFreePorts } from '../../dev/ports';

/**
 * Starts a server with the SDK, which picks a free port and gives the server five seconds to listen on it. If another
 * process takes the port in between, the server never listens.
 *
 * @param start `TestWorkflowEnvironment.createLocal` or `createTimeSkipping`, with its options
 * @throws Error of the SDK when the third try fails too
 */
export function startEphemeral(start: () => Promise<TestWorkflowEnvironment>): Promise<TestWorkflowEnvironment> {
  return onFreePorts(start, (error) => String(error).includes('Failed to start ephemeral server'));
}
