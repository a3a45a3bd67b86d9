import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { expect, expectRows, signUp, test, type SignedUp } from './support/dashboard';

const CLOSED_PORT = 'http://127.0.0.1:9/x';

test('a rotation of the signing secret is there after a reload, and can be ended without revealing', async ({
  page,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await page.goto(`/dashboard/endpoints/${endpoint.id}?tab=settings`);
  await page.getByRole('button', { name: 'Reveal' }).click();
  await page.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Create the next secret' }).click();
  await expect(page.getByText('Rotation in progress')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Rotation in progress')).toBeVisible();
  await expect(page.getByText(/switch happens automatically in 23 hours/)).toBeVisible();
  await expect(page.getByText(endpoint.secret)).toHaveCount(0);

  await page.getByRole('button', { name: 'Switch to the next secret' }).click();
  await expect(page.getByText('Rotation in progress')).toBeHidden();
  await page.getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expect(page.getByText(endpoint.secret)).toHaveCount(0);
});

test('of “*” and a narrower pattern the newer choice stays', async ({ page }) => {
  await signUp(page);
  await page.goto('/dashboard/endpoints');
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const form = page.getByRole('dialog');
  const events = form.getByRole('combobox', { name: 'Events' });
  const add = async (pattern: string): Promise<void> => {
    await events.fill(pattern);
    await events.press('Enter');
  };
  const chosen = () => form.locator('.mantine-Pill-label').allInnerTexts();
  await add('order.*');
  await expect.poll(chosen).toEqual(['order.*']);
  await add('everpost.endpoint.disabled');
  await add('*');
  await expect.poll(chosen).toEqual(['everpost.endpoint.disabled', '*']);
  await add('invoice.paid');
  await expect.poll(chosen).toEqual(['everpost.endpoint.disabled', 'invoice.paid']);
});

/** Where the replay begins that the page of an endpoint offers. */
async function startOfRecovery(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Recover' }).click();
  const from = await page.getByRole('dialog').getByLabel('From').inputValue();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  return page.evaluate((text) => new Date(text).toISOString(), from);
}

/** A time as the field of a form has it. */
function toSeconds(time: string): string {
  return time.replace(/\.\d+Z/, '.000Z');
}

test('an endpoint that fails every attempt says so, and recovers from its first failure on', async ({
  page,
  account,
}) => {
  const once = { url: CLOSED_PORT, options: { retry_schedule: [0] } };
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', once);
  await page.goto('/dashboard/endpoints');
  const row = page.getByRole('row', { name: /127\.0\.0\.1:9/ });
  await expect(row).toContainText('Waiting');
  await expect(row).toContainText('no attempts');

  // Without a reload: the page is told.
  await account.call('POST', '/api/v1/webhooks/events', { type: 'a.b', data: {} });
  await expect(row).toContainText(/Failing since \d{1,2}:\d\d\s[AP]M/);
  await expect(row).toContainText(/Connection refused, (\d+) of \1/);
  await expect(row).toContainText('100.0 % failed');
  await expect(row).not.toContainText('Active');

  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await expect(page.getByText(/^Connection refused, (\d+) of \1$/)).toBeVisible();
  const { body } = await account.call('GET', `/api/v1/webhooks/endpoints/${endpoint.id}`);
  const { since } = (body as unknown as { health: { since: string } }).health;
  expect(await startOfRecovery(page)).toBe(toSeconds(since));
  await expect(page.getByRole('alert').filter({ hasText: 'Failing since' })).toContainText(
    'nothing listens on this port',
  );
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Pause the endpoint' }).click();
  await expect(page.getByText(/^Paused since \d{1,2}:\d\d\s[AP]M$/)).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Failing since' })).toBeHidden();
  expect(await startOfRecovery(page)).toBe(toSeconds(since));
});

test('the page of an endpoint that fails now and then recovers from its last failures on', async ({
  page,
  account,
  receiver,
  watch,
}) => {
  receiver.answerWith((_request, count) => (count === 1 ? 200 : 500));
  const path = '/api/v1/webhooks/endpoints';
  const once = { url: receiver.url, options: { retry_schedule: [0] } };
  const { body: endpoint } = await account.call('POST', path, once);
  await account.call('POST', EVENTS, { type: 'a.b', data: {} });
  await receiver.waitFor(1);
  await failOnce(account, endpoint.id, 'a.c');
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  await expect(page.getByText('Degraded').first()).toBeVisible();
  const { body } = await account.call('GET', `${path}/${endpoint.id}`);
  const { last_failure_at: failedAt } = (body as unknown as { health: { last_failure_at: string } }).health;
  expect(await startOfRecovery(page)).toBe(toSeconds(failedAt));
  // It asked for this endpoint's alone.
  expect(watch.apiCalls).not.toContain('GET /dashboard/api/endpoint-health');
});

test('a URL of usual length has one line, whatever stands beside it', async ({ page, account }) => {
  const url = `${CLOSED_PORT}/everpost`;
  await account.call('POST', '/api/v1/webhooks/endpoints', {
    url,
    events: [`${'a_long_part.'.repeat(5)}*`, 'order.created'],
  });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard/endpoints');
  await expect(page.getByText('100.0 % failed')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 860 });
  const lines = await page.getByRole('link', { name: url, exact: true }).evaluate((link) => {
    const range = document.createRange();
    range.selectNodeContents(link);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
  expect(lines).toBe(1);
});

test('the newest of the last 24 hours is not cut off in a narrow column', async ({ page, account }) => {
  await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: `${CLOSED_PORT}/${'long/'.repeat(20)}`,
    events: ['customer.subscription.renewed', 'customer.subscription.cancelled', 'order.created', 'order.paid'],
  });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await page.goto('/dashboard/endpoints');
  const bars = page.getByRole('img', { name: 'Attempts of the last 24 hours: 100.0 % failed' });
  await expect(bars).toBeVisible();
  for (const width of [1280, 1600]) {
    await page.setViewportSize({ width, height: 860 });
    expect({ width, bars: (await bars.boundingBox())!.width }).toEqual({ width, bars: 120 });
    // Nor does a line break part the number and its unit.
    const lines = await page.getByText('100.0 % failed').evaluate(({ firstChild }) => {
      const range = document.createRange();
      range.setStart(firstChild!, 0);
      range.setEnd(firstChild!, '100.0 %'.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect({ width, lines }).toEqual({ width, lines: 1 });
  }
});

const EVENTS = '/api/v1/webhooks/events';

/** Sends an event, and waits until its first attempt has failed. */
async function failOnce({ call }: SignedUp, endpointId: string | number, type: string): Promise<string> {
  const { body: event } = await call('POST', EVENTS, { type, data: {} });
  const delivery = `/api/v1/webhooks/deliveries/${event.id}.${endpointId}`;
  await expect.poll(async () => (await call('GET', delivery)).body).toMatchObject({ attempt_count: 1 });
  return String(event.id);
}

test('an endpoint says why its attempts fail, each cause by itself, and leads to the attempts with one', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith((_request, count) => (count === 1 ? 500 : 503));
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('Deliveries').click();
  const attempts = page.getByRole('region', { name: 'Last attempts' });
  await expect(attempts).toContainText('Nothing was sent to this endpoint yet.');

  // Without a reload: the page is told.
  await failOnce(account, endpoint.id, 'order.one');
  const refused = await failOnce(account, endpoint.id, 'order.two');
  await failOnce(account, endpoint.id, 'order.three');
  await account.call('PATCH', `/api/v1/webhooks/endpoints/${endpoint.id}`, { url: 'http://nowhere.invalid/x' });
  await failOnce(account, endpoint.id, 'order.four');

  // Rows that come after the first are counted until the user asks for them.
  await expectRows(page, attempts.getByRole('row'), 5);
  await tab('State').click();
  const causes = page.getByRole('region', { name: 'Failure causes' });
  const rowOf = (cause: RegExp) => causes.getByRole('row', { name: cause });
  await expect(rowOf(/^DNS: name not resolved .* 1 about \d{1,2}:\d\d\s[AP]M about \d{1,2}:\d\d\s[AP]M/)).toBeVisible();
  await expect(rowOf(/^HTTP 503 .* 2 about/)).toBeVisible();
  await expect(rowOf(/^HTTP 500 .* 1 about/)).toBeVisible();
  await expect(page.getByText(/^DNS: name not resolved, 1 of 4$/)).toBeVisible();

  await rowOf(/^HTTP 503/)
    .getByRole('button', { name: 'Attempts with HTTP 503' })
    .press('Enter');
  const heading = page.getByRole('heading', { name: 'Last attempts with HTTP 503' });
  await expect(heading).toBeFocused();
  await expect(attempts.getByRole('row')).toHaveCount(3);
  await page.reload();
  await expect(heading).toBeVisible();
  await expect(attempts.getByRole('row')).toHaveCount(3);
  const row = attempts.getByRole('row', { name: new RegExp(refused) });
  await expect(row).toContainText('order.two');
  await expect(row.getByText('answer 503')).toBeHidden();
  await row.getByText('Show').press('Enter');
  await expect(row.getByText('answer 503')).toBeVisible();

  await page.getByRole('button', { name: 'Show all attempts' }).press('Enter');
  await expect(attempts.getByRole('row')).toHaveCount(5);
  await tab('State').click();
  await rowOf(/^HTTP 500/)
    .getByRole('link', { name: 'Deliveries since HTTP 500 was first seen' })
    .press('Enter');
  await expect(page).toHaveURL(new RegExp(`/dashboard/find\\?endpoint_id=${endpoint.id}&after=`));
  await expect(page.getByRole('row', { name: new RegExp(refused) })).toBeVisible();
});

test('an endpoint says how many deliveries wait for it, and for what', async ({ page, account, receiver }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  receiver.answerWith(async (_request, count) => {
    if (count === 1) await held;
    return 503;
  });
  const options = { ordered: true };
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, options });
  await page.goto(`/dashboard/endpoints/${endpoint.id}`);
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting).toContainText('No delivery waits.');

  // The receiver answers the first attempt only once it is released.
  const { body: first } = await account.call('POST', EVENTS, { type: 'line.first', data: {} });
  await account.call('POST', EVENTS, { type: 'line.second', data: {} });
  await expect(waiting).toContainText('1 waits to be sent now, or for an answer');
  await expect(waiting).toContainText(`1 waits in line behind event ${first.id}`);
  await expect(waiting.getByRole('link', { name: `event ${first.id}` })).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
  release();
  await expect(waiting).toContainText(/1 waits for the time of its next attempt, in \d+\ss/);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Pause the endpoint' }).click();
  await expect(waiting).toContainText('1 waits because the endpoint is paused');
  await waiting.getByRole('link', { name: 'Show what waits' }).click();
  await expect(page).toHaveURL(/state=open/);
});

