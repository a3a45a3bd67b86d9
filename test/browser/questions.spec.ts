import { test as base } from './support/test';
import { insertEvents, type EventSpec } from '../support/build-events';
import { buildStack, type Stack } from '../support/build-stack';
import { expect, signIn } from './support/dashboard';
import { createPerson, type Person } from './support/person';
import { buildTroubledAccount, MONTHLY_QUOTA, PER_MINUTE, type TroubledAccount } from './support/troubled-account';

/** How many clicks an answer may take, from where a person lands after signing in. */
const MAX_CLICKS = 2;
/** So many more events are stored before the first question: `QUESTION_EVENTS=1000000`, by hand. */
const MORE_EVENTS = Number(process.env['QUESTION_EVENTS'] ?? 0);
const MONTH_S = 30 * 86_400;
const TIERS = JSON.stringify([{ id: 'free', name: 'Free', monthlyQuota: MONTHLY_QUOTA, perMinute: PER_MINUTE }]);

interface TestFixtures {
  /** Signed in, in front of the overview. */
  readonly person: Person;
}

interface WorkerFixtures {
  readonly stack: Stack;
  readonly account: TroubledAccount;
}

/** All questions are asked of one account; the one that recovers its endpoint comes last. */
const test = base.extend<TestFixtures, WorkerFixtures>({
  stack: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads the fixtures' names from here
    async ({}, use) => {
      const stack = await buildStack({ role: 'all', env: { TRUSTED_PROXIES: '127.0.0.0/8', TIERS } });
      await stack.role.workerReady;
      await use(stack);
      await stack.close();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  account: [
    async ({ stack }, use) => {
      const account = await buildTroubledAccount(stack);
      await addEvents(stack, account);
      await use(account);
      await account.close();
    },
    { scope: 'worker', timeout: 1_800_000 },
  ],
  person: async ({ page, account }, use, { title, annotations }) => {
    const person = createPerson(page);
    await signIn(page, account);
    person.begin();
    await use(person);
    const told = `${person.clicks()} clicks, ${person.seconds().toFixed(1)} s on this machine`;
    annotations.push({ type: 'answer', description: told });
    process.stdout.write(`${title} ${told}\n`);
    expect(person.clicks()).toBeLessThanOrEqual(MAX_CLICKS);
  },
});

/** Adds events of the last month: most were delivered, and every twentieth waits for the endpoint that is paused. */
async function addEvents(stack: Stack, { accountId, shopId, billingId }: TroubledAccount): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  const specOf = (n: number): EventSpec => {
    const isOpen = n % 20 === 0;
    return {
      id: n + 1,
      accountId,
      type: `seed.type_${n % 18}`,
      acceptedAt: now - 3_600 - Math.floor((n * MONTH_S) / MORE_EVENTS),
      search: [`customer_id:cus_${1_000 + (n % 5_000)}`],
      deliveries: [{ endpointId: isOpen ? billingId : shopId, state: isOpen ? 'pending' : 'delivered' }],
    };
  };
  for (let from = 0; from < MORE_EVENTS; from += 20_000) {
    const count = Math.min(20_000, MORE_EVENTS - from);
    await insertEvents(
      stack.mongo,
      Array.from({ length: count }, (_, n) => specOf(from + n)),
    );
  }
}

