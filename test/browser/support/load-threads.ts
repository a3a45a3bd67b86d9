const LOADER = require.resolve('../../harness/load-typescript.js');

// Playwright loads TypeScript in its own processes only, and the product passes these options on to its threads. They are
// set only where tests run, because Playwright starts those processes with its own options.
if (process.env['TEST_WORKER_INDEX'] !== undefined && !process.execArgv.includes(LOADER)) {
  process.execArgv.push('--require', LOADER);
}
