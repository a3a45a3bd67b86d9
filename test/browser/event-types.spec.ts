import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Stack } from '../support/build-stack';
import { axeViolations } from './support/axe';
import { describeTypes, ORDER } from './support/catalog';
import { callApi, expect, test } from './support/dashboard';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const codeOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('without event types, the page says how to add one', async ({ page, account }) => {
  expect(account.email).not.toBe('');
  await page.goto('/dashboard/event-types');
  await expect(page.getByText('No event types yet')).toBeVisible();
  await expect(page.getByText(/^curl -X PUT .*\/api\/v1\/event-types\/order\.created/)).toBeVisible();
});

test('the catalog is listed by group, and a search stays in the address', async ({ page, account, stack }) => {
  expect(account.email).not.toBe('');
  await describeTypes(stack);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Event types' }).click();
  await expect(heading(page, 'Event types')).toBeVisible();
  const groups = page.locator('main').getByRole('heading', { level: 2 });
  await expect(groups).toHaveText(['Customers', 'Orders', 'Other']);
  const orders = page.getByRole('region', { name: 'Orders' });
  await expect(orders.getByRole('listitem').filter({ hasText: 'order.placed' })).toContainText('Deprecated');
  await page.getByLabel('Find', { exact: true }).fill('signed up');
  await expect(page.locator('main').getByRole('listitem')).toHaveText([/^customer\.created/]);
  await expect(page).toHaveURL(/\?q=signed/);
  await page.reload();
  await expect(page.locator('main').getByRole('listitem')).toHaveCount(1);
  await page.getByLabel('Find', { exact: true }).fill('nothing');
  await expect(page.getByText('No matching event types')).toBeVisible();
});

test('the page of a type has its fields and its example, and works with the keyboard', async ({
  page,
  account,
  stack,
}) => {
  await describeTypes(stack);
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: ORDER });
  await page.goto('/dashboard/event-types');
  await page.getByLabel('Find', { exact: true }).focus();
  await page.keyboard.type('placed and paid');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'order.created' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'order.created')).toBeFocused();
  await expect(page.getByText('Version 1')).toBeVisible();
  const row = (field: string) => page.getByRole('row').filter({ has: page.getByText(field, { exact: true }) });
  await expect(row('order_id')).toContainText(/required\s*string\s*The id of the order\.\s*matches/);
  await expect(row('coupon')).toContainText(/Deprecated\s*string or null/);
  await expect(row('email')).toContainText('format email');
  await expect(row('sku')).toContainText('required');
  expect(JSON.parse(await codeOf(page, 'Example of data').innerText())).toEqual(ORDER);
  await page.getByText('JSON Schema', { exact: true }).click();
  await expect(page.getByText('"#/$defs/customer"')).toBeVisible();
  await page.getByRole('link', { name: 'Events of this type' }).click();
  await expect(page.getByRole('row', { name: /order\.created/ })).toHaveCount(1);
});

test('the sample request has a signature that fits its body, in each shape', async ({ page, account, stack }) => {
  expect(account.email).not.toBe('');
  await describeTypes(stack);
  await page.goto('/dashboard/event-types/order.created');
  const sample = page.getByRole('region', { name: 'Sample request' });
  const headers = () => sample.getByRole('region', { name: 'Headers' }).innerText();
  const body = () => sample.getByRole('region', { name: 'Body', exact: true }).innerText();
  const secret = Buffer.from((await sample.locator('code', { hasText: /^whsec_/ }).innerText()).slice(6), 'base64');
  const signed = async () => {
    const [, id, time] = /webhook-id: (.+)\nwebhook-timestamp: (.+)\n/.exec(await headers())!;
    return createHmac('sha256', secret)
      .update(`${id}.${time}.${await body()}`)
      .digest('base64');
  };
  expect(await headers()).toContain(`webhook-signature: v1,${await signed()}`);
  expect(JSON.parse(await body())).toMatchObject({ type: 'order.created', data: ORDER });
  await sample.getByRole('combobox', { name: 'Body' }).click();
  await page.getByRole('option', { name: /^CloudEvents/ }).click();
  await expect(sample.getByText('application/cloudevents+json')).toBeVisible();
  expect(JSON.parse(await body())).toMatchObject({ specversion: '1.0', data: ORDER });
  expect(await headers()).toContain(`webhook-signature: v1,${await signed()}`);
});

