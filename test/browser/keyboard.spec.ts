import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { createKey, expect, test } from './support/dashboard';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
/** Nothing listens there. */
const CLOSED_PORT = 'http://127.0.0.1:9/x';

/** How an element and what is drawn for it look; they must differ with the focus. */
const LOOK = `(element) => [element, element.parentElement, element.nextElementSibling, element.closest('label')]
  .filter(Boolean)
  .map((it) => getComputedStyle(it))
  .map(({ outline, boxShadow, borderColor, transform }) => [outline, boxShadow, borderColor, transform].join(' '))
  .join(' | ')`;

/**
 * Marks what can be pressed or filled in, of a group of radio buttons the chosen one, and notes how each looks.
 *
 * @returns how many they are
 */
function markControls(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const look = ${LOOK};
    document.activeElement?.blur();
    const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
      (it) => it.checkVisibility({ visibilityProperty: true }) && !it.disabled && !it.closest('[aria-hidden=true]') &&
        !(it.type === 'radio' && !it.checked) && it.getAttribute('aria-selected') !== 'false' && it.type !== 'hidden',
    );
    globalThis.looks = new Map(controls.map((it) => [it, look(it)]));
    return controls.length;
  })()`);
}

/** Notes that the focus has come to what has it. @returns what is wrong with that; null if nothing is */
function visitFocused(page: Page): Promise<string | null> {
  return page.evaluate(`(() => {
    const look = ${LOOK};
    const it = document.activeElement;
    const before = globalThis.looks.get(it);
    globalThis.looks.delete(it);
    return before !== undefined && look(it) === before ? 'no visible focus: ' + it.outerHTML.slice(0, 200) : null;
  })()`);
}

function notVisited(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...globalThis.looks.keys()].filter((it) => it.isConnected).map((it) => it.outerHTML.slice(0, 200))`,
  );
}

test('Tab leads to every control of every page, and the focus is visible', async ({ page, account, stack }) => {
  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: { operator: true } });
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: CLOSED_PORT });
  const { body: event } = await account.call('POST', EVENTS, { type: 'order.created', data: {} });
  await account.call('POST', '/api/v1/webhooks/replays', { filter: {} });
  const paths = ['', '/events', '/events?status=pending&type=order.*', `/events/${event.id}`, '/deliveries'].concat([
    '/endpoints',
    `/endpoints/${endpoint.id}`,
    '/replays',
    '/keys',
    '/reports',
    '/audit',
    '/accounts',
    '/management-keys',
    '/settings',
  ]);
  for (const path of ['/estimator', ...paths.map((it) => `/dashboard${it}`)]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[class*=Skeleton], [aria-label=Loading]')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    const count = await markControls(page);
    expect(count).toBeGreaterThan(5);
    const problems = new Set<string>();
    // Tables that scroll have the focus as well.
    for (let presses = 0; presses < count + 20; presses += 1) {
      await page.keyboard.press('Tab');
      const problem = await visitFocused(page);
      if (problem !== null) problems.add(problem);
    }
    expect({ path, problems: [...problems], notVisited: await notVisited(page) }).toEqual({
      path,
      problems: [],
      notVisited: [],
    });
  }
});

test('"?" and the menu of the account show what keys do, and the focus returns', async ({ page, account }) => {
  expect(account.email).toContain('@');
  await page.goto('/dashboard/endpoints');
  const opener = page.getByRole('button', { name: 'New endpoint' });
  await opener.focus();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog.getByRole('row', { name: 'Search' })).toContainText('Ctrl K');
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  const menu = page.getByRole('button', { name: 'Your account' });
  await menu.press('Enter');
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();

  // In a field it is a letter, and it does not cover another dialog.
  await opener.press('Enter');
  const url = page.getByRole('dialog', { name: 'New endpoint' }).getByLabel('URL');
  await expect(url).toBeFocused();
  await page.keyboard.type('https://example.com/?a');
  await expect(url).toHaveValue('https://example.com/?a');
  await page.keyboard.press('Tab');
  await expect(dialog).toBeHidden();
});

test('a button keeps the focus while its request runs', async ({ page, account }) => {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: CLOSED_PORT });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await expect(page.getByLabel('Reason, if you want to give one')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Resume' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeFocused();
});

test('when the row of the focus is gone, its table has the focus; when a dialog is closed, what opened it has', async ({
  page,
  account,
}) => {
  expect(account.email).toContain('@');
  await createKey(page, 'second');
  const revoke = page.getByRole('button', { name: 'Revoke second' });
  await revoke.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Revoke “second”?' });
  await expect(dialog.getByRole('button', { name: 'Go back' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(revoke).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Go back' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).press('Enter');
  await expect(revoke).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'API keys' })).toBeFocused();

  const rotate = page.getByRole('button', { name: 'Rotate test' });
  await rotate.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rotate “test”' }).getByLabel('Label')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rotate).toBeFocused();
});

test('what is shown once has the focus as soon as it is made, and what opened its dialog after that', async ({
  page,
  account,
  receiver,
}) => {
  expect(account.email).toContain('@');
  const dialog = page.getByRole('dialog');
  await page.goto('/dashboard/keys');
  const newKey = page.getByRole('button', { name: 'New key' });
  await newKey.press('Enter');
  await dialog.getByLabel('Label').fill('by keyboard');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('region', { name: 'The new key' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Copy the key' })).toBeFocused();
  await dialog.getByLabel('I have stored it').press('Space');
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(newKey).toBeFocused();

  await newKey.click();
  await dialog.getByLabel('Label').fill('by mouse');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByRole('region', { name: 'The new key' })).toBeFocused();

  await page.goto('/dashboard/endpoints');
  const newEndpoint = page.getByRole('button', { name: 'New endpoint' });
  await newEndpoint.press('Enter');
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('combobox', { name: 'Events' }).fill('order.*');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Register' }).press('Enter');
  await expect(dialog.getByRole('region', { name: 'Signing secret' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(newEndpoint).toBeFocused();
});

test('after a deletion the heading of the list has the focus', async ({ page, account, watch }) => {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: CLOSED_PORT });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Go back' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Endpoints' })).toBeFocused();
  // The browser reports that the page asked once more for what is gone.
  watch.forget();
});
