import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const views = (page: Page) => page.getByRole('group', { name: 'Saved views' });

async function saveView(page: Page, name: string): Promise<void> {
  await views(page).getByRole('button', { name: 'Save view' }).click();
  await page.getByLabel('Name of the view').fill(name);
  await page.getByLabel('Name of the view').press('Enter');
  await expect(views(page).getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true');
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('a list of events is saved as it is filtered, opened again after a reload, and deleted', async ({
  page,
  account,
}) => {
  for (const type of ['order.created', 'invoice.paid']) {
    await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  }
  await page.goto('/dashboard/events');
  const rows = page.getByRole('row', { name: /order\.|invoice\./ });
  await expect(rows).toHaveCount(2);
  await expect(views(page)).toHaveCount(0);
  await page.getByLabel('Event type').fill('order.*');
  await page.getByLabel('Event type').press('Enter');
  await expect(rows).toHaveCount(1);
  await choose(page, 'Status', 'No destination');
  await saveView(page, 'Orders without a receiver');

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(2);
  await page.reload();
  await views(page).getByRole('button', { name: 'Orders without a receiver', exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/\?status=no_destinations&type=order\.\*$|\?type=order\.\*&status=no_destinations$/);

  await page.getByRole('button', { name: 'Delete the view Orders without a receiver' }).click();
  await expect(views(page).getByRole('button', { name: 'Orders without a receiver', exact: true })).toHaveCount(0);
  await page.reload();
  await expect(views(page).getByRole('button', { name: 'Save view' })).toBeVisible();
});

test('deliveries have views of their own; axe finds nothing in them, light and dark, wide and on a phone', async ({
  page,
  account,
}) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard/deliveries?state=failed');
  await saveView(page, 'Failed');
  await page.goto('/dashboard/events?status=failed');
  await expect(views(page).getByRole('button')).toHaveCount(1);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const size of [
      { width: 1280, height: 860 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size);
      await page.goto('/dashboard/deliveries?state=failed');
      await expect(views(page).getByRole('button', { name: 'Failed', exact: true })).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await page.goto('/dashboard/deliveries?state=delivered');
      await views(page).getByRole('button', { name: 'Save view' }).click();
      await expect(page.getByLabel('Name of the view')).toBeFocused();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      const folder = process.env['SEARCH_PICTURES'];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/views-${scheme}-${size.width}.png` });
    }
  }
});