test('an endpoint is made for a type, and its form suggests the types of the catalog', async ({
  page,
  account,
  receiver,
  stack,
}) => {
  await describeTypes(stack);
  await account.call('POST', '/api/v1/webhooks/events', { type: 'cart.left', data: {} });
  await page.goto('/dashboard/event-types/order.created');
  await page.getByRole('button', { name: 'Create endpoint for this type' }).click();
  await page.getByRole('textbox', { name: /^URL/ }).fill(receiver.url);
  const events = page.getByRole('combobox', { name: 'Events' });
  await events.click();
  await expect(page.getByRole('option', { name: 'cart.left' })).toBeVisible();
  await expect(page.getByRole('option', { name: /^customer\.created A customer signed up\./ })).toBeVisible();
  await events.fill('placed');
  await page.getByRole('option', { name: /^order\.placed Deprecated/ }).click();
  await expect(page.getByText('Deprecated: order.placed')).toBeVisible();
  await expect(page.getByText('Matches 2 of 6 known event types:')).toBeVisible();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('button', { name: 'Open the endpoint' }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(page.getByRole('region', { name: 'Delivery settings' })).toContainText('order.placed');
});

test('a test event of a type begins with its example', async ({ page, account, receiver, stack }) => {
  await describeTypes(stack);
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  const choose = page.getByRole('button', { name: 'Choose the type of the test event' });
  await choose.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send a test event' });
  await expect(dialog.getByLabel('Type')).toBeFocused();
  await page.keyboard.type('order.c');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Data')).toHaveValue(/"order_id": "ord_42"/);
  await dialog.getByLabel('Data').fill('{"order_id":');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByText(/^Enter a JSON object/)).toBeVisible();
  await dialog.getByLabel('Data').fill('{"order_id": "ord_43"}');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('An event of type order.created was sent')).toBeVisible();
  const [request] = await receiver.waitFor(1);
  expect(JSON.parse(request!.body.toString())).toMatchObject({ type: 'order.created', data: { order_id: 'ord_43' } });
  await expect(dialog).toBeHidden();
});

test('an event that does not match the catalog is marked in the list, and its page says where', async ({
  page,
  account,
  stack,
}) => {
  await describeTypes(stack);
  await checkTypes(stack, account.email, 'warn');
  const send = async (type: string, data: object) =>
    (await account.call('POST', '/api/v1/webhooks/events', { type, data })).body.id;
  const wrong = await send('order.created', { order_id: 'ord_42', total: '19.99', customer: {} });
  const unknown = await send('order.unheard', {});
  await send('order.created', ORDER);
  await page.goto('/dashboard/find');
  const rows = page.getByRole('region', { name: 'Events' }).locator('tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'Schema errors' })).toHaveCount(2);
  await rows.getByRole('link', { name: String(wrong) }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'This event does not match' });
  await expect(notice.getByRole('listitem')).toContainText([
    'data.total must be number',
    'data.customer.id is required',
  ]);
  expect(await axeViolations(page)).toEqual([]);
  await notice.getByRole('link', { name: 'Show what order.created contains' }).click();
  await expect(heading(page, 'order.created')).toBeVisible();
  await page.goto(`/dashboard/events/${unknown}`);
  await expect(notice.getByRole('listitem')).toContainText(['type']);
  await notice.getByRole('link', { name: 'Show the event types' }).click();
  await expect(heading(page, 'Event types')).toBeVisible();
});

test('types whose events do not match need attention', async ({ page, account, stack }) => {
  await describeTypes(stack);
  await checkTypes(stack, account.email, 'warn');
  for (const total of ['1', '2']) {
    await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: { ...ORDER, total } });
  }
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(attention.getByText('2 events of the last 24 hours')).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(attention.getByRole('link', { name: 'order.created' })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await attention.getByRole('link', { name: /^Open event \d+/ }).click();
  await expect(page.getByText('This event does not match')).toBeVisible();
});

/** Sets what the events of an account are checked for. */
async function checkTypes(stack: Stack, email: string, mode: string): Promise<void> {
  const { _id: id } = (await stack.mongo.db.collection<{ _id: string }>('accounts').findOne({ email }))!;
  const { key } = await stack.managementKey();
  const path = `/api/v1/accounts/${id}`;
  expect((await callApi(stack.url, key, { method: 'PUT', path, body: { event_types: mode } })).status).toBe(200);
}
