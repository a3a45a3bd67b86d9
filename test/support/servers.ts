/** Real servers, started once for the whole jest run by `global-setup.ts`. */
export interface TestServers {
  /**
   * Address of a real mongod (a single-node replica set), shared by every test file. Use a database of your own
   * (`everpost_test_<random>`), and drop it when done.
   */
  readonly mongodbUri: string;
  /**
   * `host:port` of a real Temporal dev server with our search attributes in the namespace `default`, shared by
   * every test file. Use task queues and workflow ids of your own.
   */
  readonly temporalAddress: string;
}

/** How `global-setup.ts` hands the addresses to the test files' processes. */
export const TEST_SERVERS_VARIABLE = 'EVERPOST_TEST_SERVERS';

/** What travels in that variable. */
export interface TestServersRecord extends TestServers {
  readonly testServerBinary: string;
}

/**
 * The servers of this jest run: both are up and healthy when a test file begins.
 *
 * @throws Error when jest was started on `test/unit` only: unit tests need no server
 */
export function testServers(): TestServers {
  const { mongodbUri, temporalAddress } = record();
  return { mongodbUri, temporalAddress };
}

/**
 * Path of Temporal's time-skipping test server, for
 * `TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`.
 */
export function testServerBinary(): string {
  return record().testServerBinary;
}

function record(): TestServersRecord {
  const text = process.env[TEST_SERVERS_VARIABLE];
  if (!text) throw new Error('The test servers were not started: a test in test/unit must not need one.');
  return JSON.parse(text) as TestServersRecord;
}
