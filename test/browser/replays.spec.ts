import { expect, test } from './support/dashboard';

test('a recovery whose deliveries all fail again says so', async ({ page, account, receiver }) => {
  receiver.answerWith(500);
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: receiver.url,
    options: { retry_schedule: [0] },
  });
  for (const n of [1, 2, 3]) {
    await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: { n } });
  }
  await page.goto('/dashboard/deliveries?state=failed');
  await expect(page.getByRole('row', { name: /order\.created/ })).toHaveCount(3);

  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await page.getByRole('button', { name: 'Recover' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  const recovery = page.getByRole('region', { name: /^Replay rpl_/ });
  await expect(recovery).toContainText('0 delivered, 3 failed again, 0 open');
  await expect(recovery.getByText('Failed', { exact: true })).toBeVisible();
  await expect(recovery.getByText('Completed')).toHaveCount(0);

  // A later replay that works is counted by itself.
  receiver.answerWith(200);
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await page.getByRole('button', { name: 'Recover' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await expect(recovery.first()).toContainText('3 delivered, 0 failed again, 0 open');
  await expect(recovery.first().getByText('Completed')).toBeVisible();
  await expect(recovery.last()).toContainText('3 replayed again since');
});
