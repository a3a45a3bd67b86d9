import { ConfigError, loadConfig, type Config } from './config';
import { createLogger, type Logger } from './platform/logger';
import { chooseTemporalMetrics } from './platform/temporal-metrics';
import { createSecretBox } from './platform/secret-box';
import { startProcesses } from './processes/start-processes';
import { ROLES, type Role } from './processes/start-role';
import { installTemporalRuntime } from './worker';

/** `node dist/src/main.js <role>`: the entry point in production. */
async function main(role: string | undefined): Promise<void> {
  if (!ROLES.includes(role as Role)) throw new ConfigError(`Name a role: ${ROLES.join(', ')}.`);
  const config = loadConfig();
  const logger = createLogger(config.logLevel).child({ role });
  installTemporalRuntime(logger, await chooseTemporalMetrics());
  warnOfOpenNetworks(config, logger);
  const running = await startProcesses(role as Role, config, logger);
  // The ids reveal nothing about the keys. During a rotation they show which process has which.
  const { keyIds } = createSecretBox(config.encryptionKeys);
  logger.info({ url: running.url, metrics: running.metricsUrl, key_ids: keyIds }, 'everpost started');
  let isStopping = false;
  const stop = (signal: string): void => {
    // One Ctrl-C may arrive twice, directly and through npm.
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Logs a warning for each relaxed network rule. */
export function warnOfOpenNetworks({ delivery }: Config, logger: Logger): void {
  const { allowHttp, allowCidrs } = delivery.policy;
  if (allowHttp || allowCidrs.length > 0) {
    logger.warn(
      { allowHttp, allowCidrs },
      'DELIVERIES MAY GO TO PRIVATE NETWORKS OR OVER PLAIN HTTP: every key holder can reach them',
    );
  }
}

if (require.main === module) {
  main(process.argv[2]).catch((error: unknown) => {
    const text = error instanceof ConfigError ? error.message : error;
    console.error(text);
    process.exit(1);
  });
}
