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
  await attention.getByRole('button', { name: 'Pause Customer: Globex' }).click();
  await expect(attention.getByRole('alert')).toContainText('You look at another account, which is read-only.');

  await operator.getByRole('button', { name: 'Leave this account' }).click();
  await expect(operator.getByRole('region', { name: 'All accounts' })).toBeVisible();
  await expect(operator.getByText('You look at the account')).toHaveCount(0);
  await context.close();

  await page.goto('/dashboard/settings/audit?action=account.viewed');
  await expect(page.getByRole('row', { name: /Account viewed/ })).toContainText(email);
  watch.forget();
});
