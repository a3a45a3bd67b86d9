import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

test('the page of a 250 KB event shows its first 32 KB, and all of it on request', async ({
  page,
  account,
  receiver,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await account.call('POST', ENDPOINTS, { url: receiver.url });
  const items = Array.from({ length: 5_800 }, (_, n) => ({ n, name: 'one of very many items' }));
  const { status, body: event } = await account.call('POST', EVENTS, { type: 'order.large', data: { items } });
  expect(status).toBe(202);
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  const data = page.getByRole('region', { name: 'Data, as sent' });
  const all = page.getByRole('button', { name: /^Show all \d{3}\sKB of the data$/ });
  await expect(all).toBeVisible();
  expect((await data.innerText()).length).toBeLessThanOrEqual(32 * 1_024);
  await expect(data).not.toContainText('"n": 5799');
  expect(await axeViolations(page)).toEqual([]);

  // A copy is always whole.
  await page.getByRole('button', { name: 'Copy the data' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toEqual({ items });
  await all.click();
  await expect(data).toContainText('"n": 5799');
  await page.getByRole('button', { name: 'Show less of the data' }).click();
  await expect(data).not.toContainText('"n": 5799');

  // The body of each attempt is folded too.
  await page.getByText('Request and response').click();
  const body = page.getByRole('region', { name: /^Request body, as signed/ });
  expect((await body.innerText()).length).toBeLessThanOrEqual(32 * 1_024);
});

test('characters that turn a line around are shown as escapes, and copied as they are', async ({ page, account }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const data = { note: 'abc\u202etxt.exe' };
  const { body: event } = await account.call('POST', EVENTS, { type: 'order.turned', data });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByRole('region', { name: 'Data, as sent' })).toContainText(String.raw`"abc\u202etxt.exe"`);
  await page.getByRole('button', { name: 'Copy the data' }).click();
  expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(data);
});
