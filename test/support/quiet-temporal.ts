import { createLogger } from '../../src/platform/logger';
import { installTemporalRuntime } from '../../src/worker';

let installed = false;

/**
 * Sends the Temporal SDK's log lines to our logger, which is silent in tests unless `TEST_LOG_LEVEL` says otherwise.
 * Call it once in a test file, before anything of Temporal is used; further calls change nothing.
 */
export function quietTemporal(): void {
  if (installed) return;
  installed = true;
  installTemporalRuntime(createLogger(process.env['TEST_LOG_LEVEL'] ?? 'silent'));
}
