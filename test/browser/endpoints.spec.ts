import { expect, signUp, test } from './support/dashboard';

const CLOSED_PORT = 'http://127.0.0.1:9/x';

test('a rotation of the signing secret is there after a reload, and can be ended without revealing', async ({
  page,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Create the next secret' }).click();
  await expect(page.getByText('Rotation in progress')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Rotation in progress')).toBeVisible();
  await expect(page.getByText(/switches automatically in 23 hours/)).toBeVisible();
  await expect(page.getByText(endpoint.secret)).toHaveCount(0);

  await page.getByRole('button', { name: 'Switch to the next secret' }).click();
  await expect(page.getByText('Rotation in progress')).toBeHidden();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expect(page.getByText(endpoint.secret)).toHaveCount(0);
});

test('of “*” and a narrower pattern the newer choice stays', async ({ page }) => {
  await signUp(page);
  await page.goto('/dashboard/endpoints');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  const events = form.getByRole('combobox', { name: 'Events' });
  const add = async (pattern: string): Promise<void> => {
    await events.fill(pattern);
    await events.press('Enter');
  };
  const chosen = () => form.locator('.mantine-Pill-label').allInnerTexts();
  await add('order.*');
  await expect.poll(chosen).toEqual(['order.*']);
  await add('everpost.endpoint.disabled');
  await add('*');
  await expect.poll(chosen).toEqual(['everpost.endpoint.disabled', '*']);
  await add('invoice.paid');
  await expect.poll(chosen).toEqual(['everpost.endpoint.disabled', 'invoice.paid']);
});

test('an endpoint that fails every attempt says so before any delivery has failed for good', async ({
  page,
  account,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: CLOSED_PORT });
  await page.goto('/dashboard/endpoints');
  const row = page.getByRole('row', { name: /127\.0\.0\.1:9/ });
  await expect(row).toContainText('Waiting');
  await expect(row).toContainText('no attempts');

  // Without a reload: the page is told.
  await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  await expect(row).toContainText(/Failing since \d\d:\d\d/);
  await expect(row).toContainText(/Connection refused, (\d+) of \1/);
  await expect(row).toContainText('100.0 % failed');
  await expect(row).not.toContainText('Active');

  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await expect(page.getByText(/^Connection refused, (\d+) of \1$/)).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Failing since' })).toContainText(
    'nothing listens on this port',
  );
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/^Paused since \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Failing since' })).toBeHidden();
});
