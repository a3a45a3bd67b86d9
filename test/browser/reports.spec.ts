import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { createDeliveryCountStore } from '../../src/stores/delivery-count-store';
import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

/** A card of the page, by its heading. */
const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) });

/** Looks again until what was counted is stored. */
async function untilShown(page: Page, title: string): Promise<void> {
  await expect(async () => {
    await page.goto('/dashboard/reports');
    await expect(card(page, title).getByText('Show as a table')).toBeVisible({ timeout: 10_000 });
  }).toPass();
}

test('the navigation leads to the reports, and so does the former address of the usage; without calls the page says how they come about', async ({
  page,
  account,
}) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await expect(page.getByText('No calls on these days')).toBeVisible();
  await expect(page.getByText('0 of 500')).toBeVisible();
  await expect(page.getByText('No deliveries this month.')).toBeVisible();
  await page.goto('/dashboard/usage');
  await expect(page).toHaveURL(/\/dashboard\/reports$/);
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
      await page.screenshot({ path: test.info().outputPath(`reports-${colorScheme}-${width}.png`), fullPage: true });
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
    await page.goto('/dashboard/reports');
    await expect(pending).toContainText('2 of 5,000', { timeout: 5_000 });
  }).toPass();
  await expect(pending).toContainText('Counted just now');
  await page.goto('/dashboard');
  await expect(page.getByText('Backlog now').locator('..')).toContainText('2');
});

test("this month's deliveries are shown beside last month's, by endpoint, type and key, and downloaded", async ({
  page,
  account,
  stack,
  receiver,
}) => {
  const endpoints = '/api/v1/webhooks/endpoints';
  await account.call('POST', endpoints, { url: receiver.url, events: ['*'], description: 'Billing' });
  for (const type of ['order.created', 'order.created', 'order.paid']) {
    await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  }
  const found = await stack.mongo.db.collection<{ _id: string }>('accounts').findOne({ email: account.email });
  const now = new Date();
  const month = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  await createDeliveryCountStore(stack.mongo.db).add([
    {
      accountId: found!._id,
      group: 'account',
      period: month(-1).toISOString().slice(0, 10),
      name: '',
      counts: { accepted: 1_200, delivered: 999, failed: 1, recovered: 0, times: { '40': 999 } },
    },
  ]);

  const figure = (label: string) => card(page, 'Deliveries this month').getByText(label, { exact: true }).locator('..');
  await expect(async () => {
    await page.goto('/dashboard/reports');
    await expect(figure('Delivered')).toContainText(/^Delivered3Last/, { timeout: 5_000 });
  }).toPass();
  await expect(figure('Accepted')).toContainText(/3Last month: 1,200 up to day \d+, 1,200 in all/);
  await expect(figure('Share delivered')).toContainText(/^Share delivered100\.0\s%Last month: 99\.9\s%/);
  const detail = card(page, 'Deliveries in detail');
  await expect(detail.getByRole('row', { name: /^Billing 3 3 0 100\.0/ })).toBeVisible();
  await detail.getByText('By event type', { exact: true }).click();
  await expect(detail.getByRole('row', { name: /^order\.created 2 2 0/ })).toBeVisible();
  await expect(detail.getByRole('row', { name: /^order\.paid 1 1 0/ })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    detail.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^deliveries-\d{4}-\d\d-by-type\.csv$/);
  expect(await readFile(await download.path(), 'utf8')).toContain('"type","order.created","","2","2","0","0","1"');
  await detail.getByText('By key', { exact: true }).click();
  await expect(detail.getByRole('row', { name: /^test 3 3 0/ })).toBeVisible();
});
