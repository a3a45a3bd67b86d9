import type { Page, Request } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const PHONE = { width: 390, height: 844 };
const SEARCH = '/dashboard/api/search?';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => dialog(page).getByRole('combobox', { name: 'Search' });
const options = (page: Page) => dialog(page).getByRole('option');

/** Opens the search by its key, from any page. */
async function openSearch(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('button', { name: 'Search' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
}

async function nameSearchField(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard/settings/search-fields');
  await page.getByRole('combobox', { name: 'Fields' }).fill(name);
  await page.getByRole('combobox', { name: 'Fields' }).press('Enter');
  await page.getByRole('button', { name: 'Save the search fields' }).click();
  await expect(page.getByText('The search fields are saved.')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
}

test('saving the search fields keeps those that a colleague named meanwhile', async ({ page, account, watch }) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard/settings/search-fields');
  const fields = page.getByRole('combobox', { name: 'Fields' });
  await expect(fields).toBeVisible();
  const colleague = await page.request.patch('/dashboard/api/search-fields', {
    data: { search_fields: ['customer_id'] },
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(colleague.status()).toBe(200);
  await fields.fill('order_id');
  await fields.press('Enter');
  await page.getByRole('button', { name: 'Save the search fields' }).click();
  await expect(page.getByText('The search fields are saved.')).toBeVisible();
  await expect(page.locator('.mantine-Pill-label')).toHaveText(['customer_id', 'order_id']);
  const me = await (await page.request.get('/dashboard/api/me')).json();
  expect(me.account.search_fields).toEqual(['customer_id', 'order_id']);
  watch.forget();
});

test('from an event id to its page in two steps: the id, and Enter', async ({ page, account, watch }) => {
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard');
  await openSearch(page);
  const asked = watch.apiCalls.length;
  await page.keyboard.type(String(event.id));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Event ${event.id}` })).toBeFocused();
  await expect(dialog(page)).toBeHidden();
  // Typing is one search, however many keys it takes.
  expect(watch.apiCalls.slice(asked).filter((call) => call.includes(SEARCH))).toHaveLength(1);
});

test('an event is found by its idempotency key; Ctrl-K opens the search from a field too, and Escape closes it', async ({
  page,
  account,
}) => {
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', {
    type: 'order.created',
    data: {},
    idempotency_key: 'ord_42_created',
  });
  await page.goto('/dashboard/events');
  await page.getByLabel('Event type').press('/');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByLabel('Event type')).toHaveValue('/');
  await page.getByLabel('Event type').fill('');
  await page.getByLabel('Event type').press('Control+k');
  await expect(field(page)).toBeFocused();
  await field(page).press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByLabel('Event type')).toBeFocused();

  await page.keyboard.press('Control+k');
  await field(page).fill('ord_42_created');
  await options(page).filter({ hasText: 'idempotency key ord_42_created' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Event ${event.id}` })).toBeVisible();
});

test('events are found by a field of their data, singly and as a list', async ({ page, account }) => {
  await page.goto('/dashboard');
  await openSearch(page);
  await field(page).fill('data.customer_id = cus_123');
  await expect(dialog(page).getByText('“customer_id” is not a search field of this account.')).toBeVisible();
  await dialog(page).getByRole('link', { name: 'Settings' }).click();
  await expect(dialog(page)).toBeHidden();
  await nameSearchField(page, 'customer_id');
  const ids: unknown[] = [];
  for (const customer_id of ['cus_123', 'cus_9', 'cus_123']) {
    const { body } = await account.call('POST', '/api/v1/webhooks/events', {
      type: 'order.paid',
      data: { customer_id },
    });
    ids.push(body.id);
  }
  await openSearch(page);
  await field(page).fill('data.customer_id = cus_123');
  await expect(options(page)).toHaveCount(3);
  await expect(options(page).first()).toContainText(`Event ${String(ids[2])} · customer_id cus_123`);
  await page.keyboard.press('ArrowDown');
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await options(page).nth(1).getAttribute('id'))!);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /order\.paid/ })).toHaveCount(2);
  await expect(page.getByText('Data customer_id:cus_123')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter Data customer_id:cus_123' }).click();
  await expect(page.getByRole('row', { name: /order\.paid/ })).toHaveCount(3);
});

