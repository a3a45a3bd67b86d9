import type { Locator, Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, test, type SignedUp } from './support/dashboard';
import { LOOKS } from './support/every-page';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

/** Three orders and a user. */
async function ingestSome({ call }: Pick<SignedUp, 'call'>): Promise<void> {
  for (const total of [1, 2, 3]) {
    const data = { total, customer: { name: 'Zoë', email: 'zoe@example.com' } };
    expect((await call('POST', EVENTS, { type: 'order.created', data })).status).toBe(202);
  }
  expect((await call('POST', EVENTS, { type: 'user.created', data: { name: 'Ada' } })).status).toBe(202);
}

async function openForm(page: Page, account: SignedUp, url: string): Promise<Locator> {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url, events: ['order.*', 'user.*'] });
  await ingestSome(account);
  await page.goto(`/dashboard/endpoints/${endpoint.id}?tab=settings`);
  await page.getByRole('button', { name: 'Edit' }).click();
  return page.getByRole('dialog', { name: 'Edit endpoint' });
}

const rowOf = (dialog: Locator, type: string) => dialog.getByRole('row', { name: new RegExp(`^${type}`) });

test('a change is tried on stored events before it is saved, by keyboard, and the form stays as it is', async ({
  page,
  account,
  receiver,
}) => {
  const form = await openForm(page, account, receiver.url);
  await form.getByRole('button', { name: /^Options/ }).click();
  await form.getByLabel('Filter on data').fill('{"total": {"$gte": 2}}');
  await form.getByLabel('Without these members of data').fill('customer.email');
  await form.getByLabel('Maximum attempts per second').fill('1');
  const button = form.getByRole('button', { name: 'Rehearse' });
  await button.focus();
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: 'Rehearsal' });
  await expect(dialog.getByRole('status')).toContainText('Tried on the newest 4 events');
  await expect(dialog.getByRole('alert').filter({ hasText: 'Fewer events match than before' })).toContainText(
    'would get 2 in place of 4',
  );
  await expect(rowOf(dialog, 'order.created')).toContainText(/3\s*2\s*−1/);
  await expect(rowOf(dialog, 'user.created')).toContainText(/1\s*0\s*−1/);
  await expect(dialog.getByText('The endpoint would not get this event.').first()).toBeVisible();
  await expect(dialog.getByRole('region', { name: /^After/ }).first()).not.toContainText('zoe@example.com');
  await expect(dialog.getByRole('region', { name: /^Before/ }).first()).toContainText('zoe@example.com');
  for (const { name, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    expect(await axeViolations(page)).toEqual([]);
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(isTooWide).toBe(false);
  }

  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await expect(form.getByLabel('Without these members of data')).toHaveValue('customer.email');
  const { body: stored } = await account.call('GET', ENDPOINTS);
  expect(JSON.stringify(stored)).not.toContain('customer.email');
});

test('a new endpoint is rehearsed too, and what can not be registered can not be rehearsed', async ({
  page,
  account,
  watch,
}) => {
  await ingestSome(account);
  await page.goto('/dashboard/endpoints');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog', { name: 'New endpoint' });
  await form.getByLabel('URL').fill('ftp://example.com/');
  await form.getByRole('button', { name: 'Rehearse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rehearsal' });
  await expect(dialog.getByRole('alert')).toContainText('The change could not be rehearsed');
  watch.forget();
  await dialog.getByRole('button', { name: 'Back to the form' }).click();
  await form.getByLabel('URL').fill('https://example.com/webhooks');
  await form.getByRole('button', { name: 'Rehearse' }).click();
  await expect(dialog.getByText('Events it would get')).toBeVisible();
  await expect(rowOf(dialog, 'order.created')).toContainText('3');
  await expect(dialog.getByRole('region', { name: /^Body \(application\/json\) of event/ })).toHaveCount(3);
  expect(await axeViolations(page)).toEqual([]);
});
