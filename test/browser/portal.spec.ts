import { expect, type FrameLocator, type Page } from '@playwright/test';
import { axeViolations } from './support/axe';
import { describeTypes } from './support/catalog';
import { LOOKS } from './support/every-page';
import { test, type HostPage } from './support/portal';

/** What a page of the platform got from the portal. */
interface HostWindow {
  readonly messages: readonly { readonly data: { readonly type?: string }; readonly origin: string }[];
  readonly send: (code: string, to: string) => void;
}

async function openFramed(page: Page, host: HostPage, url: string, beside?: string): Promise<FrameLocator> {
  const query = new URLSearchParams({ frame: url, ...(beside !== undefined && { beside }) });
  await page.goto(`${host.origin}/?${query}`);
  return page.frameLocator('#portal');
}

const messagesOf = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as HostWindow).messages.map(({ data }) => data.type));

const heading = (frame: FrameLocator | Page, name: string | RegExp) => frame.getByRole('heading', { level: 1, name });

test('a customer manages endpoints in a page of the platform, without a cookie and without a trace in addresses', async ({
  page,
  host,
  stack,
  customer,
  receiver,
}) => {
  const referers: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(`${stack.url}/api/`)) referers.push(request.headers()['referer'] ?? '');
  });
  const { url, code } = await customer.portal();
  const frame = await openFramed(page, host, url);
  await expect(heading(frame, 'Endpoints')).toBeVisible();
  expect(await messagesOf(page)).toContain('everpost.ready');
  await frame.getByRole('button', { name: 'New endpoint' }).click();
  await frame.getByRole('textbox', { name: /^URL/ }).fill(receiver.url);
  await frame.getByRole('button', { name: 'Register', exact: true }).click();
  await frame.getByRole('button', { name: 'Open the endpoint' }).click();
  await frame.getByRole('button', { name: 'Send a test event' }).click();
  await expect(frame.getByRole('region', { name: /^Delivery / })).toContainText('Delivered');
  await frame.getByRole('tab', { name: 'Settings' }).click();
  await frame.getByRole('button', { name: 'Reveal' }).click();
  await expect(frame.getByText(/^whsec_/)).toBeVisible();

  const { body } = await customer.call('GET', '/api/v1/webhooks/endpoints');
  expect(JSON.stringify(body)).toContain(receiver.url);
  expect(await page.context().cookies()).toEqual([]);
  // The page around names it in its own address, because the test told it so.
  expect(page.frames()[1]!.url()).toContain('/portal/endpoints/');
  expect(page.frames()[1]!.url()).not.toContain(code);
  expect(new Set(referers)).toEqual(new Set(['']));
});

test('only a listed page may frame the portal, and nobody the dashboard', async ({
  page,
  host,
  stranger,
  stack,
  customer,
}) => {
  const framed = async (of: HostPage, url: string) => {
    await openFramed(page, of, url);
    await expect.poll(() => page.frames()[1]?.url()).not.toBe('about:blank');
    await page.waitForLoadState('load');
    return page.frames()[1]!.url();
  };
  expect(await framed(host, (await customer.portal()).url)).toMatch(/\/portal/);
  expect(await framed(stranger, (await customer.portal()).url)).toMatch(/^chrome-error:/);
  expect(await framed(host, `${stack.url}/dashboard`)).toMatch(/^chrome-error:/);
});

