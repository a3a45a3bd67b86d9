import { axeViolations } from './support/axe';
import { expect, test } from './support/test';

const PHONE = { width: 390, height: 844 };
const SCHEME = 'data-mantine-color-scheme';

test('dashboard and estimator are one application, with one header', async ({ page }) => {
  await page.goto('/dashboard/sign-in');
  const header = page.getByRole('navigation', { name: 'Main' });
  await header.getByRole('link', { name: 'Estimator' }).click();
  await expect(page).toHaveURL(/\/estimator$/);
  await expect(page).toHaveTitle('Cost estimator · Everpost');
  await expect(header.getByRole('link', { name: 'Estimator' })).toHaveAttribute('aria-current', 'page');
  await expect(header.getByRole('link', { name: 'API docs' })).toHaveAttribute('href', '/docs');
  await expect(header.getByRole('link', { name: 'Guides' })).toHaveAttribute('href', '/guides');
});

test('the API docs list the operations', async ({ page }) => {
  await page.goto('/docs');
  await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Ingest an event' }).click();
  const operation = page.getByRole('region', { name: 'Ingest an event' });
  await expect(operation.getByText('POST /api/v1/webhooks/events', { exact: true })).toBeInViewport();
});

test('while no user exists, the page says what to do instead of showing a form', async ({ page }) => {
  await page.goto('/dashboard/sign-in');
  await expect(page.getByRole('heading', { level: 1, name: 'No user exists yet' })).toBeVisible();
  await expect(page.getByText(/Open the set-up link/)).toBeVisible();
  await expect(page.getByLabel('Password')).toHaveCount(0);
});

test('a navigation moves the focus to the new heading', async ({ page }) => {
  await page.goto('/dashboard/sign-in');
  await page.getByRole('link', { name: 'Estimator' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cost estimator' })).toBeFocused();
});

test('light or dark follows the system until the user chooses, and the browser remembers the choice', async ({
  page,
}) => {
  const root = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/estimator');
  await expect(root).toHaveAttribute(SCHEME, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).toHaveAttribute(SCHEME, 'light');
  await page.getByRole('button', { name: 'Theme: match the system' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(root).toHaveAttribute(SCHEME, 'dark');
  await page.reload();
  await expect(root).toHaveAttribute(SCHEME, 'dark');
});

test('on a phone one menu has all links, and a navigation closes it', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/dashboard/sign-in');
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Pages' });
  await expect(menu.getByRole('link', { name: 'API docs' })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await menu.getByRole('link', { name: 'Estimator' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cost estimator');
  await expect(menu).toBeHidden();
});
