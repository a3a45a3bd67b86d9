import { createKey, expect, signUp, test } from './support/dashboard';
import { holdAnswer } from './support/hold-answer';

for (const { name, opener, next } of [
  { name: 'a new key', opener: 'New key', next: 'Done' },
  { name: 'the replacement of a key', opener: 'Rotate production', next: 'Next: watch the traffic' },
]) {
  test(`${name} is shown until it is stored, whatever is pressed meanwhile`, async ({ page }) => {
    await signUp(page);
    await createKey(page, 'production');
    const answer = await holdAnswer(page, {
      method: 'POST',
      isAsked: ({ pathname }) => pathname === '/dashboard/api/keys',
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: opener }).click();
    await dialog.getByLabel('Label').fill('staging');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await answer.isHeld;
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();

    answer.release();
    const key = dialog.getByRole('region', { name: 'The new key' });
    await expect(key).toHaveText(/^svc_live_weh_/);
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
    await dialog.getByLabel('I have stored it').check();
    await dialog.getByRole('button', { name: next }).click();
    // Now the dialog may be closed.
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
}

test('however long ago a key was made, its buttons are in view', async ({ page, account, stack }) => {
  await account.call('GET', '/api/v1/keys/self');
  const long = {
    $set: { created_at: new Date(Date.now() - 59 * 60_000), last_used_at: new Date(Date.now() - 58 * 60_000) },
  };
  await stack.mongo.db.collection('api_keys').updateMany({}, long);
  await page.goto('/dashboard/keys');
  await expect(page.getByRole('row', { name: /59 minutes ago/ })).toBeVisible();
  const list = page.getByRole('region', { name: 'API keys' });
  expect(await list.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
});

test('the page says that older revoked keys are not listed', async ({ page, account, stack }) => {
  const keys = stack.mongo.db.collection<{ _id: string }>('api_keys');
  const [own] = await keys
    .aggregate<{ _id: string }>([
      { $lookup: { from: 'accounts', localField: 'account_id', foreignField: '_id', as: 'account' } },
      { $match: { 'account.email': account.email } },
      { $unset: 'account' },
    ])
    .toArray();
  const revoked = Array.from({ length: 101 }, (_, n) => ({
    ...{ ...own!, _id: `${own!._id}_${n}`, hash: `${own!._id}_${n}` },
    ...{ created_at: new Date(Date.now() + n), revoked_at: new Date() },
  }));
  await keys.insertMany(revoked.slice(1));
  const note = page.getByText('Of the revoked and expired keys, only the newest are listed.');
  const rows = page.getByRole('region', { name: 'API keys' }).locator('tbody tr');
  await page.goto('/dashboard/keys');
  await page.getByLabel('Show revoked keys').click();
  await expect(rows).toHaveCount(101);
  await expect(note).toBeHidden();
  await keys.insertOne(revoked[0]!);
  await page.reload();
  await expect(note).toBeVisible();
  await expect(rows).toHaveCount(1);
});
