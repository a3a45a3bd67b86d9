import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';
const SECRET = 'jane@example.com';

test('the data of an event is erased on its page, after a question, and is gone then', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(503, ({ body }) => body.toString());
  await account.call('POST', ENDPOINTS, { url: receiver.url });
  const { body: event } = await account.call('POST', EVENTS, { type: 'order.created', data: { email: SECRET } });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('Attempt 1 failed')).toBeVisible();
  await expect(page.getByText(SECRET).first()).toBeVisible();

  await page.getByRole('button', { name: 'Erase data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase the data of this event?' });
  await expect(dialog.getByText('deliveries that are not finished: they are cancelled')).toBeVisible();
  await expect(dialog.getByText(/^What stays: /)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('dialog.png') });
  await dialog.getByRole('button', { name: 'Erase the data' }).click();

  await expect(page.getByRole('heading', { name: /^Data erased at / })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  await expect(page.getByText(SECRET)).toHaveCount(0);
  for (const name of ['Erase data', 'Replay', 'Retry now'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await page.getByText('Request and response').click();
  await expect(page.getByText('The body was erased, and so was the response.')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('erased.png'), fullPage: true });
  expect(receiver.requests).toHaveLength(1);

  await page.goto('/dashboard/find');
  await expect(page.getByRole('row', { name: /order\.created/ }).getByText('Data erased')).toBeVisible();
});

test('everything with a value is erased, and the page follows how far it is', async ({ page, account }) => {
  await page.goto('/dashboard/settings/erasures');
  await expect(page.getByText('The account has no search fields')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Erase by value' })).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Set the search fields' }).click();
  await page.getByRole('combobox', { name: 'Fields' }).fill('customer_id');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save the search fields' }).click();
  await expect(page.getByText('The search fields are saved.')).toBeVisible();
  const send = (customer: string) =>
    account.call('POST', EVENTS, { type: 'order.created', data: { customer_id: customer } });
  for (const customer of ['cus_1', 'cus_1', 'cus_2']) expect((await send(customer)).status).toBe(202);

  await page.getByRole('link', { name: 'Erasures' }).click();
  await page.getByRole('button', { name: 'Erase by value' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase by value' });
  await dialog.getByRole('textbox', { name: 'Value' }).fill('cus_1');
  await expect(dialog.getByRole('button', { name: 'Erase', exact: true })).toBeDisabled();
  await dialog.getByLabel('Erase the data of every event with this value').check();
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('by-value.png') });
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click();

  await expect(dialog).toBeHidden();
  const row = page.getByRole('row', { name: /ers_/ });
  await expect(row.getByText('Completed')).toBeVisible({ timeout: 30_000 });
  await expect(row.getByRole('cell', { name: '2', exact: true })).toBeVisible();
  await expect(row).toContainText('customer_id');
  await expect(page.getByText('cus_1')).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('erasures.png'), fullPage: true });

  await page.goto('/dashboard/find?rows=events');
  await expect(page.getByText('Data erased')).toHaveCount(2);
});
