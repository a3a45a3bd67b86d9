const { availableParallelism } = require('node:os');

require('./test/harness/hermetic');

/** Node runs the tests, not jest's sandbox: test/harness/load-natively.js says why. */
const NATIVE = {
  testEnvironment: '<rootDir>/test/harness/environment.js',
  transform: { '(\\.test|/record-[a-z-]+)\\.ts$': '<rootDir>/test/harness/load-natively.js' },
};

/** Real servers, once for the whole run. */
const WITH_SERVERS = {
  ...NATIVE,
  globalSetup: '<rootDir>/test/harness/global-setup.js',
  globalTeardown: '<rootDir>/test/harness/global-teardown.js',
};

const filesOf = (...folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);

/** A promise each, which CONTRIBUTING.md names. */
const KINDS = [
  { ...NATIVE, displayName: 'unit', testMatch: filesOf('unit') },
  {
    ...WITH_SERVERS,
    displayName: 'behaviour',
    testMatch: filesOf(
      'api',
      'chaos',
      'client',
      'contract',
      'dashboard',
      'data-path',
      'house',
      'local',
      'receivers',
      'sender',
    ),
  },
  { ...WITH_SERVERS, displayName: 'time', testMatch: filesOf('time', 'workflows') },
  { ...WITH_SERVERS, displayName: 'breakage', testMatch: filesOf('breakage') },
];

/** No tests: they write the histories that are replayed. */
const RECORDERS = [
  { ...WITH_SERVERS, displayName: 'record', testMatch: ['<rootDir>/test/workflows/replay/record-*.ts'] },
];

/** @type {import('jest').Config} */
module.exports = {
  projects: process.env.RECORD_HISTORIES ? RECORDERS : KINDS,
  // So long hangs a test, on a machine that is busy too; each waits for its own events.
  testTimeout: 180_000,
  // Tests wait for servers about as long as they compute, so more files than cores run at a time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testSequencer: '<rootDir>/test/harness/sequencer.js',
  // A worker that holds so much is replaced by a new one.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', '<rootDir>/test/harness/slowest-reporter.js'],
};
