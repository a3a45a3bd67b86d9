import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

test('an event with several destinations is summed up, failing ones first; stories open on demand', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(({ path }) => (path === '/ok' ? 200 : 503));
  const register = (description: string, path: string) =>
    account.call('POST', ENDPOINTS, { url: `http://127.0.0.1:${receiver.port}/${path}`, description });
  await register('Archive', 'ok');
  await register('Warehouse', 'broken');
  for (let index = 1; index <= 8; index += 1) await register(`Customer ${index}`, 'ok');
  const { body: event } = await account.call('POST', EVENTS, { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('9 delivered, 1 retrying (Warehouse 503)')).toBeVisible();

  await page.reload();
  const rows = page.getByRole('region', { name: /^Delivery / });
  await expect(rows.first()).toContainText('Warehouse');
  await expect(rows.first().getByText('Attempt 1 failed')).toBeVisible();
  await expect(page.getByText('Attempt 1 succeeded')).toHaveCount(0);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(rows.filter({ hasText: 'Archive' }).getByText('Attempt 1 succeeded')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByLabel('Filter by endpoint').fill('customer 7');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Customer 7');
});

test('the page says why an endpoint did not get the event, and sends it there', async ({ page, account, receiver }) => {
  const description = 'Globex';
  const options = { filter: { total: { $gte: 1_000 } } };
  await account.call('POST', ENDPOINTS, { url: receiver.url, events: ['invoice.*'], description, options });
  const data = { total: 5, note: 'for Globex' };
  const { body: event } = await account.call('POST', EVENTS, { type: 'order.created', data });
  await page.goto(`/dashboard/events/${event.id}`);

  await page.getByRole('combobox', { name: 'Endpoint' }).fill('glob');
  await page.getByRole('option', { name: /^Globex/ }).click();
  await expect(page.getByText('None of its patterns matches order.created: invoice.*.')).toBeVisible();
  await expect(page.getByText('total ≥ 1000, but it is 5')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Send to this endpoint' }).click();
  await expect(page.getByText('The event goes to Globex: its delivery is in the list.')).toBeVisible();
  await expect(page.getByRole('region', { name: /^Delivery / }).getByText('Attempt 1 succeeded')).toBeVisible();
  const [request] = await receiver.waitFor(1);
  expect(JSON.parse(request!.body.toString())).toMatchObject({ type: 'order.created', data });
});
