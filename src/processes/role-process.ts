// One of the processes of `startProcesses`. It gets the settings from its parent process, and ends with it.

import { once } from 'node:events';
import { ConfigError, type Config } from '../config';
import { createLogger } from '../platform/logger';
import { chooseTemporalMetrics } from '../platform/temporal-metrics';
import { ASK_METRICS, ASK_READINESS, type Message } from './role-messages';
import { startRole, type Role } from './start-role';
import { installTemporalRuntime } from '../worker';

async function main(role: Role): Promise<void> {
  const [config] = (await once(process, 'message')) as [Config];
  const logger = createLogger(config.logLevel).child({ role });
  installTemporalRuntime(logger, await chooseTemporalMetrics());
  const running = await startRole(role, config, logger, { servesMetrics: false });
  const stop = (): void => void running.close().finally(() => process.exit());
  process.once('SIGTERM', stop);
  // A service manager may tell every process, and then the parent tells this one again: that must not end it at once.
  process.on('SIGTERM', () => undefined);
  process.on('message', (message) => {
    if (message === ASK_READINESS) void running.readiness().then((readiness) => tell({ kind: 'readiness', readiness }));
    if (message === ASK_METRICS) {
      void running.registry.getMetricsAsJSON().then((metrics) => tell({ kind: 'metrics', metrics }));
    }
  });
  tell({ kind: 'runs', url: running.url });
  void running.workerReady.then(() => tell({ kind: 'worker-ready' }));
  void running.indexesReady.then(() => tell({ kind: 'indexes-ready' }));
}

function tell(message: Message): void {
  if (process.connected) process.send!(message);
}

// Ctrl-C reaches every process of the terminal: the parent stops this one.
process.on('SIGINT', () => undefined);

// The parent was killed. This runs before Node's own listener, which exits: that would flush the log, and sonic-boom
// 4.2 retries forever to write into a pipe without a reader, while this process keeps its leases and claims in MongoDB.
process.prependOnceListener('disconnect', () => process.kill(process.pid, 'SIGKILL'));

main(process.argv[2] as Role).catch((error: unknown) => {
  const { message: text, code } = error as NodeJS.ErrnoException;
  tell({ kind: 'failed', text, code, isConfigError: error instanceof ConfigError });
  process.exit(1);
});
