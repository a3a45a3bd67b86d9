import { cliOf } from '../support/run-cli';
import { axeViolations } from './support/axe';
import {
  callApi,
  createKey,
  createKeyByHand,
  expect,
  PASSWORD,
  signIn,
  signUp,
  signUpByHand,
  test,
} from './support/dashboard';

test('from the sign-up to the first delivery: key, endpoint, event by API, and it is seen delivered', async ({
  page,
  stack,
  receiver,
}) => {
  await signUpByHand(page);
  const key = await createKeyByHand(page, 'production');
  await expect(page.getByRole('row', { name: /production/ })).toContainText('never');

  await page.goto('/dashboard/endpoints');
  await page.getByRole('button', { name: 'Register your first endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill(receiver.url);
  await form.getByRole('combobox', { name: 'Events' }).fill('order.*');
  await form.getByRole('combobox', { name: 'Events' }).press('Enter');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(form.getByRole('region', { name: 'Signing secret' })).toHaveText(/^whsec_/);
  await form.getByRole('button', { name: 'Open the endpoint' }).click();
  await expect(page.getByRole('button', { name: 'Send a test event' })).toBeVisible();

  await page.goto('/dashboard/events');
  const sent = await callApi(stack.url, key, {
    method: 'POST',
    path: '/api/v1/webhooks/events',
    body: '{"type":"order.created","data":{"total":12345678901234567890,"rate":1.0}}',
  });
  expect(sent.status).toBe(202);
  // The list learns of it by itself.
  await expect(page.getByRole('row', { name: /order\.created/ })).toContainText('Delivered');
  await page.getByRole('link', { name: String(sent.body.id) }).click();
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Data, as sent' })).toContainText('"total": 12345678901234567890');
  await expect(page.getByRole('region', { name: 'Data, as sent' })).toContainText('"rate": 1.0');
  await page.getByText('Request and response').click();
  const received = receiver.requests.at(-1)!;
  await expect(page.getByRole('region', { name: 'Request headers' })).toContainText(
    String(received.headers['x-webhook-signature']),
  );
});

test('a set-up link: a password is chosen, the new operator signs in again, and the link works once', async ({
  page,
  stack,
  watch,
}) => {
  const { accountId } = await stack.account();
  const { url } = await cliOf(stack).json('user', 'setup-link', '--account', accountId, '--base-url', stack.url);
  const email = `${accountId.slice(-12)}@example.com`;
  const choose = async (password: string): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole('button', { name: 'Set up Everpost' }).click();
  };
  await page.goto(url!);
  await expect(page.getByText('the owner of the account that the link is for')).toBeVisible();
  await choose('password12345');
  await expect(page.getByRole('alert')).toContainText('The set-up failed');
  await expect(page.getByLabel(/^Password/)).toHaveAccessibleDescription(/guess/);
  await choose(PASSWORD);
  await expect(page.getByRole('heading', { level: 1, name: 'Now' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('link', { name: 'Accounts' })).toBeVisible();

  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await signIn(page, { email, password: PASSWORD });

  await page.goto('about:blank');
  await page.goto(url!);
  await choose(PASSWORD);
  await expect(page.getByRole('alert')).toContainText('This set-up link was used or has expired.');
  watch.forget();
});

test('a failing receiver: the countdown runs, retry now delivers', async ({ page, account, receiver }) => {
  receiver.answerWith(503);
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'invoice.paid', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText(/Attempt 2 of 3 in \d+\ss/)).toBeVisible();
  await expect(page.getByText('Attempt 1 failed')).toBeVisible();
  await expect(page.getByText('503', { exact: true })).toBeVisible();

  receiver.answerWith(200);
  await page.getByRole('button', { name: 'Retry now' }).click();
  await expect(page.getByText('Attempt 2 succeeded')).toBeVisible();
  await expect(page.getByText('manual')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replay' })).toBeVisible();
  expect(receiver.requests).toHaveLength(2);
});

test('cancelling asks first; a cancelled delivery can be replayed', async ({ page, account, receiver }) => {
  receiver.answerWith(500);
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'invoice.paid', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the delivery' }).click();
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  receiver.answerWith(200);
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  await expect(page.getByText('before the replay')).toBeVisible();
});

test('an endpoint is edited, paused and resumed; its secret is revealed and rotated; a test event is watched', async ({
  page,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: receiver.url,
    events: ['order.*'],
    description: 'Order service',
  });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'invoice.paid', data: {} });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);

  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('combobox', { name: 'Events' }).fill('invoice.*');
  await form.getByRole('combobox', { name: 'Events' }).press('Enter');
  // By the function that matches: the recent type is found by the new pattern.
  await expect(form.getByText(/Matches 1 of 1 event types of the last 30 days/)).toBeVisible();
  await form.getByLabel('Description').fill('Orders and invoices');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Orders and invoices' })).toBeVisible();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByLabel('Reason, if you want to give one').fill('Moves to another host');
  await page.getByRole('button', { name: 'Pause the endpoint' }).click();
  await expect(page.getByText('Deliveries to this endpoint wait')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Deliveries to this endpoint wait')).toBeHidden();

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(endpoint.secret)).toBeVisible();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Create the next secret' }).click();
  await page.getByRole('button', { name: 'Switch to the next secret' }).click();
  await expect(page.getByText(endpoint.secret)).toBeHidden();

  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();

  await page.goto('/dashboard/audit');
  await expect(page.getByRole('row', { name: /Secret revealed/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /Endpoint paused · Moves to another host/ })).toBeVisible();
});

