import type { Page } from '@playwright/test';
import { countOf, NO_ATTEMPTS, sumCounts, type AttemptCounts } from '../../../src/domain/attempt-counts';
import { DEFAULT_RETRY_SCHEDULE } from '../../../src/domain/retry-schedule';
import { API_CALLS, createUsageStore } from '../../../src/keys/usage-store';
import { createAttemptCountStore } from '../../../src/stores/attempt-count-store';
import { buildStack, type Stack } from '../../support/build-stack';
import { eventually } from '../../support/eventually';
import { describeTypes } from './catalog';
import { expect } from './dashboard';
import { test as base } from './test';
import { buildTroubledAccount, MONTHLY_QUOTA, PER_MINUTE, type TroubledAccount } from './troubled-account';

const START_TIMEOUT_MS = 300_000;
const TIERS = JSON.stringify([
  { id: 'free', name: 'Free', monthlyQuota: MONTHLY_QUOTA, perMinute: PER_MINUTE },
  { id: 'team', name: 'Team', monthlyQuota: 100_000, perMinute: 600 },
]);
const LIST = 'v1&aws/EC2/t3.medium/2/730&aws/S3/Standard/1/500&aws/Lambda/Requests/2.5/';

/** A page of the product, in front of a person who may see it. */
export interface ShownPage {
  /** The name of its picture. */
  readonly name: string;
  readonly path: (account: TroubledAccount) => string;
  /** False for what is there before a person signs in. */
  readonly signedIn: boolean;
  /** Waits for its content. */
  readonly ready: (page: Page) => Promise<void>;
}

const heading =
  (name: RegExp | string): ShownPage['ready'] =>
  (page) =>
    expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const rows: ShownPage['ready'] = (page) => expect(page.locator('tbody tr').first()).toBeVisible();

const before = (name: string, path: string, ready: ShownPage['ready']): ShownPage => ({
  name,
  path: () => path,
  signedIn: false,
  ready,
});
const inside = (name: string, path: string | ShownPage['path'], ready: ShownPage['ready']): ShownPage => ({
  name,
  path: typeof path === 'string' ? () => path : path,
  signedIn: true,
  ready,
});

/** Every page of the product. A page that the router has and this list lacks fails `pages.spec.ts`. */
export const PAGES: readonly ShownPage[] = [
  before('sign-in', '/dashboard/sign-in', heading('Sign in')),
  before('sign-up', '/dashboard/sign-up', heading('Create an account')),
  before('setup', '/dashboard/setup#a-token', heading('Set up Everpost')),
  before('estimator', `/estimator#${LIST}`, (page) => expect(page.getByTestId('total-monthly')).toHaveText(/^\$\d/)),
  before('api-docs', '/docs', heading('Everpost API')),
  inside('now', '/dashboard', (page) =>
    expect(page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first()).toBeVisible(),
  ),
  inside('events', '/dashboard/find', rows),
  inside(
    'event',
    ({ waitingId }) => `/dashboard/events/${waitingId}`,
    (page) => expect(page.getByText(/^Attempt 2 (at|on)/).first()).toBeVisible(),
  ),
  inside('deliveries', '/dashboard/find?rows=deliveries', rows),
  inside('replays', '/dashboard/replays', (page) =>
    expect(page.getByRole('region', { name: /^Replay rpl_/ })).toBeVisible(),
  ),
  inside('endpoints', '/dashboard/endpoints', rows),
  inside(
    'endpoint',
    ({ warehouseId }) => `/dashboard/endpoints/${warehouseId}`,
    (page) => expect(page.getByText('Failing since').first()).toBeVisible(),
  ),
  ...(
    [
      ['deliveries', 'Attempts, newest first'],
      ['settings', 'Delivery settings'],
      ['history', 'Changes of this endpoint'],
    ] as const
  ).map(([tab, region]) =>
    inside(
      `endpoint-${tab}`,
      ({ warehouseId }) => `/dashboard/endpoints/${warehouseId}?tab=${tab}`,
      (page) => expect(page.getByRole('region', { name: region })).toBeVisible(),
    ),
  ),
  inside('event-types', '/dashboard/event-types', heading('Event types')),
  inside('event-type', '/dashboard/event-types/order.created', (page) =>
    expect(page.getByRole('region', { name: 'Headers' })).toBeVisible(),
  ),
  inside('keys', '/dashboard/settings/keys', rows),
  inside('reports', '/dashboard/reports', (page) =>
    expect(page.getByRole('heading', { name: 'Calls by day and key' })).toBeVisible(),
  ),
  inside('audit', '/dashboard/settings/audit', rows),
  inside('accounts', '/dashboard/accounts', rows),
  inside(
    'account',
    ({ accountId }) => `/dashboard/accounts/${accountId}`,
    (page) => expect(page.getByRole('region', { name: 'Settings' })).toBeVisible(),
  ),
  inside('management-keys', '/dashboard/management-keys', rows),
  inside('search-fields', '/dashboard/settings/search-fields', heading('Search fields')),
  inside('erasures', '/dashboard/settings/erasures', heading('Erasures')),
  inside('settings', '/dashboard/settings', (page) => expect(page.getByText('This session').first()).toBeVisible()),
  inside('not-found', '/dashboard/nowhere', heading(/./)),
];

