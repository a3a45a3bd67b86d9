import { join } from 'node:path';
import type { Stack } from '../support/build-stack';
import { DEFAULT_RETRY_SCHEDULE } from '../../src/domain/retry-schedule';
import { buildReceiver } from '../support/build-receiver';
import { buildStack } from '../support/build-stack';
import { expect, signIn, test as base } from './support/dashboard';
import { LOOKS, PAGES, show, test as everyPage } from './support/every-page';

const DOCS = join(__dirname, '..', '..', 'docs');
/** Where the documentation finds its pictures. */
const FOLDER = join(DOCS, 'pictures');

/** As in `support/dashboard`, with the schedule that an installation has. */
const test = base.extend<object, { readonly stack: Stack }>({
  stack: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const stack = await buildStack({
        role: 'all',
        env: { RETRY_SCHEDULE: DEFAULT_RETRY_SCHEDULE, TRUSTED_PROXIES: '127.0.0.0/8' },
      });
      await stack.role.workerReady;
      await use(stack);
      await stack.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('delivery.png: an event that one endpoint took, and that waits for its fourth attempt at another', async ({
  page,
  account,
  receiver,
}) => {
  await page.setViewportSize({ width: 1280, height: 1084 });
  const failing = await buildReceiver(503);
  for (const [url, description] of [
    [failing.url, 'Warehouse'],
    [receiver.url, 'Billing'],
  ]) {
    await account.call('POST', '/api/v1/webhooks/endpoints', { url, description, events: ['order.*'] });
  }
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', {
    type: 'order.created',
    data: { order_id: 'ord_42', total: 19.99 },
    idempotency_key: 'ord_42_created',
  });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText(/Attempt 4 of 8 in \d+\ss/)).toBeVisible();
  await page.screenshot({ path: join(FOLDER, 'delivery.png') });
  await failing.close();
});

test('estimator.png: a list of services with its total', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 708 });
  await page.goto('/estimator#v1&aws/EC2/t3.medium/2/730&aws/S3/Standard/1/500&aws/Lambda/Requests/2.5/');
  await expect(page.getByTestId('total-monthly')).toHaveText(/^\$\d/);
  await page.screenshot({ path: join(FOLDER, 'estimator.png') });
});

everyPage(
  'screenshots: every page in light, dark and on a phone, beside each other',
  async ({ browser, account, baseURL }) => {
    const looks = await Promise.all(
      LOOKS.map(async ({ colorScheme, viewport }) => {
        const page = await browser.newPage({ baseURL: baseURL!, colorScheme, viewport });
        return { page, viewport };
      }),
    );
    const sheet = await browser.newPage({ viewport: { width: 1_600, height: 600 } });
    let isSignedIn = false;
    for (const shown of PAGES) {
      const pictures: string[] = [];
      for (const { page, viewport } of looks) {
        if (shown.signedIn && !isSignedIn) await signIn(page, account);
        await show(page, shown, account);
        const picture = await page.screenshot();
        // In the browser's pixels, of which each look has so many.
        pictures.push(`<img width="${viewport.width}" src="data:image/png;base64,${picture.toString('base64')}">`);
      }
      isSignedIn = shown.signedIn;
      await sheet.setContent(
        `<body style="margin:0;zoom:0.6;width:fit-content"><div style="display:flex;gap:20px;background:#7b889b">${pictures.join('')}</div>`,
      );
      await sheet
        .locator('div')
        .screenshot({ path: join(DOCS, 'screenshots', `${shown.name}.jpg`), type: 'jpeg', quality: 80 });
    }
  },
);
