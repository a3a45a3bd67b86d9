// One role in a process of its own: `node role-process.js <build> <role> <sweeper timing as JSON>`. It is what
// `node dist/src/main.js <role>` does, but for a sweeper whose minutes are seconds, so that a test can wait for it.
// Says `{"url": …}` on standard output when it is ready.

import { join } from 'node:path';

const [, , build = '', role = '', timing = ''] = process.argv;

function fromBuild<T>(file: string): T {
  return require(join(build, file)) as T;
}

async function main(): Promise<void> {
  const { startRole } = fromBuild<typeof import('../../../src/main')>('src/main.js');
  const { loadConfig } = fromBuild<typeof import('../../../src/config')>('src/config.js');
  const { createLogger } = fromBuild<typeof import('../../../src/platform/logger')>('src/platform/logger.js');
  const { installTemporalRuntime } = fromBuild<typeof import('../../../src/worker')>('src/worker.js');
  const config = loadConfig();
  const logger = createLogger(config.logLevel, process.stderr);
  installTemporalRuntime(logger);
  const running = await startRole(role as 'api' | 'worker', config, logger, { sweeperTiming: JSON.parse(timing) });
  await running.workerReady;
  process.stdout.write(`${JSON.stringify({ url: running.url })}\n`);
  process.once('SIGTERM', () => void running.close().then(() => process.exit(0)));
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
