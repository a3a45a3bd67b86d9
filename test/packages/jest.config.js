require('../harness/hermetic');

/**
 * The packages as a stranger gets them; `npm run test:packages`. PACKAGE_NODES names more versions of Node, from npm's package
 * `node`: PACKAGE_NODES='20 22 24'.
 */
module.exports = {
  rootDir: '../..',
  testEnvironment: '<rootDir>/test/harness/environment.js',
  // A running Everpost for the projects.
  globalSetup: '<rootDir>/test/harness/global-setup.js',
  globalTeardown: '<rootDir>/test/harness/global-teardown.js',
  transform: { '\\.test\\.ts$': '<rootDir>/test/harness/load-natively.js' },
  testMatch: ['<rootDir>/test/packages/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/test/packages/projects/'],
  // A start on a busy machine; the installation has its own time.
  testTimeout: 300_000,
};
