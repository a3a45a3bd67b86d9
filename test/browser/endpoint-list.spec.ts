import { takeEndpointPlaces } from '../support/build-caller';
import { expect, test } from './support/dashboard';

const CLOSED_PORT = 'http://127.0.0.1:9';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

test('the list of endpoints is narrowed by health, name and metadata, and its address keeps that', async ({
  page,
  account,
  receiver,
}) => {
  const add = (body: object) => account.call('POST', ENDPOINTS, body);
  await add({ url: `${CLOSED_PORT}/orders`, description: 'Warehouse', events: ['order.*'] });
  await add({ url: `${receiver.url}/in`, description: 'Customer: Globex', events: ['customer.*'] });
  await add({ url: `${CLOSED_PORT}/invoices`, events: ['invoice.*'], metadata: { owner: 'billing-team' } });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard/endpoints');
  const rows = page.locator('tbody tr');
  const health = page.getByRole('group', { name: 'Health' });
  await expect(health.getByRole('button', { name: 'Failing 1' })).toBeVisible();
  await expect(health.getByRole('button')).toHaveText(['All 3', 'Failing 1', 'Waiting 2']);

  await health.getByRole('button', { name: 'Failing 1' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.getByRole('link', { name: 'Warehouse', exact: true })).toBeVisible();
  await expect(rows).toContainText(`${CLOSED_PORT}/orders`);
  await expect(page).toHaveURL(/\?health=failing$/);
  await page.reload();
  await expect(rows).toHaveCount(1);

  await health.getByRole('button', { name: 'All 3' }).click();
  const find = page.getByRole('searchbox', { name: 'Find' });
  await find.fill('globex');
  await expect(rows).toHaveText([/Customer: Globex/]);
  await find.fill('billing-team');
  await expect(rows).toHaveText([/127\.0\.0\.1:9\/invoices/]);
  await find.fill('nobody');
  await expect(page.getByText('No endpoint matches these filters.')).toBeVisible();
  await expect(page).toHaveURL(/\?q=nobody$/);
});

test("an endpoint is found by its owner's own id, and its page shows it", async ({ page, account }) => {
  await account.call('POST', ENDPOINTS, { url: CLOSED_PORT, description: 'Other', external_id: 'acme.invoices' });
  const { body } = await account.call('PUT', `${ENDPOINTS}/acme.orders`, { url: CLOSED_PORT, description: 'Orders' });
  await page.goto('/dashboard/endpoints');
  await page.getByRole('searchbox', { name: 'Find' }).fill('acme.ord');
  await expect(page.locator('tbody tr')).toHaveText([/Orders/]);
  await page.goto(`/dashboard/endpoints/${body.id}`);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect(page.getByRole('region', { name: 'Delivery settings' })).toContainText('acme.orders');
});

test('more endpoints than fit on a page are all found, and drawn by the hundred', async ({ page, account, stack }) => {
  const { body } = await account.call('POST', ENDPOINTS, { url: CLOSED_PORT, description: 'Copy' });
  const endpoints = stack.mongo.db.collection<{ _id: string; account_id: string }>('endpoints');
  const first = (await endpoints.findOne({ _id: String(body.id) }))!;
  const ids = await takeEndpointPlaces(stack, first.account_id, 129);
  await endpoints.updateOne({ _id: ids.at(-1)! }, { $set: { description: 'The last', created_at: new Date(0) } });
  await page.goto('/dashboard/endpoints');
  const rows = page.locator('tbody tr');
  await expect(page.getByRole('group', { name: 'Health' }).getByRole('button', { name: 'All 130' })).toBeVisible();
  await expect(rows).toHaveCount(100);
  await page.getByRole('button', { name: 'Show 30 more' }).click();
  await expect(rows).toHaveCount(130);
  await expect(rows.last()).toContainText('The last');
  await page.getByRole('searchbox', { name: 'Find' }).fill('the last');
  await expect(rows).toHaveText([/The last/]);
});

test('a cause of failures says what to do', async ({ page, account }) => {
  const { body } = await account.call('POST', ENDPOINTS, { url: CLOSED_PORT, description: 'Warehouse' });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  const advice = 'Nothing listens at this address: check the port, and that the receiver runs.';
  await page.goto('/dashboard');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText(advice);
  await page.goto(`/dashboard/endpoints/${body.id}`);
  await expect(page.getByRole('region', { name: 'Failure causes' })).toContainText(advice);
});
