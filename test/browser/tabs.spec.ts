import type { BrowserContext, Page, Request } from '@playwright/test';
import { expect, test } from './support/dashboard';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';
const STREAM = '/dashboard/api/live';

const pathOf = (request: Request): string => new URL(request.url()).pathname;
const liveState = (page: Page) => page.getByRole('status', { name: 'Live updates' });

/** Opens a page of the dashboard in another tab, and waits until it follows what happens. */
async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`/dashboard${path}`);
  await expect(liveState(tab)).toHaveText('Live');
  return tab;
}

/** The streams that the browser opens from now on. */
function watchStreams(context: BrowserContext): Request[] {
  const opened: Request[] = [];
  context.on('request', (request) => {
    if (pathOf(request) === STREAM) opened.push(request);
  });
  return opened;
}

test('ten tabs share one stream, and each asks at most 30 times a minute at 2 deliveries a second: watched for a minute', async ({
  page,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: receiver.url });
  await page.goto('about:blank');
  const context = page.context();
  const streams = watchStreams(context);
  const paths = ['', '/events', '/deliveries', '/endpoints', `/endpoints/${endpoint.id}`].concat([
    '/replays',
    '/keys',
    '/usage',
    '/audit',
    '/settings',
  ]);
  const asked = new Map(paths.map((path) => [path, [] as string[]]));
  const tabs: Page[] = [];
  for (const path of paths) {
    const tab = await openTab(context, path);
    tab.on('request', (request) => {
      if (pathOf(request).startsWith('/dashboard/api/')) asked.get(path)!.push(pathOf(request));
    });
    tabs.push(tab);
  }
  expect(streams).toHaveLength(1);

  // The minute begins now: a busy machine takes a while to open the other tabs, and the first ones ask meanwhile.
  for (const calls of asked.values()) calls.length = 0;
  const startedAt = performance.now();
  const sends: Promise<unknown>[] = [];
  for (let sent = 0; sent < 120; sent += 1) {
    // A slow answer must not slow down the next event.
    sends.push(account.call('POST', EVENTS, { type: 'busy.one', data: {} }));
    await page.waitForTimeout(500);
  }
  // A busy machine takes longer than a minute, and the pages ask meanwhile.
  const minutes = (performance.now() - startedAt) / 60_000;
  const rates = [...asked].map(([path, calls]) => ({ path, perMinute: Math.round(calls.length / minutes) }));
  const figures = rates.map(({ path, perMinute }) => `/dashboard${path}: ${perMinute} requests a minute`).join('\n');
  process.stdout.write(`${figures}\n`);
  await Promise.all(sends);
  expect(rates.filter(({ perMinute }) => perMinute > 30)).toEqual([]);
  expect(streams).toHaveLength(1);
  // Each was told.
  await expect(tabs[1]!.getByRole('button', { name: /^Show \d+\+? new events$/ })).toBeVisible();
  await expect(tabs[2]!.getByRole('button', { name: /^Show \d+\+? new deliveries$/ })).toBeVisible();
  const parts = asked.get(`/endpoints/${endpoint.id}`)!.map((path) => path.split('/').at(-1));
  expect(parts).toEqual(expect.arrayContaining(['health', 'waiting']));
});

test('when the tab with the stream is closed, another takes over, and what happened in between is shown', async ({
  page,
  account,
}) => {
  const context = page.context();
  await page.goto('/dashboard/settings');
  await expect(liveState(page)).toHaveText('Live');
  const streams = watchStreams(context);
  const events = await openTab(context, '/events');
  const deliveries = await openTab(context, '/deliveries');
  expect(streams).toHaveLength(0);

  let letThrough = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (letThrough = resolve));
  await context.route(`**${STREAM}`, async (route) => {
    await isOpen;
    await route.continue();
  });
  const asked = context.waitForEvent('request', (request) => pathOf(request) === STREAM);
  await page.close();
  await asked;
  // While no tab has a stream.
  await account.call('POST', ENDPOINTS, { url: 'http://127.0.0.1:9/x' });
  await account.call('POST', EVENTS, { type: 'between.streams', data: {} });
  letThrough();
  for (const tab of [events, deliveries]) {
    await expect(tab.getByRole('row', { name: /between\.streams/ })).toBeVisible();
    await expect(liveState(tab)).toHaveText('Live');
  }
  expect(streams).toHaveLength(1);
});

test('a tab that sleeps while it should have the stream is replaced', async ({ page, account }) => {
  const context = page.context();
  await page.goto('/dashboard/settings');
  await expect(liveState(page)).toHaveText('Live');
  const [lead] = (await page.evaluate(() => navigator.locks.query())).held!;
  await page.goto('/estimator');
  // The estimator has no stream, and answers no other tab, as if it slept.
  await page.evaluate((name) => {
    void navigator.locks.request(name, () => new Promise(() => undefined)).catch(() => undefined);
  }, lead!.name!);
  const events = await openTab(context, '/events');
  await account.call('POST', ENDPOINTS, { url: 'http://127.0.0.1:9/x' });
  await account.call('POST', EVENTS, { type: 'after.sleep', data: {} });
  await expect(events.getByRole('row', { name: /after\.sleep/ })).toBeVisible();
});

test('a sign-out in one tab signs out all', async ({ page, account, watch }) => {
  expect(account.email).toContain('@');
  const context = page.context();
  await page.goto('/dashboard/settings');
  await expect(liveState(page)).toHaveText('Live');
  const other = await openTab(context, '/events');
  await other.getByRole('button', { name: 'Your account' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  // The browser reports the refusals.
  watch.forget();
});
