import type { Page } from '@playwright/test';
import { createKey, expect, signUp, test } from './support/dashboard';

const PHONE = { width: 390, height: 844 };
const LISTS = ['events', 'deliveries', 'endpoints', 'keys', 'audit'] as const;

/** What fingers can't hit: targets of less than 44 pixels, measured by what the browser hits around their middle. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const REACH = 21;
    const isInSentence = (element: Element): boolean =>
      element.tagName === 'A' &&
      getComputedStyle(element).display === 'inline' &&
      [...element.parentElement!.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim());
    const targets = document.querySelectorAll<HTMLElement>(
      'main a, main button, main input, main summary, header a, header button',
    );
    return [...targets].flatMap((target) => {
      const label = target instanceof HTMLInputElement ? target.labels?.[0] : undefined;
      target.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = target.getBoundingClientRect();
      if (width < 2 || height < 2 || getComputedStyle(target).visibility === 'hidden' || isInSentence(target))
        return [];
      const [x, y] = [left + width / 2, top + height / 2];
      const isHit = ([dx, dy]: number[]): boolean => {
        const hit = document.elementFromPoint(x + dx!, y + dy!);
        return (
          hit !== null && (target.contains(hit) || (label?.contains(hit) ?? false) || hit.closest('label') === label)
        );
      };
      const around = [
        [0, -REACH],
        [0, REACH],
        ...(width < 44
          ? [
              [-REACH, 0],
              [REACH, 0],
            ]
          : []),
      ];
      const isSmall = label ? label.getBoundingClientRect().height < 43 && !around.every(isHit) : !around.every(isHit);
      const name = target.getAttribute('aria-label') ?? target.textContent ?? '';
      return isSmall ? [`${target.tagName} ${name.trim()} ${Math.round(width)}x${Math.round(height)}`] : [];
    });
  });
}

test('on a phone each row of a list is a card with its state first, and fingers hit everything', async ({
  page,
  account,
  receiver,
}) => {
  await page.setViewportSize(PHONE);
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: receiver.url, events: ['*'] });
  await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data: {} });
  await receiver.waitFor(1);
  for (const path of LISTS) {
    await page.goto(`/dashboard/${path}`);
    const row = page.locator('tbody tr').first();
    await expect(row).toBeVisible();
    const { scrolls, order } = await row.evaluate((card) => {
      const region = card.closest('[role="region"]')!;
      const state = card.querySelector('[data-state]');
      const others = [...card.querySelectorAll('td')].filter(
        (cell) => !cell.contains(state) && !cell.querySelector('[type=checkbox]'),
      );
      const top = (element: Element): number => element.getBoundingClientRect().top;
      return {
        scrolls: region.scrollWidth - region.clientWidth,
        order: state === null || others.every((cell) => cell.offsetHeight === 0 || top(state) < top(cell)),
      };
    });
    expect({ path, scrolls, order }).toEqual({ path, scrolls: 0, order: true });
    if (path !== 'endpoints') expect({ path, small: await smallTargets(page) }).toEqual({ path, small: [] });
  }
});

test('on a phone the texts of a cell stand apart as they do in a table', async ({ page, account, stack }) => {
  await page.setViewportSize(PHONE);
  await account.call('POST', '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/x', events: ['*'] });
  const linesOf = async (name: RegExp, text: RegExp): Promise<number[]> => {
    const lines = await page.getByRole('row', { name }).locator('td p').filter({ hasText: text }).all();
    return Promise.all(lines.map(async (line) => (await line.boundingBox())!.y));
  };
  await page.goto('/dashboard/audit');
  await expect(page.getByRole('row', { name: /Endpoint created/ })).toBeVisible();
  const changes = await linesOf(/Endpoint created/, /^(?:url|events|status|secret)/);
  expect(changes).toHaveLength(4);
  expect([...new Set(changes)].toSorted((a, b) => a - b)).toEqual(changes);

  await page.goto('/dashboard/keys');
  await expect(page.getByRole('row', { name: /test/ })).toBeVisible();
  const [label, product] = await linesOf(/test/, /./);
  expect(product).toBeGreaterThan(label!);

  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: { operator: true } });
  await page.goto('/dashboard/accounts');
  const calls = page
    .getByRole('row')
    .filter({ hasText: account.email })
    .getByRole('cell', { name: / of 500/ });
  expect(await calls.innerText()).toMatch(/^\d+ of 500$/);
});

test('however long a name is, nothing is cut off and no list scrolls sideways', async ({ page, account }) => {
  const long = (length: number): string => 'abcdefghij'.repeat(20).slice(0, length);
  const type = `order.${long(58)}`;
  const common = `http://127.0.0.1:9/${long(60)}`;
  for (const end of ['one', 'two']) {
    const url = `${common}/${end}`;
    await account.call('POST', '/api/v1/webhooks/endpoints', { url, events: [type], description: long(200) });
  }
  const { body: endpoint } = await account.call('POST', '/api/v1/webhooks/endpoints', {
    url: 'http://127.0.0.1:9/x',
    enabled: false,
    events: [type],
    description: long(200),
  });
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', {
    type,
    data: {},
    idempotency_key: long(200),
  });
  await createKey(page, long(100));
  const paths = [
    'events',
    'deliveries',
    'endpoints',
    'keys',
    'audit',
    `events/${event.id}`,
    `endpoints/${endpoint.id}`,
  ];
  for (const width of [1280, PHONE.width]) {
    await page.setViewportSize({ width, height: 860 });
    for (const path of paths) {
      await page.goto(`/dashboard/${path}`);
      const name = path.startsWith('endpoints/') ? long(200) : /abcdefghij/;
      await expect(page.getByText(name).filter({ visible: true }).first()).toBeVisible();
      if (path === 'deliveries' || path === 'endpoints') await expect(page.getByText(/\/two$/).first()).toBeVisible();
      await expect(page.getByLabel('Loading')).toHaveCount(0);
      const cutOff = await page.evaluate(() =>
        [
          ...document.querySelectorAll(
            'html, main h1, main p, main a, main td, main [class*=Badge-label], main [role=region]:not(pre)',
          ),
        ]
          .filter((it) => it.textContent !== '' && it.scrollWidth > it.clientWidth + 1)
          .map((it) => `${it.tagName} ${it.textContent?.slice(0, 40)}`),
      );
      expect({ width, path, cutOff }).toEqual({ width, path, cutOff: [] });
    }
  }
});

/** Texts of a table that continue on the next line in the middle of a word; an id is one word, longer than a phone's line. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.querySelector('tbody')!, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const range = document.createRange();
      const topOf = (at: number): number => {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().top;
      };
      const text = node.textContent!;
      if (/^\s*[a-z]{2,3}_[a-z0-9]+$/.test(text)) continue;
      for (let at = 1; at < text.length; at += 1) {
        if (/\w\w/.test(text.slice(at - 1, at + 1)) && topOf(at) > topOf(at - 1) + 2) found.push(text);
      }
    }
    return found;
  });
}

test('a long type, host or address continues on the next line behind a dot or the like', async ({
  page,
  account,
  stack,
}) => {
  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: { operator: true } });
  const type = 'customer.subscription.pending_update_expired';
  const url = 'https://hooks.warehouseintegrations.example.com/everpost/v2/incoming/orders';
  await account.call('POST', '/api/v1/webhooks/endpoints', { url, events: [type] });
  await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  for (const width of [1280, 768, PHONE.width]) {
    await page.setViewportSize({ width, height: 860 });
    for (const path of ['events', 'deliveries', 'endpoints', 'audit', 'accounts']) {
      await page.goto(`/dashboard/${path}`);
      await expect(page.locator('tbody tr').first()).toBeVisible();
      if (path === 'deliveries') await expect(page.locator('tbody').getByText(url)).toBeVisible();
      expect({ width, path, broken: await brokenWords(page) }).toEqual({ width, path, broken: [] });
    }
  }
});

test('on a tablet all of the header is in view', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1_024 });
  await signUp(page);
  await page.goto('/dashboard/events');
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
  const header = page.getByRole('banner');
  for (const target of await header.locator('a:visible, button:visible').all()) {
    const { x, width } = (await target.boundingBox())!;
    expect({ name: await target.innerText(), right: Math.max(x + width, 768) }).toMatchObject({ right: 768 });
  }
  expect((await header.getByRole('link', { name: 'API docs' }).boundingBox())!.height).toBeLessThan(44);
});

test('on a phone the first command fits into its card, and its copy button with it', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signUp(page);
  await page.goto('/dashboard/events');
  for (const part of [
    page.getByRole('region', { name: 'the command' }),
    page.getByRole('button', { name: 'Copy the command' }),
  ]) {
    const { x, width } = (await part.boundingBox())!;
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(PHONE.width);
  }
});

test('in dark, every state of a delivery has a colour of its own', async ({ page, account, receiver }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  receiver.answerWith(({ path }) => (path.endsWith('down') || path.endsWith('late') ? 500 : 200));
  const register = (suffix: string, type: string, options?: object) =>
    account.call('POST', '/api/v1/webhooks/endpoints', {
      url: `${receiver.url}/${suffix}`,
      events: [type],
      ...(options && { options }),
    });
  await register('up', 'is.delivered');
  await register('down', 'is.failed', { retry_schedule: [0] });
  await register('late', 'is.retrying');
  for (const type of ['is.delivered', 'is.failed', 'is.retrying']) {
    await account.call('POST', '/api/v1/webhooks/events', { type, data: {} });
  }
  await receiver.waitFor(3);
  await page.goto('/dashboard/deliveries');
  const colours = new Map<string, number[]>();
  for (const state of ['delivered', 'failed', 'retrying']) {
    const badge = page.locator(`tbody [data-state="${state}"]`);
    await expect(badge).toBeVisible();
    const colour = await badge.evaluate((element) => getComputedStyle(element).backgroundColor);
    colours.set(state, colour.match(/[\d.]+/g)!.map(Number));
  }
  const distance = (one: string, other: string): number =>
    Math.hypot(
      ...colours
        .get(one)!
        .slice(0, 3)
        .map((part, index) => part - colours.get(other)![index]!),
    );
  expect(distance('failed', 'retrying')).toBeGreaterThan(40);
  expect(distance('failed', 'delivered')).toBeGreaterThan(40);
  expect(distance('retrying', 'delivered')).toBeGreaterThan(40);
});
