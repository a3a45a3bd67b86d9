import { join } from 'node:path';
import type { Stack } from '../support/build-stack';
import { DEFAULT_RETRY_SCHEDULE } from '../../src/domain/retry-schedule';
import { buildReceiver } from '../support/build-receiver';
import { buildStack } from '../support/build-stack';
import { expect, test as base } from './support/dashboard';

/** Where the documentation finds its pictures. */
const FOLDER = join(__dirname, '..', '..', 'docs', 'pictures');

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
  await expect(page.getByText(/Attempt 4 of 8 in \d+ s/)).toBeVisible();
  await page.screenshot({ path: join(FOLDER, 'delivery.png') });
  await failing.close();
});

test('estimator.png: a list of services with its total', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 708 });
  await page.goto('/estimator#v1&aws/EC2/t3.medium/2/730&aws/S3/Standard/1/500&aws/Lambda/Requests/2.5/');
  await expect(page.getByTestId('total-monthly')).toHaveText(/^\$\d/);
  await page.screenshot({ path: join(FOLDER, 'estimator.png') });
});
