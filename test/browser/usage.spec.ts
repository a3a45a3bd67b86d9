import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

/** A card of the page, by its heading. */
const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) });

/** Looks again until what was counted is stored. */
async function untilShown(page: Page, title: string): Promise<void> {
  await expect(async () => {
    await page.goto('/dashboard/usage');
    await expect(card(page, title).getByText('Show as a table')).toBeVisible({ timeout: 10_000 });
  }).toPass();
}

test('the navigation leads to the usage; without calls the page says how they come about', async ({
  page,
  account,
}) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await expect(page.getByText('No calls on these days')).toBeVisible();
  await expect(page.getByText('0 of 500')).toBeVisible();
});

test('calls by day and key, refused calls by reason, and attempts are shown, by keyboard and to axe', async ({
  page,
  account,
  stack,
  receiver,
}) => {
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  const accounts = stack.mongo.db.collection('accounts');
  await accounts.updateOne({ email: account.email }, { $set: { 'limits.quota_used': 499 } });
  const answers = [];
  for (let made = 0; made < 3; made += 1) answers.push(await account.call('GET', '/api/v1/keys/self'));
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);

  await untilShown(page, 'Refused calls by day');
  await untilShown(page, 'Delivery attempts by day');
  await expect(page.getByText('500 of 500')).toBeVisible();
  await expect(page.getByText(/^The quota is used up: calls get 429 until \w{3} 1\.$/)).toBeVisible();
  await card(page, 'Refused calls by day').locator('summary').focus();
  await page.keyboard.press('Enter');
  const refused = page.getByRole('region', { name: 'Refused calls by day' }).getByRole('row').nth(1);
  await expect(refused.getByRole('cell')).toHaveText([/^\w+ \d+$/, '0', '2', '0', '0', '0', '0']);
  await card(page, 'Calls by day and key').getByText('Show as a table').click();
  const calls = page.getByRole('region', { name: 'Calls by day and key' });
  await expect(calls.getByRole('columnheader')).toHaveText(['Day', 'test']);
  await expect(calls.getByRole('row').nth(1).getByRole('cell')).toHaveText([/^\w+ \d+$/, '3']);

  await page.getByRole('radiogroup', { name: 'Time' }).getByText('This month').click();
  await expect(calls.getByRole('row')).toHaveCount(2);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect({ colorScheme, width, found: await axeViolations(page) }).toEqual({ colorScheme, width, found: [] });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await page.screenshot({ path: test.info().outputPath(`usage-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
});

test('the pending deliveries are counted when a person looks, and are those of the overview', async ({
  page,
  account,
  receiver,
}) => {
  const endpoints = '/api/v1/webhooks/endpoints';
  await account.call('POST', endpoints, { url: receiver.url, events: ['*'] });
  await account.call('POST', endpoints, { url: 'http://127.0.0.1:9/', events: ['held.event'], enabled: false });
  for (const type of ['order.created', 'order.created', 'order.created', 'held.event', 'held.event']) {
    await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  }
  await expect.poll(() => receiver.requests.length).toBe(5);
  const pending = card(page, 'Limits').getByText('Pending deliveries').locator('..');
  await expect(async () => {
    await page.goto('/dashboard/usage');
    await expect(pending).toContainText('2 of 5,000', { timeout: 5_000 });
  }).toPass();
  await expect(pending).toContainText('Counted just now');
  await page.goto('/dashboard');
  await expect(page.getByText('Backlog now').locator('..')).toContainText('2');
});
