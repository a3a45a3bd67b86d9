import { loadConfig } from '../../../src/config';
import { startThrowawayServers } from '../../../src/local/throwaway-servers';
import { TEST_SERVERS_VARIABLE, type TestServersRecord } from '../../support/servers';
import { CHROMIUM_VARIABLE, findChromium } from './find-chromium';

/** Says what it does: a first run downloads servers. */
function onProgress(line: string) {
  process.stderr.write(`${line}\n`);
}

/**
 * Finds the browser, and starts one mongod and one Temporal server for the whole run. Whatever happens to Playwright,
 * they end with it. (A default export, because Playwright looks for nothing else.)
 *
 * @returns what ends them
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  process.env[CHROMIUM_VARIABLE] = await findChromium(onProgress);
  const servers = await startThrowawayServers({ config: loadConfig(), onProgress });
  const record: TestServersRecord = {
    mongodbUri: servers.mongod.uri,
    temporalAddress: servers.temporal.address,
    // The time-skipping server is for tests of workflows.
    testServerBinary: '',
  };
  process.env[TEST_SERVERS_VARIABLE] = JSON.stringify(record);
  return () => servers.close();
}
