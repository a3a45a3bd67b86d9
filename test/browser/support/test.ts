import { test as base } from '@playwright/test';
import { buildStack, type Stack } from '../../support/build-stack';
import { eventually } from '../../support/eventually';
// oxlint-disable-next-line import/no-unassigned-import -- it changes the process
import './load-threads';
import { watchPage, type PageWatch } from './watch-page';

const START_TIMEOUT_MS = 300_000;

interface WorkerFixtures {
  /** An API with the page, on a separate database; shared by the tests of a file. */
  readonly stack: Stack;
}

interface TestFixtures {
  /** The browser's errors and requests. Every test ends with a check that there were no errors. */
  readonly watch: PageWatch;
}

/** Playwright's `test` with a running product behind `page`. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  stack: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const stack = await buildStack({ role: 'api' });
      // The catalog is loaded in the background.
      const catalog = () => fetch(`${stack.url}/api/cost-estimator`);
      await eventually(catalog, ({ ok }) => ok, START_TIMEOUT_MS);
      await use(stack);
      await stack.close();
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
  baseURL: async ({ stack }, use) => use(stack.url),
  watch: [
    async ({ page, stack }, use) => {
      const watch = watchPage(page, stack.url);
      await use(watch);
      watch.expectNothingWrong();
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