test('a key that may only send events, for 30 days: the list says so, and its rotation proposes the same', async ({
  page,
  stack,
}) => {
  await signUp(page);
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill('checkout');
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
  await expect(dialog.getByText('Choose at least one.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Create key' })).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'Send events' }).check();
  await dialog.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'In 30 days' }).click();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByRole('region', { name: 'The new key' }).innerText();
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = page.getByRole('row', { name: /checkout/ });
  await expect(row).toContainText('Send events');
  await expect(row).toContainText('in 29 days');
  const path = '/api/v1/webhooks/events';
  const sent = await callApi(stack.url, key, { method: 'POST', path, body: { type: 'order.paid', data: {} } });
  expect(sent.status).toBe(202);
  expect((await callApi(stack.url, key, { method: 'GET', path })).status).toBe(403);

  await page.getByRole('button', { name: 'Rotate checkout' }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Send events' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await expect(dialog.getByRole('combobox', { name: 'Expires' })).toHaveValue('In 30 days');
});

test('a key is rotated while its traffic moves, and refused after its revocation', async ({ page, stack }) => {
  await signUp(page);
  const old = await createKey(page, 'production');
  const list = { method: 'GET', path: '/api/v1/webhooks/endpoints' };
  expect((await callApi(stack.url, old, list)).status).toBe(200);

  await page.getByRole('button', { name: 'Rotate production' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const next = await dialog.getByRole('region', { name: 'The new key' }).innerText();
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Next: watch the traffic' }).click();
  expect((await callApi(stack.url, next, list)).status).toBe(200);
  await expect(dialog.getByText('The new key is in use')).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Revoke the old key' }).click();
  await expect(dialog).toBeHidden();

  await expect.poll(async () => (await callApi(stack.url, old, list)).status, { timeout: 30_000 }).toBe(401);
  expect((await callApi(stack.url, next, list)).status).toBe(200);
});

test('two browsers see the same thing happen', async ({ page, browser, stack, account }) => {
  const second = await browser.newContext({ baseURL: stack.url });
  const other = await second.newPage();
  await other.goto('/dashboard/endpoints');
  await other.getByLabel('E-mail').fill(account.email);
  await other.getByLabel(/^Password/).fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in' }).click();
  // Back where it wanted to go.
  await expect(other.getByRole('heading', { level: 1, name: 'Endpoints' })).toBeVisible();

  await page.goto('/dashboard/endpoints');
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x', events: ['a.*'] });
  for (const one of [page, other]) await expect(one.getByRole('row', { name: /127\.0\.0\.1:9/ })).toBeVisible();

  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await second.close();
});

test('markup in every free text is shown as text', async ({ page, account, receiver, watch }) => {
  const hostile = '"><img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
  receiver.answerWith(500, hostile);
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: `${receiver.url}?q=${encodeURIComponent(hostile)}`,
    events: ['*'],
    description: hostile,
  });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', {
    type: 'order.created',
    data: { note: hostile },
    idempotency_key: hostile,
  });
  await createKey(page, hostile.slice(0, 60));
  const paths = [
    'endpoints',
    ...['state', 'deliveries', 'settings', 'history'].map((tab) => `endpoints/${endpoint.id}?tab=${tab}`),
    'events',
    `events/${event.id}`,
    'keys',
    'audit',
    'deliveries',
  ];
  for (const path of paths) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path === `events/${event.id}`)
      await expect(page.getByRole('region', { name: 'Response to attempt 1' })).toHaveText(hostile);
    await expect(page).not.toHaveTitle('owned');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  }
  expect(watch.complaints).toEqual([]);
});
