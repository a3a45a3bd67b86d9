import { loadConfig } from '../../src/config';
import { findServer } from '../../src/local/find-server';
import { startThrowawayServers } from '../../src/local/throwaway-servers';
import { keepForTeardown } from './global-teardown';
import { TEST_SERVERS_VARIABLE, type TestServersRecord } from './servers';

/** Says what it does: a first run downloads servers. */
function onProgress(line: string) {
  process.stderr.write(`${line}\n`);
}

/**
 * Starts one mongod and one Temporal server for the whole run. Whatever happens to jest, they end with it.
 * (A default export, because jest looks for nothing else.)
 *
 * @param jest what jest was called with
 */
export default async function globalSetup(jest: { readonly nonFlagArgs?: readonly string[] }): Promise<void> {
  const paths = jest.nonFlagArgs ?? [];
  if (paths.length > 0 && paths.every((path) => path.includes('test/unit'))) return;
  const config = loadConfig();
  const [servers, testServerBinary] = await Promise.all([
    startThrowawayServers({ config, onProgress }),
    findServer('temporal-test-server', { cacheDir: config.cacheDir, onProgress }),
  ]);
  keepForTeardown(servers);
  const record: TestServersRecord = {
    mongodbUri: servers.mongod.uri,
    temporalAddress: servers.temporal.address,
    testServerBinary,
  };
  process.env[TEST_SERVERS_VARIABLE] = JSON.stringify(record);
}
