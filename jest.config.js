const { availableParallelism } = require('node:os');

/** What swc does with TypeScript and with the few libraries that need it. */
function swc(syntax) {
  const options = {
    jsc: { target: 'es2022', parser: { syntax } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  };
  return ['@swc/jest', options];
}

// jest's sandbox has no dynamic import(): without it the MongoDB driver sends no client metadata and the server
// refuses it. swc makes it a require().
const DRIVER_IMPORT = 'mongodb/lib/runtime_adapters\\.js$';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Real servers, once for the whole run (test/support/servers.ts).
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 90_000,
  // Most tests wait for servers: one for each core but one would leave a small machine idle.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // What a file of tests leaves behind adds up; a worker that holds so much is replaced by a new one.
  workerIdleMemoryLimit: '1GB',
  transform: { '^.+\\.ts$': swc('typescript'), [DRIVER_IMPORT]: swc('ecmascript') },
  transformIgnorePatterns: [`/node_modules/(?!${DRIVER_IMPORT})`],
};