/** How a page is looked at. */
export const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 1_000 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 1_000 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 1_000 } },
] as const;

interface WorkerFixtures {
  readonly stack: Stack;
  readonly account: TroubledAccount;
}

/** Playwright's `test` with an operator whose account has something on every page. */
export const test = base.extend<object, WorkerFixtures>({
  stack: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const stack = await buildStack({
        role: 'all',
        env: { RETRY_SCHEDULE: DEFAULT_RETRY_SCHEDULE, TRUSTED_PROXIES: '127.0.0.0/8', TIERS },
      });
      await stack.role.workerReady;
      const catalog = () => fetch(`${stack.url}/api/cost-estimator`);
      await eventually(catalog, ({ ok }) => ok, START_TIMEOUT_MS);
      await use(stack);
      await stack.close();
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],
  account: [
    async ({ stack }, use) => {
      const account = await buildTroubledAccount(stack);
      await fillHistory(stack, account);
      await use(account);
      await account.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** Opens the page and waits until nothing of it is loading. */
export async function show(page: Page, { path, ready }: ShownPage, account: TroubledAccount): Promise<void> {
  // The fragment alone would not load a page again.
  await page.goto('about:blank');
  await page.goto(path(account));
  await ready(page);
  await expect(page.getByLabel('Loading')).toHaveCount(0);
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
  await expect(page.getByText('Connecting', { exact: true })).toHaveCount(0);
  await page.evaluate('document.fonts.ready');
}

/** Adds a day of attempts, a month of calls, a replay, a catalog of types, and an operator's rights. */
async function fillHistory(
  stack: Stack,
  { accountId, browser, userId, keyId, warehouseId, shopId }: TroubledAccount,
): Promise<void> {
  const { db } = stack.mongo;
  await db.collection<{ _id: string }>('users').updateOne({ _id: userId }, { $set: { operator: true } });
  const span = (n: number) => new Date(Date.now() - n * 300_000);
  const counts = createAttemptCountStore(db);
  await counts.add(
    Array.from({ length: 287 }, (_, n) => [
      { accountId, endpointId: shopId, at: span(n + 1), counts: attempts(20 + ((n * 7) % 23), 0) },
      {
        accountId,
        endpointId: warehouseId,
        at: span(n + 1),
        counts: attempts(9 + (n % 5), n % 2),
      },
    ]).flat(),
  );
  await createUsageStore(db).add(
    Array.from({ length: 29 }, (_, n) => ({
      account_id: accountId,
      day: new Date(Date.now() - (n + 1) * 86_400_000).toISOString().slice(0, 10),
      key_id: keyId,
      product: 'weh' as const,
      operation: API_CALLS,
      calls: 3 + ((n * 5) % 9),
    })),
  );
  await browser.post('/webhooks/replays', { filter: { endpoint_id: shopId, state: 'delivered' } });
  await browser.post('/management-keys', {
    label: 'provisioning',
    scopes: ['accounts:read', 'accounts:write', 'portal:write'],
    expires_in: '365d',
  });
  await describeTypes(stack);
  for (const [external_id, name] of [
    ['cus_41', 'Globex Corporation'],
    ['cus_42', 'Acme Inc.'],
  ]) {
    await browser.post('/accounts', { external_id, name, tier: 'team' });
  }
}

/** So many attempts, a few of them slow, and every fourth success a retry. */
function attempts(succeeded: number, failed: number): AttemptCounts {
  const one = (n: number, success: boolean) =>
    countOf({
      number: n % 4 === 0 ? 2 : 1,
      succeeded: success,
      errorCode: null,
      statusCode: success ? 200 : 500,
      latencyMs: 20 + (n % 10) * 8 + (n % 17 === 0 ? 400 : 0),
    });
  return [
    ...Array.from({ length: succeeded }, (_, n) => one(n + 1, true)),
    ...Array.from({ length: failed }, (_, n) => one(n + 1, false)),
  ].reduce(sumCounts, NO_ATTEMPTS);
}