test('endpoints and event types are found by a part; the last searches are offered again, until they are cleared', async ({
  page,
  account,
  receiver,
}) => {
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, description: 'Warehouse' });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard');
  await openSearch(page);
  await field(page).fill('wareh');
  await expect(dialog(page).getByRole('group', { name: 'Endpoints' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Warehouse' })).toBeVisible();

  await openSearch(page);
  await field(page).fill('order.*');
  await expect(dialog(page).getByRole('group', { name: 'Event types' }).getByRole('option')).toHaveText([
    /^order\.\*/,
    /^order\.created/,
  ]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/find\?type=order\.\*$/);

  await page.reload();
  await expect(page.getByRole('row', { name: /order\.created/ })).toBeVisible();
  await openSearch(page);
  await expect(dialog(page).getByRole('group', { name: 'Recent searches' }).getByRole('option')).toHaveText([
    'order.*',
    'wareh',
  ]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('wareh');
  await field(page).fill('');
  await dialog(page).getByRole('button', { name: 'Clear recent searches' }).click();
  await expect(options(page)).toHaveCount(0);
});

test('a sign-out forgets the last searches, even if the live updates end before its answer', async ({
  page,
  account,
}) => {
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard');
  await openSearch(page);
  await field(page).fill(String(event.id));
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Event ${event.id}` })).toBeVisible();
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  expect(await stored()).toContain(String(event.id));
  await page.route('**/dashboard/api/sign-out', async (route) => {
    // It fails rather than finishes where the page closes it first.
    const isLive = (it: Request) => it.url().endsWith('/dashboard/api/live');
    const ended = Promise.race([
      page.waitForEvent('requestfinished', isLive),
      page.waitForEvent('requestfailed', isLive),
    ]);
    const response = await route.fetch();
    await ended;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByLabel('E-mail')).toBeVisible();
  expect(await stored()).not.toContain(String(event.id));
});

test('a search without a result says what was searched', async ({ page, account }) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard');
  await openSearch(page);
  await field(page).fill('cus_404');
  await expect(dialog(page).getByRole('status')).toContainText('Nothing found for “cus_404”.');
  await expect(dialog(page).getByRole('status')).toContainText('Searched: event ids and idempotency keys (in full)');
  await expect(dialog(page).getByRole('status')).toContainText('name the fields under Settings');
});

test('a search that is opened before its file has come gives the focus back all the same', async ({
  page,
  account,
}) => {
  expect(account.email).toContain('@');
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(/assets\/search-dialog-.*\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto('/dashboard/events');
  await page.getByLabel('Event type').press('Control+k');
  release();
  await field(page).press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByLabel('Event type')).toBeFocused();
});

test('"/" does not cover another dialog', async ({ page, account }) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(1);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the open search, before typing, with results and without, ${scheme}, wide and on a phone`, async ({
    page,
    account,
    receiver,
  }) => {
    await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, description: 'Order service' });
    await account.call('POST', '/api/v1/webhooks/events', {
      type: 'order.created',
      data: {},
      idempotency_key: 'order',
    });
    await page.emulateMedia({ colorScheme: scheme });
    for (const size of [{ width: 1280, height: 860 }, PHONE]) {
      await page.setViewportSize(size);
      await page.goto('/dashboard/events');
      await expect(page.getByRole('row', { name: /order\.created/ })).toBeVisible();
      if (size === PHONE) await page.getByRole('banner').getByRole('button', { name: 'Search' }).click();
      else await openSearch(page);
      await expect(dialog(page).getByText('You can search for:')).toBeVisible();
      expect(await axeViolations(page)).toEqual([]);
      await picture(page, `${scheme}-${size.width}-empty`);
      await field(page).fill('order');
      await expect(options(page)).toHaveCount(3);
      expect(await axeViolations(page)).toEqual([]);
      await picture(page, `${scheme}-${size.width}-results`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      await field(page).fill('nothing like it');
      await expect(dialog(page).getByRole('status')).toContainText('Nothing found');
      expect(await axeViolations(page)).toEqual([]);
      await picture(page, `${scheme}-${size.width}-nothing`);
      await field(page).press('Escape');
      await expect(dialog(page)).toBeHidden();
    }
  });
}

/** Only for whoever wants to look: where `SEARCH_PICTURES` says. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SEARCH_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

test('"/" opens the search from the checkbox of a row too', async ({ page, account }) => {
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard/find');
  await page.getByRole('checkbox', { name: /^Select event/ }).focus();
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
});
