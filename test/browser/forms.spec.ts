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
  await expect(form.getByRole('alert')).toContainText('A field is not valid');
  await expect(form.getByRole('alert')).toBeInViewport();
  await expect(form.getByLabel('Maximum attempts per second')).toBeVisible();
  watch.forget();
});

test('a session that ends in the middle of a form is continued in place: what was entered stays', async ({
  page,
  account,
  stack,
  watch,
}) => {
  await page.goto('/dashboard/endpoints');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog', { name: 'New endpoint' });
  await form.getByLabel('URL').fill('http://127.0.0.1:9/kept');
  const user = await stack.mongo.db.collection('users').findOne({ email: account.email });
  await stack.mongo.db.collection('sessions').deleteMany({ user_id: user!._id });

  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel(`Password of ${account.email}`).fill('wrong');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again.getByRole('alert')).toContainText('Sign-in failed');
  await again.getByLabel(`Password of ${account.email}`).fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(again).toBeHidden();
  await expect(page.getByRole('status', { name: 'Live updates' })).toHaveText('Live');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('http://127.0.0.1:9/kept').first()).toBeVisible();
  watch.forget();
});
