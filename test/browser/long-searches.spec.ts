import type { Page } from '@playwright/test';
import { encodeCursor } from '../../src/platform/cursor';
import { ACCEPTED_AT, buildEndpointId, insertEvents } from '../support/build-events';
import type { Stack } from '../support/build-stack';
import { axeViolations } from './support/axe';
import { expect, signUp, test } from './support/dashboard';

const DELIVERIES = '/dashboard/api/webhooks/deliveries';
/** One page of a list looks at 5,000 events. */
const BESIDE = 11_000;
const searched = (page: Page) => page.getByText(/^Searched back to /);

let nextId = 1_000_000;

/** Many delivered events, and before them three of another type. */
async function insertMany(page: Page, stack: Stack): Promise<void> {
  const me = (await (await page.request.get('/dashboard/api/me')).json()) as { account: { id: string } };
  const endpointId = buildEndpointId();
  const event = (type: string, acceptedAt: number) => ({
    id: (nextId += 1),
    accountId: me.account.id,
    type,
    acceptedAt,
    deliveries: [{ endpointId, state: 'delivered' as const }],
  });
  await insertEvents(stack.mongo, [
    ...Array.from({ length: 3 }, (_, n) => event('order.created', ACCEPTED_AT + n)),
    ...Array.from({ length: BESIDE }, (_, n) => event('invoice.paid', ACCEPTED_AT + 60 + n)),
  ]);
}

/**
 * Answers every page of the list of deliveries with no row, and a cursor of an hour before.
 *
 * @returns how often the search asked
 */
async function answerWithoutRows(page: Page): Promise<() => number> {
  let asked = 0;
  await page.route(
    ({ pathname }) => pathname === DELIVERIES,
    async (route) => {
      const place = { createdAt: new Date((ACCEPTED_AT - asked * 3_600) * 1_000), id: '1.1.' };
      // A look for new rows has no cursor, and is no part of the search.
      if (new URL(route.request().url()).searchParams.has('cursor')) asked += 1;
      await route.fulfill({ json: { deliveries: [], next_cursor: encodeCursor('deliveries', place) } });
    },
  );
  return () => asked;
}

test('a list goes on by itself until it finds what matches, and says meanwhile how far it is', async ({
  page,
  stack,
}) => {
  await signUp(page);
  await insertMany(page, stack);
  for (const [path, none] of [
    ['deliveries?state=delivered&type=order.*', 'No matching deliveries'],
    ['events?status=delivered&type=order.*', 'No matching events'],
  ] as const) {
    await page.goto(`/dashboard/${path}`);
    await expect(searched(page)).toBeVisible();
    await expect(page.getByText(none)).toHaveCount(0);
    // What does not need rows is there.
    await expect(page.getByRole('button', { name: 'Replay all that match the filter' })).toBeVisible();
    await expect(page.getByRole('row', { name: /order\.created/ })).toHaveCount(3);
    await expect(searched(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Show older' })).toHaveCount(0);
  }
  await page.goto('/dashboard/deliveries?state=delivered&type=refund.*');
  await expect(page.getByText('No matching deliveries')).toBeVisible();
});

test('a search goes on while its page is shown, with pauses, and stops on request', async ({ page }) => {
  await signUp(page);
  await page.clock.install();
  const calls = await answerWithoutRows(page);
  await page.goto('/dashboard/deliveries?state=delivered&type=order.*');
  await expect(searched(page)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  const first = await searched(page).innerText();
  await page.clock.runFor(1_000);
  await expect(searched(page)).not.toHaveText(first);
  // From here on only the test moves the page's clock. A call may be under way before and after.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const asked = calls();
  for (let step = 0; step < 40; step += 1) await page.clock.runFor(50);
  expect(calls() - asked).toBeLessThanOrEqual(2 + 2_000 / 300);
  await page.clock.resume();

  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText(/^The search stopped at /)).toBeVisible();
  await expect(page.getByText('No matching deliveries')).toHaveCount(0);
  await expectNoCalls(page, calls);
  expect(await axeViolations(page)).toEqual([]);

  const before = calls();
  await page.getByRole('button', { name: 'Search on' }).click();
  await expect.poll(calls).toBeGreaterThan(before);
  await expect(searched(page)).toBeVisible();

  await setHidden(page, true);
  await expectNoCalls(page, calls);
  await setHidden(page, false);
  const shown = calls();
  await page.clock.runFor(1_000);
  await expect.poll(calls).toBeGreaterThan(shown);

  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await expectNoCalls(page, calls);
});

/** A call that was under way may still come; then a minute of the page's clock passes without one. */
async function expectNoCalls(page: Page, calls: () => number): Promise<void> {
  await page.clock.runFor(1_000);
  const before = calls();
  await page.clock.runFor(60_000);
  expect(calls()).toBe(before);
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: hidden ? 'hidden' : 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

test('a bulk replay begins with the filters of the list', async ({ page, account }) => {
  const { body } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x' });
  await page.goto(`/dashboard/deliveries?state=delivered&type=order.*&endpoint_id=${body.id}`);
  await page.getByRole('button', { name: 'Bulk replay' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('State of the deliveries')).toHaveValue('Delivered');
  await expect(dialog.getByLabel('Event type')).toHaveValue('order.*');
  await expect(dialog.getByLabel('Endpoint', { exact: true })).toHaveValue('http://127.0.0.1:9/x');
});
