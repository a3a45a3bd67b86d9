import { randomBytes, randomInt } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { buildReceiver, type Receiver } from '../../support/build-receiver';
import { buildStack, type Stack } from '../../support/build-stack';
import { test as base } from './test';

export const PASSWORD = 'seven quiet harbours at dawn';

/** The tier of a new account, with room for a test that fills pages of a list. */
const TIERS = JSON.stringify([{ id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 300 }]);

interface WorkerFixtures {
  /** The whole product, including delivery. The second attempt waits for a minute, so that tests can see the wait. */
  readonly stack: Stack;
}

interface TestFixtures {
  readonly receiver: Receiver;
  /** A user with a new account is signed in in `page`. */
  readonly account: SignedUp;
}

/** An answer of the API: its status, and the members of its body that the tests read. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: { readonly id: string | number; readonly secret: string };
}

/** A new account, and its key. */
export interface SignedUp {
  readonly email: string;
  /** Calls the public API with the account's key. */
  call(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
}

/** Playwright's `test` with a product that delivers, a receiver, and a signed-in user. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  stack: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const stack = await buildStack({
        role: 'all',
        env: {
          RETRY_SCHEDULE: '0s,60s,60s',
          TRUSTED_PROXIES: '127.0.0.0/8',
          TEMPORAL_UI_URL: 'http://127.0.0.1:8233',
          TIERS,
          // On a busy machine a check is slow, and not cut off.
          EVENT_TYPES_TIMEOUT: '2s',
        },
      });
      await stack.role.workerReady;
      await use(stack);
      await stack.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // Each test's browser has an address of its own: only so many may sign up from one address in an hour.
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
  extraHTTPHeaders: async ({}, use) => use({ 'X-Forwarded-For': `198.51.100.${randomInt(1, 255)}` }),
  // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
  receiver: async ({}, use) => {
    const receiver = await buildReceiver();
    await use(receiver);
    await receiver.close();
  },
  account: async ({ page, stack }, use) => {
    const email = await makeAccount(page);
    const key = await createKey(page, 'test');
    await use({ email, call: (method, path, body) => callApi(stack.url, key, { method, path, body }) });
  },
});

export { expect } from '@playwright/test';

/** Says to the API that a request comes from its own page. */
const FROM_THE_PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/** Makes an account whose session the browser has. It shows no page: that of the sign-up has its own test. */
async function makeAccount(page: Page): Promise<string> {
  const email = newEmail();
  const answer = await page.request.post('/dashboard/api/sign-up', {
    data: { email, password: PASSWORD },
    headers: FROM_THE_PAGE,
  });
  expect(answer.status()).toBe(201);
  return email;
}

const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

/** Makes an account. The browser is signed in, and shows the overview. */
export async function signUp(page: Page): Promise<string> {
  const email = await makeAccount(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Now' })).toBeVisible();
  return email;
}

/** Makes an account on the sign-up page, as a person does. The browser shows the overview afterwards. */
export async function signUpByHand(page: Page): Promise<string> {
  const email = newEmail();
  await page.goto('/dashboard/sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Now' })).toBeVisible();
  return email;
}

/** Signs a user in on the sign-in page. The browser shows the overview afterwards. */
export async function signIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Now' })).toBeVisible();
}

/** Makes a webhook key. The browser shows the page of keys. @returns the full key */
export async function createKey(page: Page, label: string): Promise<string> {
  const answer = await page.request.post('/dashboard/api/keys', {
    data: { product: 'weh', label },
    headers: FROM_THE_PAGE,
  });
  expect(answer.status()).toBe(201);
  await page.goto('/dashboard/keys');
  await expect(page.getByRole('button', { name: 'New key' })).toBeVisible();
  return ((await answer.json()) as { key: string }).key;
}

/** Makes a webhook key on the page of keys, as a person does. @returns the full key, as it is shown once */
export async function createKeyByHand(page: Page, label: string): Promise<string> {
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Label').fill(label);
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = await page.getByRole('region', { name: 'The new key' }).innerText();
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  return key;
}

/** Calls the public API as a back end does. */
export async function callApi(
  url: string,
  key: string,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<ApiAnswer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) as ApiAnswer['body'] };
}

/** Waits for a list to have so many rows, and shows those that came after it was loaded. */
export async function expectRows(page: Page, rows: Locator, count: number): Promise<void> {
  const news = page.getByRole('button', { name: /^(?:Show|Hide) \d/ });
  await expect(async () => {
    if (await news.isVisible()) await news.click();
    await expect(rows).toHaveCount(count, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
}
