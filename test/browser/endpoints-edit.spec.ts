import type { Locator, Page } from '@playwright/test';
import { insertEvents } from '../support/build-events';
import { axeViolations } from './support/axe';
import { expect, test, type SignedUp } from './support/dashboard';

const PATH = '/api/v1/webhooks/endpoints';

/** An endpoint, and the form that a person has opened to change it. */
async function openForm(page: Page, account: SignedUp, body: object = {}) {
  const { body: endpoint } = await account.call('POST', PATH, {
    url: 'http://127.0.0.1:9/old',
    events: ['order.*'],
    description: 'Orders',
    ...body,
  });
  const path = `${PATH}/${endpoint.id}`;
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit endpoint' });
  await expect(form.getByLabel('URL')).toHaveValue('http://127.0.0.1:9/old');
  return {
    form,
    /** A colleague's change, while the form is open. */
    changeElsewhere: async (change: object): Promise<void> => {
      expect((await account.call('PATCH', path, change)).status).toBe(200);
    },
    stored: async () => (await account.call('GET', path)).body as unknown as Record<string, unknown>,
  };
}

const save = (form: Locator) => form.getByRole('button', { name: 'Save' }).click();

test('saving the form keeps what another caller changed meanwhile, and says who changed it', async ({
  page,
  account,
  watch,
}) => {
  const { form, changeElsewhere, stored } = await openForm(page, account);
  await changeElsewhere({ url: 'http://127.0.0.1:9/new', options: { max_per_second: 7 } });
  await form.getByLabel('Description').fill('Orders of Berlin');
  await save(form);
  const notice = form.getByRole('alert');
  await expect(notice).toContainText('test changed URL, Maximum attempts per second just now');
  await expect(notice).toContainText('Save stores both.');
  await expect(form.getByLabel('URL')).toHaveValue('http://127.0.0.1:9/new');
  await expect(form.getByLabel('Description')).toHaveValue('Orders of Berlin');
  expect(await stored()).toMatchObject({ description: 'Orders' });

  await save(form);
  await expect(form).toBeHidden();
  expect(await stored()).toMatchObject({
    url: 'http://127.0.0.1:9/new',
    events: ['order.*'],
    description: 'Orders of Berlin',
    options: { max_per_second: 7 },
  });
  // The browser writes down the 412 that was asked for.
  watch.forget();
});

test('what both changed is shown side by side, and the person decides field by field', async ({
  page,
  account,
  watch,
}) => {
  const { form, changeElsewhere, stored } = await openForm(page, account, {
    options: { authentication: { type: 'bearer', token: 'first' }, headers: { 'X-Tenant': 'blue' } },
  });
  await form.getByLabel('URL').fill('http://127.0.0.1:9/mine');
  await form.getByLabel('Description').fill('Mine');
  await form.getByRole('button', { name: /^Options/ }).click();
  await form.getByLabel('In order').click();
  await form.getByRole('combobox', { name: 'Authentication' }).click();
  await page.getByRole('option', { name: 'Bearer token' }).click();
  await form.getByLabel('Token').fill('mine');
  await changeElsewhere({ description: 'Theirs' });
  await changeElsewhere({
    url: 'http://127.0.0.1:9/theirs',
    events: ['refund.*'],
    options: { authentication: { type: 'bearer', token: 'theirs' } },
  });
  await save(form);

  const notice = form.getByRole('alert');
  await expect(notice.getByRole('listitem')).toHaveText([
    /^test changed URL, Events, Authentication just now\.$/,
    /^test changed Description just now\.$/,
  ]);
  const disputed = (label: string) => notice.getByRole('group', { name: label });
  await expect(notice.getByRole('group')).toHaveCount(3);
  await expect(disputed('URL')).toContainText('Now storedhttp://127.0.0.1:9/theirsYourshttp://127.0.0.1:9/mine');
  await expect(disputed('Description')).toContainText('Now storedTheirsYoursMine');
  await expect(disputed('Authentication')).toContainText('The stored credentialYoursThe token that you entered');
  await expect(form.getByRole('textbox', { name: 'URL' })).toHaveValue('http://127.0.0.1:9/mine');
  await expect(form.getByText('refund.*', { exact: true })).toBeVisible();
  await expect(notice.getByText('The endpoint has changed since you opened this form')).toBeInViewport({ ratio: 1 });
  expect(await axeViolations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await form.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 860 });

  await disputed('Description').getByRole('button').click();
  await expect(form.getByRole('textbox', { name: 'Description' })).toHaveValue('Theirs');
  await disputed('Authentication').getByRole('button').click();
  await expect(notice.getByRole('group')).toHaveCount(1);
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await save(form);
  expect((await sent).postDataJSON()).toEqual({ url: 'http://127.0.0.1:9/mine', options: { ordered: true } });
  await expect(form).toBeHidden();
  expect(await stored()).toMatchObject({
    url: 'http://127.0.0.1:9/mine',
    events: ['refund.*'],
    description: 'Theirs',
    options: { ordered: true, headers: { 'X-Tenant': '[hidden]' }, authentication: { type: 'bearer' } },
  });
  watch.forget();
});

test('a pause meanwhile is no reason to ask, and without a change nothing is sent', async ({
  page,
  account,
  watch,
}) => {
  const { form, stored } = await openForm(page, account);
  const { id } = await stored();
  expect((await account.call('POST', `${PATH}/${String(id)}/pause`)).status).toBe(200);
  await form.getByLabel('Description').fill('Mine');
  await save(form);
  await expect(form).toBeHidden();
  expect(await stored()).toMatchObject({ status: 'paused', description: 'Mine' });
  watch.forget();

  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.method()));
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(form.getByLabel('Description')).toHaveValue('Mine');
  await save(form);
  await expect(form).toBeHidden();
  expect(requests).not.toContain('PATCH');
});

test('the form knows a type of the last 30 days beside one with thousands of newer events', async ({
  page,
  account,
  stack,
}) => {
  const found = await stack.mongo.db.collection('accounts').findOne({ email: account.email });
  const accountId = String(found!._id);
  const now = Math.floor(Date.now() / 1_000);
  const seen = (type: string, acceptedAt: number, id: number) => ({ id, accountId, type, acceptedAt, deliveries: [] });
  await insertEvents(stack.mongo, [
    seen('order.created', now - 1_500, 1_000_000),
    ...Array.from({ length: 5_100 }, (_, index) => seen('noisy.ping', now, 2_000_000 + index)),
  ]);
  const { form } = await openForm(page, account);
  await expect(form.getByText('Matches 1 of 2 event types of the last 30 days:')).toBeVisible();
  const events = form.getByRole('combobox', { name: 'Events' });
  await events.press('Backspace');
  await events.fill('refund.*');
  await events.press('Enter');
  await expect(form.getByText('None of your event types of the last 30 days match.')).toBeVisible();
});
