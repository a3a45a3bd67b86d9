import { expect, signUp, test } from './support/dashboard';
import { holdAnswer } from './support/hold-answer';

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

test('before the files of the page have come, its frame is there and says that it loads', async ({ page }) => {
  const answer = await holdAnswer(page, {
    method: 'GET',
    isAsked: ({ pathname }) => /^\/assets\/index-.*\.js$/.test(pathname),
  });
  await page.goto('/dashboard/sign-in', { waitUntil: 'commit' });
  await answer.isHeld;
  await expect(page.getByRole('status')).toHaveText('Loading…');
  await expect(page.getByText('Everpost', { exact: true })).toBeVisible();
  answer.release();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
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
