import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_VARIABLE, chromiumFlags } from '../../dev/find-chromium';
// oxlint-disable-next-line import/no-unassigned-import -- it changes the environment
import '../harness/hermetic';

const CHROMIUM = process.env[CHROMIUM_VARIABLE];

/** Each run has its own folder, because Playwright empties it first. The workers read this file again. */
const OUTPUT = (process.env['EVERPOST_BROWSER_OUTPUT'] ??= join(tmpdir(), `everpost-browser-${process.pid}`));

// Playwright loads TypeScript in this process; the product's threads need a loader of their own.
if (process.env['TEST_WORKER_INDEX'] !== undefined) {
  process.execArgv.push('--require', join(__dirname, '..', 'harness', 'load-typescript.js'));
}

/** The pages in a real browser, on separate servers, ports and data. (A default export, which Playwright requires.) */
export default defineConfig({
  testDir: '.',
  globalSetup: './support/global-setup.ts',
  outputDir: OUTPUT,
  // Each has a browser and an API of its own. Two need two thirds of the time of one on two cores.
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  // Generous: on a busy machine a browser is slow, and not wrong.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: process.env['CI'] === undefined ? 'list' : [['list'], ['json']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 860 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    // A trace of every test would cost more than the tests.
    screenshot: 'only-on-failure',
    launchOptions: { args: chromiumFlags(), ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }) },
  },
});
