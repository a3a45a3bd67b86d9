import type { Locator } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, expectRows, test, type SignedUp } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

// What waits for an endpoint: how fast a resume sends it, what is dropped, and what is retried now.

/** A paused endpoint for which more waits than is sent without a question. */
async function paused({ call }: SignedUp, url: string): Promise<string> {
  const { body } = await call('POST', ENDPOINTS, { url, enabled: false, description: 'Warehouse' });
  for (const type of ['order.created', 'order.paid']) {
    const events = Array.from({ length: 100 }, (_, n) => ({ type, data: { n } }));
    await call('POST', `${EVENTS}/batch`, { events });
  }
  return String(body.id);
}

/** Types the number that the dialog asks for. It stays while deliveries are sent. */
async function confirmDrop(dialog: Locator): Promise<void> {
  const field = dialog.getByLabel(/^To confirm, type \d+$/);
  await expect(dialog.getByRole('button', { name: 'Drop the backlog' })).toBeDisabled();
  const [number] = /\d+/.exec(await dialog.getByText(/^To confirm, type \d+$/).innerText())!;
  await field.fill(number);
  await dialog.getByRole('button', { name: 'Drop the backlog' }).click();
  await expect(dialog).toBeHidden();
}

test('a resume asks how fast many deliveries are sent; the overview says until when, changes the rate and drops them', async ({
  page,
  account,
  receiver,
}) => {
  const endpointId = await paused(account, receiver.url);
  await page.goto(`/dashboard/endpoints/${endpointId}`);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  const resume = page.getByRole('dialog', { name: 'Resume this endpoint' });
  await expect(resume).toContainText(/200 deliveries wait, the first since /);
  await resume.getByLabel('At most per second').fill('1');
  await expect(resume).toContainText(/At 1 a second: about 3\smin.*: through at /);
  expect(await axeViolations(page)).toEqual([]);
  await resume.getByRole('button', { name: 'Resume' }).click();
  await expect(resume).toBeHidden();

  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting).toContainText(
    /What waited is sent since .*, at most 1 a second\. \d+ left: about .*: through at/,
  );
  await page.goto('/dashboard');
  const running = page.getByRole('region', { name: 'Running now' });
  await expect(running).toContainText('The backlog of Warehouse');
  expect(await axeViolations(page)).toEqual([]);

  await running.getByRole('button', { name: 'Change the rate' }).click();
  const change = page.getByRole('dialog', { name: 'Change the rate' });
  await change.getByLabel('At most per second').fill('2');
  await change.getByRole('button', { name: 'Change the rate' }).click();
  await expect(running).toContainText('at most 2 a second');

  await running.getByRole('button', { name: 'Drop the backlog' }).click();
  await confirmDrop(page.getByRole('dialog', { name: 'Drop the backlog?' }));
  await expect(running).toBeHidden({ timeout: 30_000 });
  expect(receiver.requests.length).toBeLessThan(200);
  await page.goto(`/dashboard/deliveries?state=cancelled`);
  await expect(page.getByRole('row', { name: /order\.paid/ }).first()).toBeVisible();
});

test('a backlog is dropped instead of a resume, and few deliveries are resumed by one click', async ({
  page,
  account,
  receiver,
}) => {
  const endpointId = await paused(account, receiver.url);
  await page.goto(`/dashboard/endpoints/${endpointId}`);
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Drop the backlog' }).click();
  await confirmDrop(page.getByRole('dialog', { name: 'Drop the backlog?' }));
  await expect(page.getByText('No delivery waits.')).toBeVisible();
  expect(receiver.requests).toHaveLength(0);

  await account.call('POST', EVENTS, { type: 'order.created', data: {} });
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await receiver.waitFor(1);
});

test('where nothing has failed for good, what is still retried is retried now', async ({ page, account, receiver }) => {
  receiver.answerWith(500);
  const { body } = await account.call('POST', ENDPOINTS, { url: receiver.url, description: 'Warehouse' });
  for (const n of [1, 2]) await account.call('POST', EVENTS, { type: 'order.created', data: { n } });
  await page.goto('/dashboard/deliveries?state=retrying');
  await expectRows(page, page.getByRole('row', { name: /order\.created/ }), 2);

  // Recover is a way there too.
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Recover Warehouse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again' });
  await expect(dialog).toContainText(/2 are still being retried by themselves, the next at /);
  await dialog.getByRole('button', { name: 'Retry all now' }).first().click();
  await expect(dialog.getByText('2 deliveries match.')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  receiver.answerWith(200);
  await page.goto(`/dashboard/endpoints/${body.id}`);
  await expect(page.getByRole('button', { name: 'Recover' })).toBeHidden();
  await page.getByRole('region', { name: 'Waiting' }).getByRole('button', { name: 'Retry all now' }).click();
  await expect(dialog.getByText('2 deliveries match.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Retry all now' }).click();
  const replay = page.getByRole('region', { name: /^Replay rpl_/ });
  await expect(replay).toContainText('2 of 2 retried');
  await expect(replay).toContainText('Retrying deliveries to Warehouse');
  await receiver.waitFor(4);
  await page.goto('/dashboard/deliveries?state=delivered');
  await expectRows(page, page.getByRole('row', { name: /order\.created/ }), 2);
});
