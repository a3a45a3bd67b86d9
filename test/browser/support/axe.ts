import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The problems that axe finds in the current page, as readable lines; a test expects none.
 *
 * It runs through the debugger, because the page's own policy allows no foreign script.
 *
 * @param within a selector: checks only this part, if the rest of the page was checked before
 */
export async function axeViolations(page: Page, within = 'html'): Promise<string[]> {
  // Colours on their way to others are neither of both.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations'] })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${help}: ${target.join(' ')} ${any[0]?.message ?? ''}`.trim()),
  );
}
