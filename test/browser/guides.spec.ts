import { axeViolations } from './support/axe';
import { expect, test } from './support/test';

const PAGES = ['/guides', '/guides/questions', '/guides/frameworks', '/guides/errors', '/docs'];
const SEARCH = 'Search the guides and the API';

test('a newcomer finds how customers get endpoints, beginning at the sign-in page', async ({ page }) => {
  await page.goto('/dashboard/sign-in');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Guides' }).click();
  await expect(page).toHaveTitle('Guides · Everpost');
  await page.getByRole('link', { name: 'How do my customers get endpoints?' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'How do my customers get endpoints?' })).toBeInViewport();
  await page.getByRole('main').getByRole('link', { name: 'the portal', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'The portal' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'The portal in a page of a platform' })).toBeVisible();
});

for (const look of ['light', 'dark'] as const) {
  test(`axe finds nothing in guides and reference, with open results too: ${look}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: look });
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page.getByRole('searchbox', { name: SEARCH })).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
    }
    await page.getByRole('searchbox', { name: SEARCH }).fill('retry');
    await expect(page.getByRole('status').filter({ hasText: 'results' })).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
  });
}

test('the search finds parts of guides and operations of the API, with the keyboard alone', async ({ page }) => {
  await page.goto('/guides/keys');
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: SEARCH });
  await expect(search).toBeFocused();
  await page.keyboard.type('source addr');
  const found = page.getByRole('search').getByRole('link');
  await expect(found.filter({ hasText: 'Firewalls, browsers, retention' })).toBeVisible();
  await search.fill('from which addresses');
  await expect(found.first()).toContainText('From which addresses do deliveries come?');
  await page.keyboard.press('ArrowDown');
  await expect(found.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/guides\/questions#from-which-addresses-do-deliveries-come$/);

  await page.keyboard.press('/');
  await page.keyboard.type('ingest an event');
  await expect(found.first()).toContainText('API reference');
  await page.keyboard.press('Escape');
  await expect(found).toHaveCount(0);
  await expect(search).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs#ingestEvent$/);

  await search.fill('no such words anywhere');
  await expect(page.getByRole('search').getByText('Nothing found.')).toBeVisible();
});

test('a button copies a block of code, and says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/guides/frameworks#flask');
  const block = page.locator('.code', { hasText: 'from flask import Flask' });
  await block.getByRole('button', { name: 'Copy' }).click();
  await expect(block.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^from flask import Flask, request\n[^]*request\.headers\)$/);
});

test('on a phone nothing is wider than the page, and the list of guides is one tap away', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('searchbox', { name: SEARCH })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.getByRole('banner').getByRole('link', { name: 'Guides' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Guides' })).toBeVisible();
});

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('the guides can be read', async ({ page }) => {
    await page.goto('/guides');
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Receivers' }).click();
    await page.getByRole('link', { name: 'python/receiver.py' }).click();
    await expect(page.locator('pre')).toContainText('import hmac');
    await expect(page.getByRole('searchbox')).toHaveCount(0);
  });
});
