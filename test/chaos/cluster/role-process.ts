// One role in a separate process: `node role-process.js <build> <role> <sweeper timing as JSON>`. It does what `node
// dist/src/main.js <role>` does, except that the sweeper's minutes are seconds, so that a test can wait for it. Prints
// `{"url": …, "metricsUrl": …}` on standard output when it is ready.

import { join } from 'node:path';
import type { Role } from '../../../src/processes/start-role';

const [, , build = '', role = '', timing = ''] = process.argv;

function fromBuild(file: string): unknown {
  return require(join(build, file));
}

async function main(): Promise<void> {
  const { startRole } = fromBuild('src/processes/start-role.js') as typeof import('../../../src/processes/start-role');
  const { loadConfig } = fromBuild('src/config.js') as typeof import('../../../src/config');
  const { createLogger } = fromBuild('src/platform/logger.js') as typeof import('../../../src/platform/logger');
  const { installTemporalRuntime } = fromBuild('src/worker.js') as typeof import('../../../src/worker');
  const config = loadConfig();
  const logger = createLogger(config.logLevel, process.stderr);
  installTemporalRuntime(logger);
  const running = await startRole(role as Role, config, logger, { sweeperTiming: JSON.parse(timing) });
  await running.workerReady;
  process.stdout.write(`${JSON.stringify({ url: running.url, metricsUrl: running.metricsUrl })}\n`);
  process.once('SIGTERM', () => void running.close().then(() => process.exit(0)));
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