test('the page around takes a new session over, what was typed stays, and other pages can not', async ({
  page,
  host,
  stranger,
  stack,
  customer,
}) => {
  const { url, id } = await customer.portal();
  const frame = await openFramed(page, host, url, stranger.origin);
  await frame.getByRole('button', { name: 'New endpoint' }).click();
  await frame.getByRole('textbox', { name: /^URL/ }).fill('https://typed.example/hook');

  await stack.mongo.db.collection<{ _id: string }>('portal_sessions').deleteOne({ _id: id });
  const ended = frame.getByText('Your session has ended');
  await expect(ended).toBeVisible();
  await expect.poll(() => messagesOf(page)).toContain('everpost.session_expired');

  // A frame of another site beside it has a valid code, and sends it.
  const { code: stolen } = await customer.portal();
  const beside = page.frames().find((one) => one.url().startsWith(stranger.origin))!;
  await beside.evaluate(
    ([code, to]) => parent.frames[0]!.postMessage({ type: 'everpost.code', code }, to!),
    [stolen, stack.url],
  );
  const { code } = await customer.portal();
  await page.evaluate(
    ([sent, to]) => (globalThis as unknown as HostWindow).send(sent!, to!),
    ['not-a-code', stack.url],
  );
  await expect(ended).toBeVisible();
  await page.evaluate(([sent, to]) => (globalThis as unknown as HostWindow).send(sent!, to!), [code, stack.url]);
  await expect(ended).toBeHidden();
  await expect(frame.getByRole('textbox', { name: /^URL/ })).toHaveValue('https://typed.example/hook');
  await frame.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(frame.getByText('https://typed.example/hook').first()).toBeVisible();
  const used = await stack.mongo.db.collection('portal_sessions').countDocuments({ account_id: customer.accountId });
  expect(used).toBe(2);
});

