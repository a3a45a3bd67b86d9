import type { Locator, Page } from '@playwright/test';
import { expect } from './dashboard';

/** A person at the dashboard, whose clicks are counted. */
export type Person = ReturnType<typeof createPerson>;

/** Counts from the moment on when the person is signed in and sees the overview. */
export function createPerson(page: Page) {
  let clicks = 0;
  let seenAt = performance.now();
  return {
    /** The person has signed in: nothing was clicked yet. */
    begin(): void {
      clicks = 0;
      seenAt = performance.now();
    },
    async click(target: Locator): Promise<void> {
      await target.click();
      clicks += 1;
    },
    /** "/", a text, and Enter, which opens the first result: as much work as a click. */
    async search(text: string): Promise<void> {
      await page.keyboard.press('/');
      const field = page.getByRole('dialog', { name: 'Search' }).getByRole('combobox', { name: 'Search' });
      await expect(field).toBeFocused();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      clicks += 1;
    },
    clicks: (): number => clicks,
    seconds: (): number => (performance.now() - seenAt) / 1_000,
  };
}
