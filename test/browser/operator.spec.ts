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

test('an operator creates a management key, whose account is found, limited and opened', async ({
  page,
  account,
  stack,
  watch,
}) => {
  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: { operator: true } });
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Management keys' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New key' });
  await dialog.getByLabel('Label').fill('provisioning');
  await expect(dialog.getByLabel('Product')).toHaveCount(0);
  for (const scope of ['Reveal signing secrets and header values', 'Open the portal for a customer']) {
    await dialog.getByLabel(scope).uncheck();
  }
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await page.getByText(/^svc_admin_[0-9a-f]{32}$/).textContent())!;
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('region', { name: 'Management keys' }).getByRole('row', { name: /provisioning/ });
  await expect(row).toContainText('Create, change and delete accounts');
  await expect(row).not.toContainText('portal');
  expect(await axeViolations(page)).toEqual([]);

  const put = (id: string, body: object) =>
    fetch(`${stack.url}/api/v1/accounts/${id}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await put('cus_42', { name: 'Ácme Inc.', tier: 'team' })).status).toBe(201);
  expect((await put('cus_43', { name: 'Globex' })).status).toBe(201);

  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  const rows = page.getByRole('region', { name: 'Accounts' }).locator('tbody tr');
  await expect(rows.filter({ hasText: 'Globex' })).toHaveCount(1);
  await page.getByLabel('Find').fill('acme');
  await page.getByLabel('Find').press('Enter');
  await expect(rows).toHaveText([/^Ácme Inc\.cus_42/]);
  await expect(page).toHaveURL(/q=acme/);

  await rows.getByRole('link', { name: 'Ácme Inc.' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Ácme Inc.' })).toBeVisible();
  const limit = page.getByLabel('Calls in a minute');
  await expect(limit).toHaveAttribute('placeholder', '300');
  await limit.fill('42');
  await page.getByLabel('Unlimited').check();
  await page.getByLabel('Metadata').fill('{"plan": ');
  await page.getByRole('button', { name: 'Save the account' }).click();
  await expect(page.getByText('Enter a JSON object of texts')).toBeVisible();
  await page.getByLabel('Metadata').fill('{"plan": "gold"}');
  await page.getByRole('combobox', { name: 'Body of deliveries' }).click();
  await page.getByRole('option', { name: /^Data alone/ }).click();
  await page.getByRole('combobox', { name: 'Check of event types' }).click();
  await page.getByRole('option', { name: /^Strict/ }).click();
  const days = page.getByLabel('Days that events are kept');
  await days.fill('31');
  await page.getByRole('button', { name: 'Save the account' }).click();
  await expect(page.getByText('must be at most 30: this installation keeps no event longer')).toBeVisible();
  await days.fill('7');
  await page.getByRole('button', { name: 'Save the account' }).click();
  await expect(page.getByText('The account is saved.')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.reload();
  await expect(limit).toHaveValue('42');
  await expect(page.getByRole('combobox', { name: 'Body of deliveries' })).toHaveValue(/^Data alone/);
  await expect(page.getByRole('combobox', { name: 'Check of event types' })).toHaveValue(/^Strict/);
  await expect(days).toHaveValue('7');
  await expect(page.getByLabel('Calls in a month')).toBeDisabled();
  await expect(page.getByText('of unlimited')).toBeVisible();

  await page.getByRole('link', { name: 'Audit log' }).last().click();
  const changed = page.getByRole('row', { name: /Account changed/ });
  await expect(changed).toContainText('limits: none → {"per_minute":42,"monthly_quota":null}');
  await expect(page.getByRole('row', { name: /Account created/ })).toContainText('Management key');
  await page.getByRole('link', { name: /^acc_/ }).click();
  await page.getByRole('button', { name: 'Look at Ácme Inc.' }).click();
  await expect(page.getByText('You look at the account')).toContainText('Ácme Inc.');
  watch.forget();
});

test('an operator creates an account, whose external id is taken only once', async ({
  page,
  account,
  stack,
  watch,
}) => {
  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: { operator: true } });
  await page.goto('/dashboard/accounts');
  const dialog = page.getByRole('dialog', { name: 'New account' });
  for (const isFirst of [true, false]) {
    await page.getByRole('button', { name: 'New account' }).click();
    await dialog.getByLabel('External id').fill('cus_new');
    await dialog.getByLabel('Name').fill('Initech');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    if (!isFirst) continue;
    await expect(page.getByRole('heading', { level: 1, name: 'Initech' })).toBeVisible();
    await page.goto('/dashboard/accounts');
  }
  await expect(dialog.getByRole('alert')).toContainText('There is an account cus_new already.');
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