test('an endpoint says in words what is sent and how, and since when its secret is in use', async ({
  page,
  account,
  receiver,
}) => {
  const { body: plain } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await page.goto(`/dashboard/endpoints/${plain.id}?tab=settings`);
  const sent = page.getByRole('region', { name: 'Delivery settings' });
  await expect(sent).toContainText('Every event:*');
  await expect(sent).toContainText("Up to 3 attempts over 2 min 00 s, by the installation's schedule.");
  await expect(sent).toContainText('At most 64 requests at once from each process, without a rate limit.');
  await expect(page.getByText(/^The current secret is in use since .*\. No rotation is under way\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Copy the endpoint id' }).focus();
  await expect(page.getByRole('button', { name: 'Copy the endpoint id' })).toBeFocused();

  const { body: special } = await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: receiver.url,
    events: ['order.*'],
    options: {
      retry_schedule: [0, 10, 600],
      max_per_second: 10,
      ordered: true,
      honor_retry_after: true,
      disable_on_gone: true,
      send_traceparent: true,
      headers: { 'X-Tenant': 'blue' },
      authentication: { type: 'bearer', token: 'hidden-token' },
      filter: { total: { $gte: 100 } },
    },
  });
  await page.goto(`/dashboard/endpoints/${special.id}?tab=settings`);
  for (const sentence of [
    'Events of these types:order.*',
    "Up to 3 attempts over 10 min 10 s, by the endpoint's own schedule.",
    'At most 10 attempts a second.',
    'In order: one delivery at a time',
    'An answer with Retry-After can delay the next attempt.',
    'An answer of 410 Gone disables the endpoint.',
    'With the traceparent of the event, if it belongs to a trace.',
    'With the additional header X-Tenant.',
    'Authenticates with a bearer token.',
    '"$gte": 100',
  ]) {
    await expect(sent).toContainText(sentence);
  }
  await expect(page.getByText('hidden-token')).toHaveCount(0);
  // One delivery at a time, it has no use for that limit.
  await expect(sent).not.toContainText('requests at once');
});

