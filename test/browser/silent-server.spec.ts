import type { Page } from '@playwright/test';
import { test } from './support/api-process';
import { expect, signUp } from './support/dashboard';

const liveState = (page: Page) => page.getByRole('status', { name: 'Live updates' });

test.afterEach(({ api }) => api.thaw());

/** A signed-in user on a page that follows what happens. The test sets the page's clock. */
async function followed(page: Page): Promise<void> {
  await page.clock.install();
  await signUp(page);
  await expect(liveState(page)).toHaveText('Live');
}

/** Lets the page's clock go on until the page is live. */
async function expectLiveAgain(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(1_000);
    await expect(liveState(page)).toHaveText('Live', { timeout: 500 });
  }).toPass();
}

test('a server that is silent for longer than it says is told, with the time of its last news; the page reconnects by itself', async ({
  page,
  api,
}) => {
  await followed(page);
  api.freeze();
  // Its line may be a little late.
  await page.clock.runFor(17_000);
  await expect(liveState(page)).toHaveText('Live');
  await page.clock.runFor(4_000);
  await expect(liveState(page)).toHaveText(/^No news since \d{1,2}:\d{2}:\d{2}/);
  await page.clock.runFor(30_000);
  await expect(liveState(page)).toHaveText(/^No news since/);
  api.thaw();
  await expectLiveAgain(page);
});

test('a page that is offline says so at once, and is live again when it is not', async ({ page, context }) => {
  await followed(page);
  await context.setOffline(true);
  await expect(liveState(page)).toHaveText('Offline');
  await context.setOffline(false);
  await expectLiveAgain(page);
});

test('a read that has no answer in 15 s says so, without more tries', async ({ page, api }) => {
  await followed(page);
  await page.goto('/dashboard/events');
  await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible();
  api.freeze();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Delivered', exact: true }).click();
  await page.clock.runFor(15_000);
  const alert = page.getByRole('alert').filter({ hasText: 'The events could not be loaded' });
  await expect(alert).toContainText('The server did not answer in 15 s.');
});

test('a page that is not loaded in 15 s says so', async ({ page, api }) => {
  await followed(page);
  api.freeze();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit log' }).click();
  await page.clock.runFor(15_000);
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await expect(page.getByText('The server did not answer in 15 s.')).toBeVisible();
});

test('a change that has no answer in 15 s says that it may have been saved', async ({ page, api }) => {
  await followed(page);
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill('late');
  api.freeze();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.clock.runFor(15_000);
  const alert = page.getByRole('alert').filter({ hasText: 'The server did not answer in 15 s' });
  await expect(alert).toContainText('It is unknown whether this was saved: reload to see.');
});
