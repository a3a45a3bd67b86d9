import { join } from 'node:path';
import type { Stack } from '../support/build-stack';
import { DEFAULT_RETRY_SCHEDULE } from '../../src/domain/retry-schedule';
import { buildReceiver } from '../support/build-receiver';
import { buildStack } from '../support/build-stack';
import { expect, signIn, test as base } from './support/dashboard';
import { test as inPortal, type Customer } from './support/portal';
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

inPortal('portal.png: the portal in a page of a platform', async ({ page, host, customer, receiver }) => {
  await fillPortal(customer, receiver.url);
  await page.setViewportSize({ width: 1280, height: 900 });
  const { url } = await customer.portal();
  await page.goto(`${host.origin}/?${new URLSearchParams({ frame: url })}`);
  const frame = page.frameLocator('#portal');
  await expect(frame.getByRole('link', { name: 'Warehouse', exact: true })).toBeVisible();
  await expect(frame.getByText('Live', { exact: true })).toBeVisible();
  await page.screenshot({ path: join(FOLDER, 'portal.png') });
});

inPortal('portal-dark.png and portal-phone.png: in other colours', async ({ browser, customer, receiver, stack }) => {
  await fillPortal(customer, receiver.url);
  const { url } = await customer.portal({ page: '/find?rows=deliveries' });
  const other = await buildStack({
    role: 'api',
    env: {
      MONGODB_URI: stack.config.mongodb.uri!,
      ENCRYPTION_KEY: stack.config.encryptionKeys.join(','),
      PORTAL_NAME: 'Globex',
      PORTAL_COLOR: '#c2410c',
    },
  });
  const dark = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await dark.goto(url.replace('#', '?theme=dark#'));
  await expect(dark.getByRole('row', { name: /order\.created/ }).first()).toBeVisible();
  await dark.screenshot({ path: join(FOLDER, 'portal-dark.png') });
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await phone.goto((await customer.portal()).url.replace(stack.url, other.url));
  await expect(phone.getByRole('link', { name: 'Warehouse', exact: true })).toBeVisible();
  await phone.screenshot({ path: join(FOLDER, 'portal-phone.png') });
  await other.role.close();
});

/** An endpoint that works and one that does not, with a delivery each. */
async function fillPortal(customer: Customer, url: string): Promise<void> {
  await customer.call('POST', '/api/v1/webhooks/endpoints', { url, description: 'Billing', events: ['order.*'] });
  await customer.call('POST', '/api/v1/webhooks/endpoints', {
    ...{ url: 'http://127.0.0.1:9/hooks', description: 'Warehouse', events: ['order.created', 'stock.*'] },
  });
  for (let sent = 0; sent < 4; sent += 1) {
    await customer.call('POST', '/api/v1/webhooks/events', {
      type: 'order.created',
      data: { order_id: `ord_${sent}` },
    });
  }
}

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
