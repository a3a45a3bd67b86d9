require('../harness/hermetic');

/** The services of docker-compose.yml as processes of this machine; `npm run test:cluster`. */
module.exports = {
  rootDir: '../..',
  testEnvironment: '<rootDir>/test/harness/environment.js',
  transform: { '\\.test\\.ts$': '<rootDir>/test/harness/load-natively.js' },
  testMatch: ['<rootDir>/test/cluster/*.test.ts'],
  // Most of it is for a busy machine: eleven processes share its cores.
  testTimeout: 300_000,
};
