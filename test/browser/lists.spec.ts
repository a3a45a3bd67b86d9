import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, signUp, test, type SignedUp } from './support/dashboard';
import { holdAnswer } from './support/hold-answer';

const LIST = '/dashboard/api/webhooks/deliveries';

/** An endpoint that is sent nothing, and so many deliveries that wait for it. */
async function makeDeliveries(account: SignedUp, count: number): Promise<void> {
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x', enabled: false });
  const events = Array.from({ length: count }, (_, n) => ({ type: 'order.created', data: { n } }));
  const { status } = await account.call('POST', '/api/v1/webhooks/events/batch', { events });
  expect(status).toBeLessThan(300);
}

/** Has a delivery come, and waits until the page has learned of it: the same stream tells it of an endpoint after that. */
async function haveDeliveryCome(page: Page, account: SignedUp): Promise<string> {
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'order.new', data: {} });
  const url = `http://127.0.0.1:9/${randomUUID()}`;
  const heard = page.waitForResponse(async (answer) => {
    const isList = new URL(answer.url()).pathname === '/dashboard/api/webhooks/endpoints';
    return isList && (await answer.text()).includes(url);
  });
  await account.call('POST', '/api/v1/webhooks/endpoints', { url, events: ['never.sent'] });
  await heard;
  return String(event.id);
}

test('older rows are shown although new ones come while they are loaded', async ({ page, account }) => {
  await makeDeliveries(account, 60);
  await page.goto('/dashboard/deliveries');
  const rows = page.getByRole('row', { name: /order\.created/ });
  await expect(rows).toHaveCount(25);
  const answer = await holdAnswer(page, {
    method: 'GET',
    isAsked: ({ pathname, searchParams }) => pathname === LIST && searchParams.has('cursor'),
  });
  await page.getByRole('button', { name: 'Show older' }).click();
  await answer.isHeld;
  await haveDeliveryCome(page, account);
  answer.release();
  await expect(rows).toHaveCount(50);
});

test('a list with older rows asks for its newest page alone; its newest rows are one press away', async ({
  page,
  account,
  watch,
}) => {
  await makeDeliveries(account, 60);
  await page.goto('/dashboard/deliveries');
  const rows = page.getByRole('row', { name: /order\.created/ });
  for (const count of [50, 60]) {
    await page.getByRole('button', { name: 'Show older' }).click();
    await expect(rows).toHaveCount(count);
  }
  const asked = () =>
    watch.apiCalls.filter((call) => call.startsWith(`GET ${LIST}?`) && call.includes('cursor=')).length;
  const before = asked();
  await haveDeliveryCome(page, account);
  const id = await haveDeliveryCome(page, account);
  expect(asked()).toBe(before);
  await expect(page.getByText('Older rows do not update.')).toBeVisible();
  await expect(rows).toHaveCount(60);

  await page.getByRole('button', { name: 'Show 2 new deliveries' }).click();
  await expect(page.getByRole('row', { name: id })).toBeVisible();
  await expect(rows).toHaveCount(23);
  // And it is live again.
  await haveDeliveryCome(page, account);
  await expect(page.getByRole('button', { name: 'Show 1 new delivery' })).toBeVisible();
});

test('what is new is shown above an empty list, as above any other', async ({ page }) => {
  await signUp(page);
  for (const noun of ['events', 'deliveries', 'replays']) {
    await page.goto(`/dashboard/${noun}`);
    const news = (await page.getByRole('button', { name: `No new ${noun}` }).boundingBox())!;
    const empty = (await page.getByRole('heading', { name: `No ${noun} yet` }).boundingBox())!;
    expect({ noun, isAbove: news.y < empty.y }).toEqual({ noun, isAbove: true });
  }
});

test('new rows are announced and move nothing until the user shows them', async ({ page, account }) => {
  await makeDeliveries(account, 3);
  await page.goto('/dashboard/events');
  const rows = page.locator('tbody tr');
  await expect(rows).toHaveCount(3);
  const before = await rows.first().boundingBox();
  const types = Array.from({ length: 12 }, (_, n) => ({ type: 'order.late', data: { n } }));
  await account.call('POST', '/api/v1/webhooks/events/batch', { events: types });
  const show = page.getByRole('button', { name: 'Show 12 new events' });
  await expect(show).toBeVisible();
  await expect(page.getByRole('status', { name: 'New events' })).toHaveText('12 new events');
  expect(await rows.first().boundingBox()).toEqual(before);
  await expect(rows).toHaveCount(3);
  await show.click();
  await expect(rows).toHaveCount(15);
  await expect(page.getByRole('button', { name: 'No new events' })).toBeFocused();
});

test('an event page does not ask again for events that come besides', async ({ page, account, watch }) => {
  await makeDeliveries(account, 1);
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'order.shown', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText(/^Waiting: /)).toBeVisible();
  await haveDeliveryCome(page, account);
  const asked = () => watch.apiCalls.filter((call) => call.includes(String(event.id))).length;
  const before = asked();
  await haveDeliveryCome(page, account);
  expect(asked()).toBe(before);
});
