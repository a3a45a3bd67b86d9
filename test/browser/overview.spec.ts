import { axeViolations } from './support/axe';
import { expect, signUp, test, type SignedUp } from './support/dashboard';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
/** No name server knows it. */
const DEAD_NAME = 'https://no-such-receiver.invalid/hook';

async function register(account: SignedUp, url: string, description: string): Promise<string> {
  const { body } = await account.call('POST', ENDPOINTS, { url, description });
  return String(body.id);
}

const ingest = (account: SignedUp) => account.call('POST', EVENTS, { type: 'order.created', data: {} });

test('an endpoint with a dead name comes first after its first attempt, with its reason; its buttons work', async ({
  page,
  account,
  receiver,
}) => {
  await register(account, receiver.url, 'Billing');
  await page.goto('/dashboard');
  await ingest(account);
  await expect(page.getByText('The endpoint is healthy.')).toBeVisible();

  const dead = await register(account, DEAD_NAME, 'Warehouse');
  await account.call('POST', `${ENDPOINTS}/${await register(account, receiver.url, 'Archive')}/pause`);
  await ingest(account);
  // Without a reload: the page is told.
  const rows = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  const first = rows.first();
  await expect(first).toContainText('DNS: name not resolved, 1 of 1 attempts');
  await expect(first).toContainText(/Failing since \d{1,2}:\d\d\s[AP]M/);
  await expect(first).toContainText('1 delivery waits');
  await expect(rows.nth(1)).toContainText(/Paused since \d{1,2}:\d\d\s[AP]M/);
  await expect(rows).toHaveCount(2);

  await first.getByRole('button', { name: 'Recover Warehouse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again' });
  await expect(dialog.getByLabel('Endpoint', { exact: true })).toHaveValue(`Warehouse · ${DEAD_NAME}`);
  const { body } = await account.call('GET', `${ENDPOINTS}/${dead}`);
  const since = new Date((body as unknown as { health: { since: string } }).health.since);
  since.setMilliseconds(0);
  const from = await dialog.getByLabel('From').inputValue();
  expect(await page.evaluate((text) => new Date(text).getTime(), from)).toBe(since.getTime());
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const warehouse = rows.filter({ hasText: 'Warehouse' });
  await warehouse.getByRole('button', { name: 'Pause Warehouse' }).click();
  await expect(warehouse).toContainText('Nothing is sent. Before the pause: DNS: name not resolved, 1 of 1 attempts');
  await warehouse.getByRole('button', { name: 'Resume Warehouse' }).click();
  await expect(warehouse).toContainText(/Failing since/);
  await warehouse.getByRole('link', { name: '1 delivery waits' }).click();
  await expect(page.getByRole('row', { name: /order\.created/ })).toHaveCount(1);
  await page.goBack();
  await warehouse.getByRole('link', { name: 'Open Warehouse' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Warehouse' })).toBeVisible();
});

test('the steps to the first delivery are ticked as they happen, and nothing else is shown before', async ({
  page,
  receiver,
}) => {
  await signUp(page);
  const steps = page.getByRole('region', { name: 'Deliver your first event' });
  await expect(steps.getByRole('listitem')).toHaveText([/to do/, /to do/, /to do/, /to do/]);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Deliver your first event']);
  await expect(steps.getByRole('button', { name: 'Send a test event' })).toBeDisabled();

  await steps.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill('test');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(steps.getByRole('listitem')).toHaveText([/: done/, /to do/, /to do/, /to do/]);

  await steps.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill(receiver.url);
  await form.getByRole('combobox', { name: 'Events' }).fill('*');
  await form.getByRole('combobox', { name: 'Events' }).press('Enter');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(form.getByRole('region', { name: 'Signing secret' })).toHaveText(/^whsec_/);
  await page.keyboard.press('Escape');
  await expect(steps.getByRole('listitem')).toHaveText([/: done/, /: done/, /to do/, /to do/]);

  await steps.getByRole('button', { name: 'Send a test event' }).click();
  const done = page.getByRole('region', { name: 'Your first event is delivered' });
  await expect(done.getByRole('listitem')).toHaveText([/: done/, /: done/, /: done/, /: done/]);
  // A test says nothing about the health of an endpoint.
  const calm = page.getByText('The endpoint had no attempt but tests in the last 30 days.');
  await expect(calm).toBeVisible();
  await done.getByRole('button', { name: 'Hide' }).click();
  await expect(done).toBeHidden();
  await page.reload();
  await expect(calm).toBeVisible();
  await expect(done).toBeHidden();
});

test('the charts show the attempts of a window, each with a table of the same numbers', async ({
  page,
  account,
  receiver,
}) => {
  await register(account, receiver.url, 'Billing');
  await register(account, DEAD_NAME, 'Warehouse');
  await ingest(account);
  await page.goto('/dashboard');
  const activity = page.getByRole('region', { name: 'Attempts' });
  // The charts are reloaded every 30 seconds.
  await expect(activity.getByText('1 failed')).toBeVisible({ timeout: 90_000 });
  await expect(activity.getByText('50.0 %').first()).toBeVisible();
  for (const [window, grain] of [
    ['1 hour', '5 minutes'],
    ['24 hours', '5 minutes'],
    ['7 days', 'hour'],
    ['30 days', 'day'],
  ]) {
    await activity.getByText(window!, { exact: true }).click();
    await activity.getByText(`Attempts by ${grain}, as a table`).click();
    const table = activity.getByRole('region', { name: `Attempts by ${grain}` });
    // Two attempts may be on both sides of a boundary.
    const sum = async (column: number) => {
      const cells = await table.locator(`tbody td:nth-child(${column})`).allInnerTexts();
      return cells.reduce((total, text) => total + Number(text), 0);
    };
    await expect.poll(() => sum(2)).toBe(1);
    await expect.poll(() => sum(3)).toBe(1);
    await activity.getByText(`Attempts by ${grain}, as a table`).click();
  }
  await activity.getByText('1 hour', { exact: true }).click();
  const chart = activity.getByRole('figure', { name: 'Attempts by 5 minutes' });
  const { width, height } = (await chart.boundingBox())!;
  await chart.hover({ position: { x: width - 62, y: height / 2 } });
  const numbers = chart.getByTestId('pointed-at');
  // As on every other place: 24 hours only for readers whose browser counts so.
  await expect(numbers).toHaveText(/^\w{3} \d{1,2}, \d{1,2}:\d\d\s[AP]MSucceeded[01]Failed[01]Failure rate/);
  await expect(chart.getByText(/^\d{1,2}:\d\d\s[AP]M$/)).not.toHaveCount(0);
  await activity.getByRole('heading', { level: 3, name: 'Success' }).hover();
  await expect(numbers).toBeHidden();
});

test('a quota that is almost used up needs attention, and leads to the usage', async ({
  page,
  account,
  stack,
  receiver,
}) => {
  await register(account, receiver.url, 'Billing');
  await ingest(account);
  await page.goto('/dashboard');
  await expect(page.getByText('The endpoint is healthy.')).toBeVisible();
  const accounts = stack.mongo.db.collection('accounts');
  const use = (calls: number) => accounts.updateOne({ email: account.email }, { $set: { 'limits.quota_used': calls } });
  const rows = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');

  await use(399);
  await page.reload();
  await expect(page.getByText('399 of 500')).toBeVisible();
  await expect(page.getByText('The endpoint is healthy.')).toBeVisible();
  await expect(rows).toHaveCount(0);

  await use(410);
  await page.reload();
  await expect(rows).toHaveText([/Almost used up 82\s%.*410 of 500 calls of all keys\. Resets (in \d|tomorrow)/]);

  await use(500);
  await page.reload();
  await expect(rows).toHaveText([/Used up.*500 of 500 calls of all keys\. Calls get 429 until it resets\./]);
  await rows.getByRole('link', { name: 'Open usage' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
  await expect(page.getByText(/^The quota is used up/)).toBeVisible();
});

test('what needs attention can be done by keyboard', async ({ page, account }) => {
  await register(account, DEAD_NAME, 'Warehouse');
  await ingest(account);
  await page.goto('/dashboard');
  const row = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await row.getByRole('link', { name: 'Warehouse', exact: true }).focus();
  const focused = page.locator(':focus');
  for (const name of ['1 delivery waits', 'Open Warehouse', 'Pause Warehouse']) {
    await page.keyboard.press('Tab');
    await expect(focused).toHaveText(name);
  }
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Paused since');
  await row.getByRole('button', { name: 'Resume Warehouse' }).focus();
  await page.keyboard.press('Tab');
  await expect(focused).toHaveText('Recover Warehouse');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Send deliveries again' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(focused).toHaveText('Recover Warehouse');
});

for (const { name, width, scheme } of [
  { name: 'light', width: 1280, scheme: 'light' },
  { name: 'dark', width: 1280, scheme: 'dark' },
  { name: 'phone', width: 390, scheme: 'light' },
] as const) {
  test(`the overview is clean for axe with the first steps, and with what needs attention: ${name}`, async ({
    page,
    account,
    stack,
    receiver,
  }, info) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 844 });
    const check = async (what: string): Promise<void> => {
      await page.screenshot({ path: info.outputPath(`${what}-${name}.png`), fullPage: true });
      expect({ what, violations: await axeViolations(page) }).toEqual({ what, violations: [] });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect({ what, tooWide }).toEqual({ what, tooWide: 0 });
    };
    await page.goto('/dashboard');
    await expect(page.getByRole('region', { name: 'Deliver your first event' })).toBeVisible();
    await check('first-steps');

    await register(account, receiver.url, 'Billing');
    await register(account, DEAD_NAME, 'Warehouse');
    await account.call('POST', `${ENDPOINTS}/${await register(account, receiver.url, '')}/pause`);
    for (let n = 0; n < 3; n += 1) await ingest(account);
    await stack.mongo.db
      .collection('accounts')
      .updateOne({ email: account.email }, { $set: { 'limits.quota_used': 410 } });
    await page.goto('/dashboard');
    await expect(page.getByRole('listitem').filter({ hasText: 'Almost used up' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: '3 of 3 attempts' })).toBeVisible();
    await page.getByText('Latency by 5 minutes, as a table').click();
    await expect(page.getByRole('figure', { name: 'Attempts by 5 minutes' })).toBeVisible();
    await check('attention');
  });
}