test('a page of its own whose session has ended goes where the platform makes a new one', async ({
  page,
  stack,
  customer,
  host,
}) => {
  const { url, id } = await customer.portal();
  await page.goto(url);
  await expect(heading(page, 'Endpoints')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Endpoints')).toBeVisible();
  await stack.mongo.db.collection<{ _id: string }>('portal_sessions').deleteOne({ _id: id });
  await page.waitForURL(`${host.origin}/again`);
  // A code works for a minute only; a visit without one has no session.
  await page.goto(`${stack.url}/portal#${'x'.repeat(43)}`);
  await page.waitForURL(`${host.origin}/again`);
});

test('a session begins on the page that the platform names, and a code can be used again for a minute', async ({
  page,
  customer,
  browser,
}) => {
  const { url } = await customer.portal({ page: '/find?rows=deliveries' });
  await page.goto(url);
  await expect(heading(page, 'Find')).toBeVisible();
  await expect(page).toHaveURL(/\/portal\/find\?rows=deliveries$/);
  await expect(page.getByRole('radio', { name: 'Deliveries' })).toBeChecked();
  const again = await browser.newPage();
  await again.goto(url);
  await expect(heading(again, 'Find')).toBeVisible();
  await again.close();
});

test('a viewer has no button that changes something', async ({ page, customer, receiver }) => {
  const { body: endpoint } = await customer.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  const { body: event } = await customer.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await receiver.waitFor(1);
  const CHANGES = /new|edit|pause|delete|send|reveal|rotate|replay|retry|cancel|recover|register|select/i;
  const buttonsOn = async (path: string, of: Page) => {
    await of.goto(path);
    await expect(of.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(of.getByLabel('Loading')).toHaveCount(0);
    const names = await of
      .getByRole('main')
      .locator('button, input[type=checkbox]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''));
    return names.filter((name) => CHANGES.test(name) && !name.startsWith('No new'));
  };
  const paths = [
    'endpoints',
    `endpoints/${endpoint.id}`,
    `endpoints/${endpoint.id}?tab=settings`,
    'find',
    'find?rows=deliveries',
    `events/${event.id}`,
    'replays',
  ].map((path) => `/portal/${path}`);
  const found: Record<string, Record<string, string[]>> = {};
  for (const role of ['viewer', 'manager'] as const) {
    await page.goto('about:blank');
    await page.goto((await customer.portal({ role })).url);
    await expect(heading(page, 'Endpoints')).toBeVisible();
    found[role] = {};
    for (const path of paths) found[role][path] = await buttonsOn(path, page);
  }
  expect(found['viewer']).toEqual(Object.fromEntries(paths.map((path) => [path, []])));
  expect(Object.entries(found['manager']!).filter(([, names]) => names.length === 0)).toEqual([]);
});

test('changes are shown as they happen', async ({ page, customer, receiver }) => {
  await page.goto((await customer.portal()).url);
  await expect(page.getByRole('status', { name: 'Live updates' })).toHaveText('Live');
  await customer.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible();
});

/** What a customer must not learn from a page. */
const SECRETS = /everpost|powered by|temporal|operator|quota|api key|audit/i;

for (const { name, colorScheme, viewport } of LOOKS) {
  test(`axe finds nothing, nothing sticks out, and nothing tells whose product it is: ${name}`, async ({
    page,
    customer,
    receiver,
    stack,
  }) => {
    await describeTypes(stack);
    const { body: endpoint } = await customer.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
    await customer.call('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x', description: 'Broken' });
    const { body: event } = await customer.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
    await receiver.waitFor(1);
    await page.setViewportSize(viewport);
    const { url } = await customer.portal();
    // The theme of the address, whatever the system's is.
    await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
    await page.goto(url.replace('#', `?theme=${colorScheme}#`));
    await expect(heading(page, 'Endpoints')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    const found: Record<string, string[]> = {};
    const paths = ['endpoints', `endpoints/${endpoint.id}`, `endpoints/${endpoint.id}?tab=deliveries`].concat([
      `endpoints/${endpoint.id}?tab=settings`,
      'find',
      'find?rows=deliveries',
      'find?q=nothing',
      `events/${event.id}`,
      'replays',
      'event-types',
      'event-types/order.created',
      'nowhere',
    ]);
    for (const path of paths) {
      await page.goto(`/portal/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByLabel(/^Loading/)).toHaveCount(0);
      await expect(page.getByText('Connecting', { exact: true })).toHaveCount(0);
      const problems = await axeViolations(page);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (tooWide > 0) problems.push(`${tooWide} pixels too wide`);
      const told = SECRETS.exec(`${await page.title()} ${await page.locator('body').innerText()}`)?.[0];
      if (told !== undefined) problems.push(`it says ${told}`);
      if (problems.length > 0) found[path] = problems;
    }
    expect(found).toEqual({});
  });
}

test('a customer reads what can be received, and subscribes to it', async ({ page, customer, receiver, stack }) => {
  await describeTypes(stack);
  await page.goto((await customer.portal({ page: '/event-types', role: 'viewer' })).url);
  await page.getByRole('link', { name: 'order.created' }).click();
  await expect(page.getByRole('row', { name: /^order_id required string/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Events of this type' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create endpoint for this type' })).toHaveCount(0);

  await page.goto('about:blank');
  await page.goto((await customer.portal({ page: '/event-types/order.created' })).url);
  await page.getByRole('button', { name: 'Create endpoint for this type' }).click();
  await page.getByRole('textbox', { name: /^URL/ }).fill(receiver.url);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page.getByText('Endpoint registered')).toBeVisible();
  const { body } = await customer.call('GET', '/api/v1/webhooks/endpoints');
  expect(body).toMatchObject({ endpoints: [{ url: receiver.url, events: ['order.created'] }] });
});

test('the pages can be used by keyboard', async ({ page, customer, receiver }) => {
  await customer.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await page.goto((await customer.portal()).url);
  await expect(heading(page, 'Endpoints')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByRole('link', { name: receiver.url }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'State' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the first load is small', async ({ page, customer }) => {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto((await customer.portal()).url);
  await expect(heading(page, 'Endpoints')).toBeVisible();
  // The stream of changes keeps the network busy; it is opened last.
  await expect(page.getByRole('status', { name: 'Live updates' })).toHaveText('Live');
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(250_000);
});

test('a customer rehearses a change of an endpoint', async ({ page, customer, receiver }) => {
  const { body: endpoint } = await customer.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url });
  await customer.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: { total: 1 } });
  await page.goto((await customer.portal({ page: `/endpoints/${endpoint.id}` })).url);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit endpoint' });
  await form.getByRole('button', { name: 'Rehearse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rehearsal' });
  await expect(dialog.getByRole('status')).toContainText('Tried on the newest 1 event');
  await expect(dialog.getByText('stays the same')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
});
