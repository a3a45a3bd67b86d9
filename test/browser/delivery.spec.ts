import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

/** Opens the story of a delivery, by the name of its endpoint. One that fails alone is open. */
async function openStory(page: Page, name: string): Promise<void> {
  const toggle = page.getByRole('button', { name, exact: true });
  await expect(toggle).toBeVisible();
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
}

const CLOSED_PORT = 'http://127.0.0.1:9/x';

test('a delivery to a paused endpoint says what it waits for, and offers no retry that would be refused', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(503);
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  const path = `/api/v1/webhooks/endpoints/${endpoint.id}`;
  // One waits for its second attempt already, the other for its first.
  const { body: retried } = await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${retried.id}`);
  await expect(page.getByText(/Attempt 2 of 3 in \d+\ss/)).toBeVisible();
  await account.call('POST', `${path}/pause`);
  const { body: held } = await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });

  for (const { id } of [retried, held]) {
    await page.goto(`/dashboard/events/${id}`);
    await expect(page.getByText('Waiting: the endpoint is paused')).toBeVisible();
    await expect(page.getByText(/Attempt \d of \d (is due now|in)/)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Retry now' })).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Open the endpoint' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.goto(`/dashboard/events/${held.id}`);
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
});

test('retry now says which attempt it uses up', async ({ page, account, receiver }) => {
  receiver.answerWith(503);
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  const retry = page.getByRole('button', { name: 'Retry now' });
  await expect(retry).toHaveAccessibleDescription('Uses attempt 2 of 3.');
  await retry.click();
  await expect(retry).toHaveAccessibleDescription('Uses the last attempt, 3 of 3. If it fails, the delivery fails.');
});

test('an attempt that found no receiver shows no request headers', async ({ page, account, receiver }) => {
  for (const url of [CLOSED_PORT, receiver.url]) await account.call('POST', '/api/v1/webhooks/endpoints', { url });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  const to = (url: string) => page.getByRole('region', { name: /^Delivery / }).filter({ hasText: url });
  await openStory(page, receiver.url);
  await expect(to(CLOSED_PORT).getByText('No request was sent: there was no connection')).toBeVisible();
  await expect(to(CLOSED_PORT).getByText('Request and response')).toHaveCount(0);
  await expect(to(receiver.url).getByText('Request and response')).toBeVisible();
});

test('several attempts to several endpoints are told apart by screen readers', async ({ page, account, receiver }) => {
  receiver.answerWith(500);
  for (const path of ['one', 'other']) {
    const url = `http://127.0.0.1:${receiver.port}/${path}`;
    await account.call('POST', '/api/v1/webhooks/endpoints', { url, options: { retry_schedule: [0] } });
  }
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  for (const path of ['one', 'other']) {
    const delivery = page.getByRole('region', { name: /^Delivery / }).filter({ hasText: `/${path}` });
    await openStory(page, `http://127.0.0.1:${receiver.port}/${path}`);
    await delivery.getByRole('button', { name: 'Replay' }).click();
    await expect(delivery.getByText('Attempt 1 failed')).toHaveCount(2);
  }
  for (const title of await page.getByText('Request and response').all()) await title.click();
  expect(await axeViolations(page)).toEqual([]);
});

test('an event that filters reject does not say that its type matched no pattern', async ({
  page,
  account,
  receiver,
}) => {
  const options = { filter: { total: { $gte: 100 } } };
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, events: ['order.*'], options });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', {
    type: 'order.created',
    data: { total: 1 },
  });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText(/no endpoint had both a pattern that matches order\.created and a filter/)).toBeVisible();
});

test('a delivery in line offers no retry, which would not skip the line', async ({ page, account, receiver }) => {
  receiver.answerWith(503);
  const options = { ordered: true };
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, options });
  const send = () => account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  const [{ body: first }, { body: second }] = [await send(), await send()];
  await page.goto(`/dashboard/events/${second.id}`);
  await expect(page.getByText(`Waiting: behind event ${first.id}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry now' })).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`/dashboard/events/${first.id}`);
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
});
