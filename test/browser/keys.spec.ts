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
