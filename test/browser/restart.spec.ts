import { test } from './support/api-process';
import { callApi, createKey, expect, signUp } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

test.describe.configure({ mode: 'serial' });

for (const how of ['stop', 'kill'] as const) {
  test(`every open page keeps what it shows while the API is away (${how}), and shows what happened once it is back`, async ({
    page,
    api,
  }) => {
    await signUp(page);
    const key = await createKey(page, 'test');
    const call = (method: string, path: string, body?: unknown) => callApi(api.url, key, { method, path, body });
    const { body: endpoint } = await call('POST', ENDPOINTS, { url: 'http://127.0.0.1:9/x' });
    const { body: event } = await call('POST', EVENTS, { type: 'before.restart', data: {} });
    const paths = [
      '',
      '/events',
      `/events/${event.id}`,
      '/deliveries',
      '/endpoints',
      `/endpoints/${endpoint.id}`,
    ].concat(['/replays', '/keys', '/usage', '/audit', '/settings']);
    const tabs = [];
    for (const path of paths) {
      const tab = await page.context().newPage();
      await tab.goto(`/dashboard${path}`);
      const state = tab.getByRole('status', { name: 'Live updates' });
      await expect(state).toHaveText('Live');
      const heading = await tab.getByRole('heading', { level: 1 }).innerText();
      tabs.push({ tab, state, heading, path });
    }
    await api[how]();
    for (const { tab, state, heading } of tabs) {
      await expect(state).toHaveText('Reconnecting');
      await expect(tab.getByRole('heading', { level: 1 })).toHaveText(heading);
    }
    await api.start();
    await call('POST', EVENTS, { type: 'after.restart', data: {} });
    for (const { tab, state, heading, path } of tabs) {
      await expect(state).toHaveText('Live');
      await expect(tab.getByRole('heading', { level: 1 })).toHaveText(heading);
      if (path === '/events') await expect(tab.getByRole('button', { name: 'Show 1 new event' })).toBeVisible();
      if (path === '/deliveries') await expect(tab.getByRole('button', { name: 'Show 1 new delivery' })).toBeVisible();
      if (path === '') await expect(tab.getByRole('region', { name: 'Attempts' })).toContainText('Backlog now2');
    }
  });
}

test('while the API is away, each page that was not visited yet says so and offers a retry; it loads once the API is back', async ({
  page,
  api,
}) => {
  await signUp(page);
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const state = page.getByRole('status', { name: 'Live updates' });
  await expect(state).toHaveText('Live');
  await api.stop();
  await expect(state).toHaveText('Reconnecting');
  const menu = page.getByRole('navigation', { name: 'Pages' });
  for (const name of ['Find', 'Endpoints', 'Usage', 'API keys', 'Search fields', 'Audit log']) {
    await menu.getByRole('link', { name }).click();
    await expect(page.getByText('The server did not answer. Check the connection and try again.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(menu).toBeVisible();
  }
  // The page that was visited.
  await menu.getByRole('link', { name: 'Now' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Now' })).toBeVisible();
  await menu.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The server still does not answer.')).toBeVisible();
  await api.start();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await expect(state).toHaveText('Live');
  expect(errors).toEqual([]);
});

test('a dialog that can not be loaded while the API is away says so, and opens once the API is back', async ({
  page,
  api,
}) => {
  await signUp(page);
  await page.goto('/dashboard/endpoints');
  const state = page.getByRole('status', { name: 'Live updates' });
  await expect(state).toHaveText('Live');
  await api.stop();
  await expect(state).toHaveText('Reconnecting');
  const opener = page.getByRole('button', { name: 'New endpoint' });
  await opener.click();
  await expect(page.getByRole('alert').filter({ hasText: 'This could not be opened' })).toBeVisible();
  await api.start();
  await expect(state).toHaveText('Live');
  await opener.click();
  await expect(page.getByRole('dialog', { name: 'New endpoint' })).toBeVisible();
});