const SCREENS = [
  { name: 'light', width: 1280, scheme: 'light' },
  { name: 'dark', width: 1280, scheme: 'dark' },
  { name: 'phone', width: 390, scheme: 'light' },
  { name: 'phone, dark', width: 390, scheme: 'dark' },
] as const;

test('axe finds no problem on the page of a failing endpoint, in light, dark and on a phone', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(503);
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  for (const type of ['axe.one', 'axe.two']) await failOnce(account, endpoint.id, type);
  for (const { name, width, scheme } of SCREENS) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/dashboard/endpoints/${endpoint.id}`);
    await expect(page.getByRole('row', { name: /HTTP 503/ }).first()).toBeVisible();
    await expect(page.getByRole('figure', { name: 'Attempts by 5 minutes' })).toBeVisible();
    expect({ name, violations: await axeViolations(page) }).toEqual({ name, violations: [] });
    expect({ name, overflow: await overflowOf(page) }).toEqual({ name, overflow: 0 });
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await expect(page.getByText('answer 503')).toHaveCount(0);
    await page.getByText('Show', { exact: true }).first().click();
    expect({ name, violations: await axeViolations(page) }).toEqual({ name, violations: [] });
    expect({ name, overflow: await overflowOf(page) }).toEqual({ name, overflow: 0 });
  }
});

/** How many pixels the page is wider than its window. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
