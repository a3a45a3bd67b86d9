import { expect, PASSWORD, signUp, test } from './support/dashboard';

test('a refused password is told once, in a sentence', async ({ page, watch }) => {
  await page.goto('/dashboard/sign-up');
  await page.getByLabel('E-mail').fill('somebody@example.com');
  await page.getByLabel(/^Password/).fill('password1234');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText(/is easy to guess/)).toHaveText(/^This password is easy to guess/);
  await expect(page.getByRole('alert')).toContainText('The account was not created');
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Now' })).toBeVisible();
  watch.forget();
});

test('what is wrong with a long form is in view', async ({ page, watch }) => {
  await signUp(page);
  await page.setViewportSize({ width: 1280, height: 480 });
  await page.goto('/dashboard/endpoints');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill('https://example.com/hook');
  const options = form.getByRole('button', { name: /^Options/ });
  await options.click();
  // The server refuses it.
  await form.getByLabel('Maximum attempts per second').fill('-1');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(form.getByRole('alert')).toContainText('options.max_per_second');
  await expect(form.getByRole('alert')).toBeInViewport();
  // The page can't read it, and it is folded.
  await form.getByLabel('Maximum attempts per second').fill('many');
  await options.click();
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(form.getByRole('alert')).toContainText('An option is not valid');
  await expect(form.getByRole('alert')).toBeInViewport();
  await expect(form.getByLabel('Maximum attempts per second')).toBeVisible();
  watch.forget();
});