/** As a field of a local time takes it; this process and the browser are in one time zone. */
function anHourAgo(): string {
  const at = new Date(Date.now() - 3_600_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

test('Which endpoint is broken, and why?', async ({ page, person: _person }) => {
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const row = (name: string) => attention.getByRole('listitem').filter({ hasText: name });
  await expect(row('Warehouse')).toContainText('Failing since');
  await expect(row('Warehouse')).toContainText('HTTP 500');
  await expect(row('Old CRM')).toContainText('DNS: name not resolved');
  await expect(row('Old CRM')).toContainText('1 delivery waits');
  await expect(row('Billing')).toContainText('Paused');
  await expect(row('Billing')).toContainText(MORE_EVENTS > 0 ? /deliveries wait/ : '2 deliveries wait');
  await expect(row('Shop')).toHaveCount(0);
});

test('Did customer X get event Y?', async ({ page, person, account }) => {
  await person.search('cus_42');
  await expect(page.getByRole('heading', { level: 1, name: `Event ${account.deliveredId}` })).toBeVisible();
  await expect(page.getByText('customer.paid').first()).toBeVisible();
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  await expect(page.getByText(account.shop.url).first()).toBeVisible();
});

test('What did we send, and what did they answer?', async ({ page, person, account }) => {
  await person.search(account.deliveredId);
  await person.click(page.getByText('Request and response'));
  const region = (name: RegExp) => page.getByRole('region', { name });
  const [received] = await account.shop.waitFor(1);
  expect(await region(/^Request body, as signed/).innerText()).toBe(received!.body.toString());
  await expect(region(/^Request headers of attempt 1/)).toContainText(String(received!.headers['x-webhook-signature']));
  await expect(region(/^Response headers/)).toContainText('HTTP/1.1 200');
  await expect(region(/^Response body/)).toHaveText('answer 200');
});

test('What happens next?', async ({ page, person, account }) => {
  await person.search(account.waitingId);
  await expect(page.getByText('Attempt 1 failed')).toBeVisible();
  await expect(page.getByText(/^Attempt 2 (at|on) .*; gives up if attempt 3 (at|on) .* fails\.$/)).toBeVisible();
});

test('Why did customer X not get event Y?', async ({ page, person, account }) => {
  await person.search(account.deliveredId);
  await page.getByRole('combobox', { name: 'Endpoint' }).fill('ware');
  await person.click(page.getByRole('option', { name: /^Warehouse/ }));
  await expect(page.getByText('None of its patterns matches customer.paid: order.*.')).toBeVisible();
});

test('What is stuck, and behind what?', async ({ page, person, account }) => {
  const row = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').filter({ hasText: 'Ledger' });
  await person.click(row.getByRole('link', { name: 'Ledger', exact: true }));
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting).toContainText(`2 wait in line behind event ${account.blockingId}`);
});

test('Who changed this, and when?', async ({ page, person }) => {
  const row = page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ hasText: 'Billing' });
  await person.click(row.getByRole('link', { name: 'Billing', exact: true }));
  await person.click(page.getByRole('tab', { name: 'History' }));
  const changes = page.getByRole('region', { name: 'Changes of this endpoint' });
  await expect(changes.getByRole('row', { name: /Endpoint paused/ })).toContainText('production');
});

test('How near are we to our quota?', async ({ page, person }) => {
  await person.click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Usage' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await expect(page.getByText(`of ${MONTHLY_QUOTA}`).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Refused calls by day' })).toBeVisible();
  await expect(page.getByText('No call got 429 on these days.')).toHaveCount(0);
});

test('How do we rotate a key without downtime?', async ({ page, person, account, stack }) => {
  await person.click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'API keys' }));
  await person.click(page.getByRole('button', { name: 'Rotate production' }));
  const dialog = page.getByRole('dialog', { name: 'Rotate “production”' });
  await expect(dialog).toContainText(/Create\s*a new key/);
  await expect(dialog).toContainText(/Store\s*and deploy it/);
  await expect(dialog).toContainText(/Switch\s*then revoke the old one/);

  // Following the guide: both keys work until the old one is revoked.
  await dialog.getByLabel('Label').fill('production 2');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const next = await dialog.getByRole('region', { name: 'The new key' }).innerText();
  await dialog.getByLabel('I have stored it').check();
  await dialog.getByRole('button', { name: 'Next: watch the traffic' }).click();
  for (const key of [account.key, next]) {
    const answer = await fetch(`${stack.url}/api/v1/keys/self`, { headers: { Authorization: `Bearer ${key}` } });
    expect(answer.status).not.toBe(401);
  }
  await expect(dialog.getByRole('button', { name: /^Revoke the old key/ })).toBeVisible();
});

test('How do we resend what failed since 14:00?', async ({ page, person, account }) => {
  account.warehouse.answerWith(200);
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const row = attention.getByRole('listitem').filter({ hasText: 'Warehouse' });
  await person.click(row.getByRole('button', { name: 'Recover' }));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('3 deliveries match.')).toBeVisible();
  await dialog.getByLabel('From').fill(anHourAgo());
  await expect(dialog.getByText('3 deliveries match.')).toBeVisible();
  await person.click(dialog.getByRole('button', { name: 'Send again' }));
  const replay = page.getByRole('region', { name: /^Replay rpl_/ });
  await expect(replay).toContainText('3 delivered, 0 failed again, 0 open');
  expect(account.warehouse.requests).toHaveLength(6);
});
