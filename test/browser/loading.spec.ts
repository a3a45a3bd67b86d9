import { expect, signUp, test } from './support/dashboard';
import { holdAnswer } from './support/hold-answer';

test('a page that is opened while the server is down says so inside the application, and loads once it is back', async ({
  page,
  watch,
}) => {
  await signUp(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await page.route('**/*', (route) => route.abort());
  await pages.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByText('The server did not answer. Check the connection and try again.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The server still does not answer.')).toBeVisible();
  await expect(pages).toBeVisible();

  await page.unroute('**/*');
  // By itself.
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  watch.forget();
});

test('while a page loads, the menu is there and something says that it loads', async ({ page }) => {
  await signUp(page);
  const answer = await holdAnswer(page, {
    method: 'GET',
    isAsked: ({ pathname }) => pathname === '/dashboard/api/webhooks/endpoints',
  });
  await page.goto('/dashboard/endpoints');
  await answer.isHeld;
  await expect(page.getByLabel('Loading')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  answer.release();
  await expect(page.getByRole('heading', { level: 1, name: 'Endpoints' })).toBeVisible();
});

for (const { path, reason } of [
  { path: 'events/1', reason: 'There is no event with this id.' },
  { path: 'events/abc', reason: '"event_id" must be an integer.' },
  { path: 'endpoints/ep_00000000000000000000000000', reason: 'There is no endpoint with this id.' },
]) {
  test(`/dashboard/${path}: it says what was not found`, async ({ page, watch }) => {
    await signUp(page);
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
    // The browser reports the refusal.
    watch.forget();
  });
}
