import { axeViolations } from './support/axe';
import { expect, signUp, test } from './support/dashboard';

const CLOSED_PORT = 'http://127.0.0.1:9/x';

test('an operator sees whose endpoints fail, looks into the account, and comes back', async ({
  page,
  account,
  browser,
  stack,
  watch,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: CLOSED_PORT,
    description: 'Customer: Globex',
  });
  for (let sent = 0; sent < 3; sent += 1) {
    await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  }
  const health = stack.mongo.db.collection<{ _id: string }>('endpoint_health');
  await expect.poll(() => health.countDocuments({ _id: String(endpoint.id), 'run.failures': { $gte: 3 } })).toBe(1);
  const context = await browser.newContext({ baseURL: stack.url });
  const operator = await context.newPage();
  const email = await signUp(operator);
  await stack.mongo.db.collection('users').updateOne({ email }, { $set: { operator: true } });

  await operator.goto('/dashboard');
  const row = operator.getByRole('region', { name: 'All accounts' }).getByRole('row', { name: account.email });
  await expect(row).toContainText('1 failing');
  expect(await axeViolations(operator)).toEqual([]);
  await row.getByRole('button', { name: `Look at ${account.email}` }).click();

  await expect(operator.getByText('You look at the account')).toContainText(account.email);
  const attention = operator.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('link', { name: 'Customer: Globex' }).first()).toBeVisible();
  expect(await axeViolations(operator)).toEqual([]);
  await expect(attention.getByRole('link', { name: 'Open Customer: Globex' })).toBeVisible();
  await expect(attention.getByRole('button', { name: 'Pause Customer: Globex' })).toHaveCount(0);

  await operator.getByRole('button', { name: 'Leave this account' }).click();
  await expect(operator.getByRole('region', { name: 'All accounts' })).toBeVisible();
  await expect(operator.getByText('You look at the account')).toHaveCount(0);
  await context.close();

  await page.goto('/dashboard/settings/audit?action=account.viewed');
  await expect(page.getByRole('row', { name: /Account viewed/ })).toContainText(email);
  watch.forget();
});

test('an operator opens the portal of an account, as its customer sees it, in a tab of its own', async ({
  page,
  account,
  browser,
  stack,
}) => {
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: CLOSED_PORT, description: 'Customer: Globex' });
  const context = await browser.newContext({ baseURL: stack.url });
  const operator = await context.newPage();
  const email = await signUp(operator);
  await stack.mongo.db.collection('users').updateOne({ email }, { $set: { operator: true } });
  await operator.goto('/dashboard/accounts');
  const opening = context.waitForEvent('page');
  await operator.getByRole('button', { name: `Open as customer ${account.email}` }).click();
  const portal = await opening;

  await expect(portal.getByRole('heading', { level: 1, name: 'Endpoints' })).toBeVisible();
  await expect(portal.getByRole('link', { name: 'Customer: Globex' })).toBeVisible();
  await expect(portal.getByRole('button', { name: 'New endpoint' })).toHaveCount(0);
  expect(new URL(portal.url()).pathname).toBe('/portal/endpoints');
  await context.close();

  await page.goto('/dashboard/settings/audit?action=account.viewed');
  await expect(page.getByRole('row', { name: /Account viewed/ })).toContainText(email);
});
