import { join } from 'node:path';
import { ConfigError, loadConfig } from '../src/config';
import { warnOfOpenNetworks } from '../src/main';
import { createLogger } from '../src/platform/logger';
import { installTemporalRuntime } from '../src/worker';
import { renderBanner } from './banner';
import { takeDataDir, type DataDir } from './data-dir';
import { LocalStackError } from './messages';
import { createLocalStack, type LocalStack } from './stack';
import { createStackLog } from './stack-log';

/** One Ctrl-C in a terminal may reach this process twice, directly and through npm; a user's second one comes later. */
const SAME_CTRL_C_MS = 500;

function say(line: string) {
  process.stderr.write(`${line}\n`);
}

/** `npm start` and `everpost start`: the complete product on one machine. */
async function main(): Promise<void> {
  const config = loadConfig();
  const folder = await takeDataDir(config.dataDir);
  const logFile = join(folder.path, 'everpost.log');
  const log = createStackLog(logFile, say);
  const logger = createLogger(config.logLevel, log).child({ role: 'all' });
  installTemporalRuntime(logger);
  const stack = createLocalStack({ config, dataDir: folder.path, logger, log, onProgress: say });
  const signals = stopOnSignals(stack, folder);
  try {
    const running = await stack.start();
    const { apiUrl, temporalUiUrl, temporalAddress, mongodbUri } = running;
    folder.announce({ apiUrl, temporalUiUrl, temporalAddress, mongodbUri, inboxUrl: running.inbox.pageUrl });
    process.stdout.write(renderBanner(running, { dataDir: folder.path, logFile }));
    warnOfOpenNetworks(config, logger);
  } catch (error) {
    // Stopped during the start: this is not a failure, and the signal's handler ends the process.
    if (signals.wasAsked()) return;
    await stack.stop();
    await folder.release();
    throw error;
  }
}

function stopOnSignals(stack: LocalStack, folder: DataDir): { wasAsked(): boolean } {
  let askedAt: number | undefined;

  async function stop(exitCode: number) {
    askedAt = Date.now();
    say('Stopping. Deliveries under way get 35 s; Ctrl-C again ends them at once, and the next start repeats them.');
    await stack.stop();
    await folder.release();
    say('Stopped.');
    process.exit(exitCode);
  }

  function onSignal() {
    if (askedAt === undefined) {
      stop(0).catch((error: unknown) => fail(error));
    } else if (Date.now() - askedAt > SAME_CTRL_C_MS) {
      say('Ended at once.');
      // Its servers end with it.
      process.exit(1);
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', (error) => {
    say(`Everpost must stop: ${error.stack}`);
    if (askedAt === undefined) stop(1).catch(fail);
  });
  // The reader of our output may end before this process does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return { wasAsked: () => askedAt !== undefined };

  function fail(error: unknown) {
    say(`Stopping failed: ${String(error)}`);
    process.exit(1);
  }
}

main().catch((error: unknown) => {
  const isExpected = error instanceof LocalStackError || error instanceof ConfigError;
  say(isExpected ? error.message : `Everpost could not start: ${error instanceof Error ? error.stack : String(error)}`);
  process.exit(1);
});
