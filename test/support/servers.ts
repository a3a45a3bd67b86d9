import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';
import { findServer } from '../../dev/find-server';
import { startThrowawayServers } from '../../dev/servers';
import { keepNamespacesReady } from './namespaces';
import { startStress } from './stress';

/** Real servers, shared by all tests of a run. */
export interface TestServers {
  /** A mongod (a single-node replica set). Use a separate database (`everpost_test_<random>`), and drop it. */
  readonly mongodbUri: string;
  /** `host:port` of a Temporal dev server. Workers use separate namespaces (`takeNamespace`). */
  readonly temporalAddress: string;
  /** The folder that lists the ready namespaces. */
  readonly namespaceFolder: string;
  /** Path of Temporal's time-skipping test server. */
  readonly testServerBinary: string;
}

/** How the process that starts the servers passes them to the processes of the tests. */
const VARIABLE = 'EVERPOST_TEST_SERVERS';

/**
 * Starts the servers of a run. They end with this process, however it ends.
 *
 * @returns a function that ends them
 */
export async function startTestServers(): Promise<() => Promise<void>> {
  const config = loadConfig();
  const [servers, testServerBinary] = await Promise.all([
    startThrowawayServers({ config, onProgress }),
    findServer('temporal-test-server', { cacheDir: config.cacheDir, onProgress }),
  ]);
  const record: TestServers = {
    mongodbUri: servers.mongod.uri,
    temporalAddress: servers.temporal.address,
    namespaceFolder: join(servers.folder, 'namespaces'),
    testServerBinary,
  };
  await mkdir(record.namespaceFolder);
  const namespaces = keepNamespacesReady(record);
  process.env[VARIABLE] = JSON.stringify(record);
  const isStressed = process.env['EVERPOST_TEST_STRESS'] !== undefined;
  const endStress = isStressed ? startStress(servers) : undefined;
  return async () => {
    await endStress?.();
    await namespaces.stop();
    await servers.close();
  };
}

/** Prints progress: a first run downloads servers. */
export function onProgress(line: string) {
  process.stderr.write(`${line}\n`);
}

/**
 * The servers of this run, up and healthy when a test file starts.
 *
 * @throws Error in a test of `test/unit`: those need no server, and none was started for them
 */
export function testServers(): TestServers {
  const text = process.env[VARIABLE];
  if (!text) throw new Error('The test servers were not started: a test in test/unit must not need one.');
  return JSON.parse(text) as TestServers;
}
