import { countOf, NO_ATTEMPTS, sumCounts } from '../../src/domain/attempt-counts';
import { createAttemptCountStore } from '../../src/stores/attempt-count-store';
import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const DAY_MS = 86_400_000;

/** So many attempts that succeeded, and so many that failed. */
function attempts(succeeded: number, failed: number) {
  const of = (success: boolean) =>
    countOf({ number: 1, succeeded: success, errorCode: null, statusCode: success ? 200 : 500, latencyMs: 20 });
  const times = (count: number, success: boolean) => Array.from({ length: count }, () => of(success));
  return [...times(succeeded, true), ...times(failed, false)].reduce(sumCounts, NO_ATTEMPTS);
}

test.use({ timezoneId: 'Europe/Berlin' });

test('a month is shown by day with its failure rate, a burst is cut, and a day leads to its deliveries', async ({
  page,
  account,
  stack,
  receiver,
}) => {
  const { body } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await expect.poll(() => receiver.requests.length).toBe(1);
  const found = await stack.mongo.db.collection<{ _id: string }>('accounts').findOne({ email: account.email });
  await createAttemptCountStore(stack.mongo.db).add(
    Array.from({ length: 28 }, (_, n) => ({
      accountId: found!._id,
      endpointId: String(body.id),
      at: new Date(Date.now() - (n + 1) * DAY_MS),
      counts: n === 5 ? attempts(900, 100) : attempts(9, 1),
    })),
  );

  await page.goto('/dashboard?window=30d');
  const activity = page.getByRole('region', { name: 'Attempts' });
  const chart = activity.getByRole('figure', { name: 'Attempts by day' });
  await expect(chart.getByTestId('cut')).toHaveCount(1);
  await expect(chart.getByText('1,000', { exact: true })).toBeVisible();
  await expect(activity.getByText(/^Times in Europe\/Berlin \(GMT\+1\)/).first()).toBeVisible();
  await activity.getByText('Attempts by day, as a table').click();
  const rows = activity.getByRole('region', { name: 'Attempts by day' }).locator('tbody tr');
  await expect(rows.nth(1).locator('td')).toHaveText([/^\w{3} \d+$/, '9', '1', /^10\.0/]);
  expect(await axeViolations(page)).toEqual([]);

  // By keyboard: the last day has the focus first.
  await chart.getByRole('button').focus();
  const numbers = chart.getByTestId('pointed-at');
  await expect(numbers).toContainText('Failed0');
  await page.keyboard.press('ArrowLeft');
  await expect(numbers).toContainText(/Succeeded9Failed1Failure rate10\.0/);
  await expect(chart.getByRole('button')).toHaveAccessibleName(/: Succeeded 9, Failed 1, .*Open the deliveries$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/find\?rows=deliveries&after=/);
  await expect(page.getByRole('row', { name: /order\.created/ })).toHaveCount(1);
  await page.goBack();
  await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked();

  // By a click: on the day before, which has no deliveries.
  await chart.hover({ position: { x: 100, y: 100 } });
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(/after=.*before=/);
  await expect(page.getByText('No matching deliveries')).toBeVisible();
  // From midnight to midnight, in the reader's time zone.
  await expect(page.getByLabel('From')).toHaveValue(/T00:00(:00)?$/);
  await expect(page.getByLabel('Until')).toHaveValue(/T00:00(:00)?$/);
});
