// One of the processes of `startProcesses`. It gets the settings from its parent process, and ends with it.

import { once } from 'node:events';
import { AggregatorRegistry } from 'prom-client';
import { ConfigError, type Config } from '../config';
import { createLogger } from '../platform/logger';
import { startRole, type Role } from './start-role';
import { installTemporalRuntime } from '../worker';

/** The messages to the parent process. */
export type Message =
  | { readonly kind: 'runs'; readonly url: string | undefined }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly code: string | undefined;
      readonly isConfigError: boolean;
    }
  | { readonly kind: 'worker-ready' | 'indexes-ready' };

async function main(role: Role): Promise<void> {
  // It answers the parent process. Until the role runs, there is nothing to count.
  AggregatorRegistry.setRegistries([]);
  void new AggregatorRegistry();
  const [config] = (await once(process, 'message')) as [Config];
  const logger = createLogger(config.logLevel);
  installTemporalRuntime(logger);
  const running = await startRole(role, config, logger, { servesMetrics: false });
  AggregatorRegistry.setRegistries(running.registry);
  const stop = (): void => void running.close().finally(() => process.exit());
  process.once('SIGTERM', stop);
  // A service manager may tell every process, and then the parent tells this one again: that must not end it at once.
  process.on('SIGTERM', () => undefined);
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
