import { buildStack, type Stack } from '../support/build-stack';
import { axeViolations } from './support/axe';
import { expect, test as base } from './support/dashboard';

/** A product whose new hosts answer a challenge. */
const test = base.extend<object, { readonly stack: Stack }>({
  stack: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const env = { ENDPOINT_VERIFICATION: 'challenge', TRUSTED_PROXIES: '127.0.0.0/8' };
      const stack = await buildStack({ role: 'all', env });
      await stack.role.workerReady;
      await use(stack);
      await stack.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

test('an endpoint whose host has not answered the challenge is asked again by a button', async ({
  page,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await receiver.waitFor(1);
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  const notice = page.getByRole('alert').filter({ hasText: 'is not verified' });
  await expect(notice).toContainText('The last answer was wrong');
  expect(await axeViolations(page)).toEqual([]);

  receiver.answerWith(200, ({ body }) => JSON.parse(body.toString()).data.challenge);
  await notice.getByRole('button', { name: 'Send another challenge' }).click();

  await expect(notice).toBeHidden();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(receiver.requests).toHaveLength(2);
});
