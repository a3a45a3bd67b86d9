import type { Page } from '@playwright/test';
import { expect, expectRows, signUp, test } from './support/dashboard';

test.use({ timezoneId: 'Asia/Kolkata' });

const typeField = (page: Page) => page.getByLabel('Event type');
const timeField = (page: Page) => page.getByRole('combobox', { name: 'Time' });

test('a list is narrowed to the types of a prefix; what is no type is told at the field', async ({ page, account }) => {
  for (const type of ['order.created', 'order.paid', 'invoice.paid']) {
    await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  }
  await page.goto('/dashboard/events');
  const rows = page.getByRole('row', { name: /order\.|invoice\./ });
  await expect(rows).toHaveCount(3);
  await typeField(page).fill('order.*');
  await typeField(page).press('Enter');
  await expect(rows).toHaveCount(2);
  await typeField(page).fill('order..*');
  await typeField(page).press('Enter');
  await expect(page.getByText('Enter a type such as order.created, or order.*')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await typeField(page).fill('*');
  await typeField(page).press('Enter');
  await expect(rows).toHaveCount(3);
});

test('a list that filters leave empty does not say that there is nothing', async ({ page, account }) => {
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x' });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  for (const [path, text] of [
    ['events', 'No event matches these filters.'],
    ['deliveries', 'No delivery matches these filters.'],
  ]) {
    await page.goto(`/dashboard/${path}?type=invoice.*`);
    await expect(page.getByText(text!)).toBeVisible();
  }
  await page.goto('/dashboard/audit');
  await page.getByLabel('Actor').fill('nobody@example.com');
  await page.getByLabel('Actor').press('Enter');
  await expect(page.getByText('No entry matches these filters.')).toBeVisible();
});

test('a type that the server refuses is told once', async ({ page, watch }) => {
  await signUp(page);
  await page.goto('/dashboard/events?type=order..x');
  const alert = page.getByRole('alert').filter({ hasText: 'The events could not be loaded' });
  await expect(alert).toBeVisible();
  expect((await alert.innerText()).match(/must be an event type/g)).toHaveLength(1);
  watch.forget();
});

test('deliveries of a prefix are replayed', async ({ page, account, receiver }) => {
  receiver.answerWith(500);
  const options = { retry_schedule: [0] };
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, options });
  for (const type of ['order.created', 'order.paid', 'invoice.paid']) {
    await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  }
  await page.goto('/dashboard/deliveries?state=failed');
  await expectRows(page, page.getByRole('row', { name: /order\.|invoice\./ }), 3);
  await page.goto('/dashboard/replays');
  await page.getByRole('button', { name: 'New replay', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Event type').fill('order.*');
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('2 of 2 sent again')).toBeVisible();
});

test('a span stays chosen behind another page; a time is shown as the reader writes it', async ({ page, account }) => {
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard/events');
  await timeField(page).click();
  await page.getByRole('option', { name: 'Last hour' }).click();
  await page
    .getByRole('row', { name: /order\.created/ })
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Event/ })).toBeVisible();
  await page.goBack();
  await expect(timeField(page)).toHaveValue('Last hour');
  await expect(page.getByRole('row', { name: /order\.created/ })).toBeVisible();

  await page.goto('/dashboard/events?after=2026-01-02T20:04:05Z');
  await expect(page.getByLabel('From')).toHaveValue('2026-01-03T01:34:05');
  await expect(page.getByText('Asia/Calcutta (GMT+5:30)')).toBeVisible();
});

test("the audit log's filters are cleared by one button", async ({ page, account }) => {
  await page.goto(`/dashboard/audit?action=key.created&actor=${account.email}&after=2026-01-02T20:04:05.000Z`);
  const entries = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
  await expect(entries).toHaveCount(1);
  await page.getByLabel('Object').fill('key_not_searched_for_yet');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(entries).toHaveCount(4);
  await expect(page).toHaveURL(/\/dashboard\/settings\/audit$/);
  for (const field of ['Actor', 'Object', 'From']) await expect(page.getByLabel(field)).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
});

test("the audit log's filters outlast a reload, and back undoes them", async ({ page, account }) => {
  const entries = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
  await page.goto('/dashboard/audit');
  await expect(entries).toHaveCount(4);
  await page.getByLabel('Actor').fill(account.email);
  await page.getByLabel('From').fill('2026-01-03T01:34:05');
  await page.getByLabel('Actor').press('Enter');
  await expect(page).toHaveURL(/after=2026-01-02T20/);
  await expect(page.getByLabel('Actor')).toBeFocused();
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Key created' }).click();
  await expect(entries).toHaveCount(1);

  await page.reload();
  await expect(page.getByLabel('Actor')).toHaveValue(account.email);
  await expect(page.getByLabel('From')).toHaveValue('2026-01-03T01:34:05');
  await expect(page.getByRole('combobox', { name: 'Action' })).toHaveValue('Key created');
  await expect(entries).toHaveCount(1);

  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Action' })).toHaveValue('');
  await expect(page.getByLabel('Actor')).toHaveValue(account.email);
  await expect(entries).toHaveCount(4);
  await page.goBack();
  await expect(page.getByLabel('Actor')).toHaveValue('');
  await expect(page.getByLabel('From')).toHaveValue('');
});
