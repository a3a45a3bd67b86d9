import type { Browser } from '@playwright/test';
import { describeTypes } from './support/catalog';
import { expect, test } from './support/dashboard';

/** What the first visit of a page may load: bytes of JavaScript as they are sent, compressed. */
const MAX_BYTES = 250_000;

test('every page loads at most 250 KB of compressed JavaScript at the first visit', async ({
  page,
  account,
  receiver,
  browser,
  stack,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await account.call('POST', '/api/v1/webhooks/replays', { filter: {} });
  // Charts are loaded only when there is something to show.
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await expect(page.getByText('Attempts by 5 minutes, as a table')).toBeVisible();
  await expect(async () => {
    await page.goto('/dashboard/reports');
    await expect(page.getByText('Show as a table').first()).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await describeTypes(stack);
  const operator = { operator: true };
  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: operator });

  const { _id: accountId } = (await stack.mongo.db
    .collection<{ _id: string }>('accounts')
    .findOne({ email: account.email }))!;
  const cookies = await page.context().cookies();
  const pages = ['', 'events', `events/${event.id}`, 'deliveries', 'endpoints', `endpoints/${endpoint.id}`].concat([
    'replays',
    'event-types',
    'event-types/order.created',
    'keys',
    'reports',
    'audit',
    'accounts',
    `accounts/${accountId}`,
    'management-keys',
    'settings',
    'settings/erasures',
    'nowhere',
  ]);
  const paths = ['/estimator', ...pages.map((path) => `/dashboard/${path}`)];
  const found: Record<string, number> = {};
  for (const path of paths) found[path] = await javascriptOf(browser, { url: `${stack.url}${path}`, cookies });
  for (const path of ['sign-in', 'sign-up', 'setup'].map((name) => `/dashboard/${name}`)) {
    found[path] = await javascriptOf(browser, { url: `${stack.url}${path}`, cookies: [] });
  }
  const figures = Object.entries(found).map(([path, bytes]) => `${path}: ${(bytes / 1_000).toFixed(1)} KB`);
  process.stdout.write(`${figures.join('\n')}\n`);
  test.info().annotations.push({ type: 'JavaScript of the first load', description: figures.join(', ') });
  expect(Object.values(found).filter((bytes) => bytes < 10_000)).toEqual([]);
  expect(Object.entries(found).filter(([, bytes]) => bytes > MAX_BYTES)).toEqual([]);
});

interface Visit {
  readonly url: string;
  readonly cookies: Awaited<ReturnType<import('@playwright/test').BrowserContext['cookies']>>;
}

/** What a browser that knows nothing of the page loads until the page is quiet. */
async function javascriptOf(browser: Browser, { url, cookies }: Visit): Promise<number> {
  const context = await browser.newContext();
  await context.addCookies(cookies);
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[class*=Skeleton], [aria-label=Loading]')).toHaveCount(0);
  // The stream of changes stays open, and is no traffic to wait for.
  await page.waitForLoadState('networkidle');
  const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  await context.close();
  return sum;
}
