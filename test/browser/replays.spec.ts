import { buildEndpointId, insertEvents } from '../support/build-events';
import { axeViolations } from './support/axe';
import { expect, expectRows, test, type SignedUp } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

/** Registers an endpoint with one attempt for each delivery. @returns its id */
async function register(account: SignedUp, url: string): Promise<string> {
  const { body } = await account.call('POST', ENDPOINTS, { url, options: { retry_schedule: [0] } });
  return String(body.id);
}

test('a recovery whose deliveries all fail again says so, and leads to them', async ({ page, account, receiver }) => {
  receiver.answerWith(500);
  const endpointId = await register(account, receiver.url);
  for (const n of [1, 2, 3]) await account.call('POST', EVENTS, { type: 'order.created', data: { n } });
  await page.goto('/dashboard/deliveries?state=failed');
  await expectRows(page, page.getByRole('row', { name: /order\.created/ }), 3);

  await page.goto(`/dashboard/endpoints/${endpointId}`);
  await page.getByRole('button', { name: 'Recover' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('3 deliveries match.')).toBeVisible();
  await expect(dialog.getByText('The newest delivery to it failed.')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  const recovery = page.getByRole('region', { name: /^Replay rpl_/ });
  await expect(recovery).toContainText('0 delivered, 3 failed again, 0 open');
  await expect(recovery).toContainText(`Failed deliveries to ${receiver.url}`);
  await expect(recovery.getByText('Failed', { exact: true })).toBeVisible();
  await expect(recovery.getByText('Completed')).toHaveCount(0);

  await recovery.getByRole('link', { name: '3 failed again' }).click();
  await expect(page).toHaveURL(/\/dashboard\/find\?replay_id=rpl_\w+&state=failed$/);
  await expect(page.getByText(/^Only deliveries of the replay rpl_/)).toBeVisible();
  await expectRows(page, page.getByRole('row', { name: /order\.created/ }), 3);

  // A later replay that works is counted by itself.
  receiver.answerWith(200);
  await page.goto(`/dashboard/endpoints/${endpointId}`);
  await page.getByRole('button', { name: 'Recover' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await expect(recovery.first()).toContainText('3 delivered, 0 failed again, 0 open');
  await expect(recovery.first().getByText('Completed')).toBeVisible();
  await expect(recovery.last()).toContainText('3 replayed again since');
  await recovery.first().getByRole('link', { name: '3 delivered' }).click();
  await expect(page.getByRole('row', { name: /Delivered/ })).toHaveCount(3);
});

test('a replay has exact times in the zone of the reader, and counts before it sends', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(500);
  await register(account, receiver.url);
  for (const n of [1, 2]) await account.call('POST', EVENTS, { type: 'order.created', data: { n } });
  await page.goto('/dashboard/deliveries?state=failed');
  await expectRows(page, page.getByRole('row', { name: /order\.created/ }), 2);
  await page.goto('/dashboard/replays');
  await page.getByRole('button', { name: 'New replay', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await expect(dialog.getByText(`Your time zone: ${zone} (`, { exact: false })).toBeVisible();
  await expect(dialog.getByText('2 deliveries match.')).toBeVisible();

  await dialog.getByLabel('To, or empty for now').fill('2020-01-02T03:04:05');
  await expect(dialog.getByText('Enter a time after the start')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Send again' })).toBeDisabled();
  await dialog.getByLabel('From').fill('2020-01-02T03:04:04');
  await expect(dialog.getByText('No delivery matches.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Send again' })).toBeDisabled();
  await dialog.getByLabel('To, or empty for now').fill('');
  await dialog.getByLabel('From').fill('2020-01-02T03:04:05');
  await dialog.getByLabel('Event type').fill('no type');
  await expect(dialog.getByText('Enter a type such as order.created')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Send again' })).toBeDisabled();
  await dialog.getByLabel('Event type').fill('order.*');
  await expect(dialog.getByText('2 deliveries match.')).toBeVisible();
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/replays'));
  await dialog.getByRole('button', { name: 'Send again' }).click();

  const { filter } = (await asked).postDataJSON() as { filter: Record<string, string> };
  const from = await page.evaluate(() => new Date('2020-01-02T03:04:05').toISOString());
  expect(filter).toEqual({ state: 'failed', type: 'order.*', completed_after: from });
  await expect(page.getByRole('region', { name: /^Replay rpl_/ })).toContainText('2 of 2 sent again');
});

test('deliveries are selected and replayed or cancelled together; a replay of all takes over the filter', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(500);
  const endpointId = await register(account, receiver.url);
  for (const n of [1, 2, 3]) await account.call('POST', EVENTS, { type: 'order.created', data: { n } });
  await page.goto(`/dashboard/deliveries?state=failed&endpoint_id=${endpointId}&type=order.*`);
  const rows = page.getByRole('row', { name: /order\.created/ });
  await expectRows(page, rows, 3);

  await page.getByRole('button', { name: 'Replay all that match the filter' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Event type')).toHaveValue('order.*');
  await expect(dialog.getByLabel('Endpoint', { exact: true })).toHaveValue(receiver.url);
  await expect(dialog.getByText('3 deliveries match.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  receiver.answerWith(200);
  await rows.nth(0).getByRole('checkbox').check();
  await rows.nth(1).getByRole('checkbox').check();
  await expect(page.getByText('2 selected')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Replay 2' }).click();
  await expect(page.getByText('2 sent again.')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await receiver.waitFor(5);

  await account.call('POST', `${ENDPOINTS}/${endpointId}/pause`);
  await account.call('POST', EVENTS, { type: 'order.created', data: { n: 4 } });
  await page.goto('/dashboard/deliveries?state=open');
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Select all 1 shown').check();
  await page.getByRole('button', { name: 'Cancel 1' }).click();
  await page.getByRole('button', { name: 'Cancel them' }).click();
  await expect(page.getByText('1 cancelled.')).toBeVisible();
  await expect(rows).toHaveCount(0);
});

test('deliveries that were delivered, and many of any state, are sent again only after their number is typed', async ({
  page,
  stack,
  account,
  receiver,
}) => {
  await register(account, receiver.url);
  for (const n of [1, 2, 3]) await account.call('POST', EVENTS, { type: 'order.created', data: { n } });
  await receiver.waitFor(3);
  await page.goto('/dashboard/deliveries?state=delivered');
  await expectRows(page, page.getByRole('row', { name: /order\.created/ }), 3);
  await page.getByRole('button', { name: 'Replay all that match the filter' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: 'Send again' });
  await expect(dialog.getByText('3 deliveries match.')).toBeVisible();
  await expect(send).toBeDisabled();
  await dialog.getByLabel('To confirm, type 3').fill('4');
  await expect(send).toBeDisabled();
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByLabel('Maximum per second').fill('1');
  await expect(dialog.getByText(/^At 1 a second, this takes 3\ss: through at .+, or later if/)).toBeVisible();
  await dialog.getByLabel('To confirm, type 3').fill('3');
  await send.click();
  await expect(page.getByRole('region', { name: /^Replay rpl_/ })).toContainText('3 of 3 sent again');

  // As many as a person can't oversee, to an endpoint that was removed.
  const me = (await (await page.request.get('/dashboard/api/me')).json()) as { account: { id: string } };
  const endpointId = buildEndpointId();
  const deliveries = [{ endpointId, state: 'failed' as const }];
  const events = Array.from({ length: 1_001 }, (_, n) => ({ id: 5_000_000 + n, accountId: me.account.id, deliveries }));
  await insertEvents(stack.mongo, events);
  await page.goto('/dashboard/deliveries?state=failed');
  await page.getByRole('button', { name: 'Replay all that match the filter' }).click();
  await expect(dialog.getByText('1,001 deliveries match.')).toBeVisible();
  await expect(dialog.getByText(/Skipped: 1,001 to endpoints that were removed\./)).toBeVisible();
  await expect(send).toBeDisabled();
  await dialog.getByLabel('To confirm, type 1,001').fill('all');
  await expect(send).toBeEnabled();
  await dialog.getByLabel('Maximum per second').fill('2');
  await send.click();
  const replay = page.getByRole('region', { name: /^Replay rpl_/ }).first();
  await expect(replay).toContainText(/About \d+\smin \d+\ss left: through at /);

  await replay.getByRole('button', { name: 'Pause the replay' }).click();
  await expect(replay.getByText('Paused', { exact: true })).toBeVisible();
  await expect(replay.getByText(/left: through/)).toHaveCount(0);
  await replay.getByRole('button', { name: 'Change the rate' }).click();
  const rate = page.getByRole('dialog', { name: 'Change the rate' });
  await rate.getByLabel('At most per second').fill('1');
  await expect(rate).toContainText(/left: about 1\d\smin.*, through at /);
  expect(await axeViolations(page)).toEqual([]);
  await rate.getByRole('button', { name: 'Change the rate' }).click();
  await expect(replay).toContainText('at most 1 per second');
  await page.goto('/dashboard');
  const running = page.getByRole('region', { name: 'Running now' });
  await expect(running.getByText('Paused', { exact: true })).toBeVisible();
  await running.getByRole('button', { name: 'Resume the replay' }).click();
  await expect(running).toContainText(/About 1\d\smin.* left: through at /);
  await page.goto('/dashboard/replays');
  await replay.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Stop the replay' }).click();
  await expect(replay.getByText(/left: through/)).toHaveCount(0);
});
