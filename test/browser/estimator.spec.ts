import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { apiClient } from '../support/api-client';
import { axeViolations } from './support/axe';
import { expect, test } from './support/test';

/** A line of each kind of input, from the worked lines of the price rules. */
const LIST =
  '#v1&aws/EC2/t3.medium/2/730&aws/S3/Standard/1/500&gcp/Network%20Egress/Premium%20tier%20internet/2/250' +
  '&aws/Lambda/Requests/2.5/&azure/Defender%20for%20Cloud/Servers%20Plan%202/5/';
const ITEMS = [
  { provider: 'aws', service: 'EC2', instance: 't3.medium', quantity: 2, hoursPerMonth: 730 },
  { provider: 'aws', service: 'S3', instance: 'Standard', quantity: 1, gbPerMonth: 500 },
  { provider: 'gcp', service: 'Network Egress', instance: 'Premium tier internet', quantity: 2, gbPerMonth: 250 },
  { provider: 'aws', service: 'Lambda', instance: 'Requests', quantity: 2.5 },
  { provider: 'azure', service: 'Defender for Cloud', instance: 'Servers Plan 2', quantity: 5 },
];

const PHONE = { width: 390, height: 844 };

const monthly = (page: Page): Locator => page.getByTestId('total-monthly');
const annual = (page: Page): Locator => page.getByTestId('total-annual');
const listed = (page: Page, name: string): Locator => page.getByRole('listitem', { name, exact: true });

async function open(page: Page, hash = ''): Promise<void> {
  await page.goto(`/estimator${hash}`);
  await expect(page.getByRole('heading', { name: 'Your list' })).toBeVisible();
}

test('the catalog can be searched, and filtered by provider and category', async ({ page }) => {
  await open(page);
  await expect(page.getByText('216 prices')).toBeVisible();
  await page.getByRole('searchbox').fill('8 gib arm');
  await expect(page.getByRole('button', { name: 'Add AWS EC2 m7g.large' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add AWS EC2 m5.large' })).toBeHidden();
  await page.getByRole('searchbox').fill('');
  await page.getByRole('radiogroup', { name: 'Provider' }).getByText('Azure', { exact: true }).click();
  await page.getByLabel('Category').selectOption('CDN');
  await expect(page.getByText('4 of 216 prices')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add Azure Front Door/ })).toHaveCount(4);
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByText('No price matches all of these words.')).toBeVisible();
});

test('the catalog is ordered by size, and found by what another provider calls it', async ({ page }) => {
  await open(page);
  const search = page.getByRole('searchbox');
  const machines = page.getByRole('button', { name: /^Add AWS EC2 t/ });
  await search.fill('ec2 burstable');
  await expect(machines).toHaveCount(3);
  expect(await machines.evaluateAll((buttons) => buttons.map((button) => button.ariaLabel))).toEqual([
    'Add AWS EC2 t3.micro',
    'Add AWS EC2 t3.medium',
    'Add AWS EC2 t4g.medium',
  ]);
  for (const [words, services] of [
    ['kafka', ['AWS Kinesis Data Streams', 'Azure Event Hubs', 'Google Cloud Pub/Sub']],
    ['kubernetes', ['AWS EKS', 'Azure AKS', 'Google Cloud GKE']],
    ['sqs', ['AWS SQS', 'Azure Service Bus', 'Google Cloud Pub/Sub']],
  ] as const) {
    await search.fill(words);
    for (const service of services)
      await expect(page.getByRole('heading', { name: `${service} ` }).first()).toBeVisible();
    await expect(page.getByText(/of 216 prices, also under other names$/)).toBeVisible();
  }
});

test('machines are sorted by vCPU, memory and price, both ways', async ({ page }) => {
  await open(page);
  await page.getByLabel('Category').selectOption('Compute');
  await expect(page.getByText('27 of 216 prices')).toBeVisible();
  const headings = page.getByRole('region', { name: 'Catalog' }).getByRole('heading', { level: 3 });
  const first = page.getByRole('button', { name: /^Add / }).first();
  await page.getByLabel('Sort by').selectOption('vCPU');
  await expect(headings).toHaveText(['1 vCPU', '2 vCPU', '4 vCPU', '8 vCPU']);
  await expect(first).toHaveAccessibleName('Add Azure Virtual Machines B1s');
  await page.getByRole('button', { name: 'Largest first' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Largest first', pressed: true })).toBeFocused();
  await expect(headings).toHaveText(['8 vCPU', '4 vCPU', '2 vCPU', '1 vCPU']);
  await page.getByLabel('Sort by').selectOption('Memory');
  await expect(headings.first()).toHaveText('64 GiB of memory');
  await page.getByLabel('Sort by').selectOption('Price');
  await expect(headings).toHaveText(['per hour']);
  await page.getByRole('button', { name: 'Largest first' }).click();
  await expect(first).toHaveAccessibleName('Add Google Cloud Compute Engine e2-micro');
  await expect(page.getByText('Google Cloud Compute Engine').first()).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);
});

test('each price unit shows exactly its inputs, with the unit spelled out', async ({ page }) => {
  await open(page, LIST);
  const fieldsOf = (name: string) =>
    listed(page, name)
      .getByRole('textbox')
      .evaluateAll((fields) => fields.map((field) => field.getAttribute('aria-label')?.split(',')[0]));
  expect(await fieldsOf('AWS EC2 t3.medium')).toEqual(['Instances', 'Hours a month']);
  expect(await fieldsOf('AWS S3 Standard')).toEqual(['Volumes or buckets', 'GB a month of each']);
  expect(await fieldsOf('AWS Lambda Requests')).toEqual(['Million requests']);
  expect(await fieldsOf('Azure Defender for Cloud Servers Plan 2')).toEqual(['Servers']);
  await expect(listed(page, 'AWS Lambda Requests')).toContainText('= 2,500,000 requests');
});

test('typing changes the total at once, without calling the API', async ({ page, watch }) => {
  await open(page, LIST);
  await expect(page.getByRole('button', { name: /source of AWS EC2 t3.medium$/ })).toHaveCount(2);
  await expect(monthly(page)).toHaveText('$205.74');
  await expect(annual(page)).toHaveText('$2,468.88');
  expect(watch.apiCalls.filter((call) => !call.includes('/dashboard/'))).toEqual([
    'GET /api/cost-estimator',
    'GET /api/cost-estimator/sources',
  ]);
  const before = watch.apiCalls.length;
  const hours = page.getByLabel('Hours a month, AWS EC2 t3.medium');
  for (const text of ['1', '12', '123']) await hours.fill(text);
  await page.getByLabel('Instances, AWS EC2 t3.medium').fill('1000');
  await expect(monthly(page)).toHaveText('$5,261.80');
  await page.getByRole('button', { name: 'Add AWS EC2 m5.large' }).click();
  await page.getByRole('button', { name: 'Remove AWS S3 Standard' }).click();
  await expect(monthly(page)).toHaveText('$5,320.38');
  expect(watch.apiCalls).toHaveLength(before);
});

test('a problem appears at its field, and its line is not counted', async ({ page }) => {
  await open(page, LIST);
  const hours = page.getByLabel('Hours a month, AWS EC2 t3.medium');
  await hours.fill('745');
  await expect(hours).toHaveAttribute('aria-invalid', 'true');
  await expect(hours).toHaveAccessibleDescription('Must be a number from 0 to 744');
  await expect(monthly(page)).toHaveText('$145.00');
  await expect(page.getByText('1 of 5 lines are not counted')).toBeVisible();
  await page.getByLabel('Million requests, AWS Lambda Requests').fill('');
  await expect(page.getByText('2 of 5 lines are not counted')).toBeVisible();
  await hours.fill('744');
  await expect(hours).not.toHaveAttribute('aria-invalid', 'true');
});

test('a number that can not be read stays as it was typed, and the sum says that it is incomplete', async ({
  page,
}) => {
  await open(page, LIST);
  const instances = page.getByLabel('Instances, AWS EC2 t3.medium');
  const total = page.getByRole('region', { name: 'Total' });
  await expect(total).not.toContainText('incomplete');
  for (const [typed, problem] of [
    ['1e6', 'Write all its digits: 1000000'],
    ['-3', 'Must be a number from 0 to 1,000,000,000'],
    ['0,5', 'Write decimals with a point: 0.5'],
    ['five', '“five” is not a number; type one such as 1500 or 0.5'],
  ] as const) {
    await instances.fill('');
    await instances.pressSequentially(typed);
    await expect(instances).toHaveValue(typed);
    await expect(instances).toHaveAttribute('aria-invalid', 'true');
    await expect(instances).toHaveAccessibleDescription(problem);
    await expect(total).toContainText('A month, incomplete');
    await expect(monthly(page)).toHaveText('$145.00');
  }
  await expect(page.getByTestId('announcement')).toContainText('5 lines, 1 not counted, $145.00 a month');
  await expect(page.getByText('or are not counted')).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByText('Incomplete: without 1 of 5 lines')).toBeVisible();
  await page.keyboard.press('Escape');
  // The address keeps it too, so that a copied link shows the same.
  await expect(page).toHaveURL(/EC2\/t3\.medium\/five\/730/);
  await page.reload();
  await expect(instances).toHaveValue('five');
  await instances.fill('1,000');
  await expect(monthly(page)).toHaveText('$30,513.00');
  await expect(total).not.toContainText('incomplete');
});

test('a link opens the same list in another browser', async ({ page, browser, stack, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await page.getByRole('button', { name: 'Functions on Azure' }).click();
  await page.getByLabel('Million invocations, Azure Functions Executions').fill('7.25');
  const total = await monthly(page).textContent();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(new RegExp(`^${stack.url}/estimator#v1&azure/Functions/Executions/7\\.25/&`));
  await expect(page).toHaveURL(link);

  const other = await browser.newPage();
  await other.goto(link);
  await expect(monthly(other)).toHaveText(total!);
  await expect(other.getByLabel('Million invocations, Azure Functions Executions')).toHaveValue('7.25');
  await other.close();
});

test('a broken link shows the readable part, and says what was lost', async ({ page }) => {
  await open(page, '#v1&aws/EC2/t3.medium/<script>/730&aws/Nope/x/1/1&%E0%A4%A&gcp/GKE/cluster%20MANAGEMENT/1/730');
  await expect(page.getByRole('alert')).toContainText('2 lines of the link could not be read');
  await expect(page.getByLabel('Instances, AWS EC2 t3.medium')).toHaveValue('<script>');
  await expect(listed(page, 'Google Cloud GKE Cluster management')).toBeVisible();
  await expect(monthly(page)).toHaveText('$73.00');
});

test('the list survives a visit to another page', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'A web shop on AWS' }).click();
  await expect(page).toHaveURL(/#v1&aws/);
  const total = await monthly(page).textContent();
  await page.goto('/dashboard/sign-in');
  await page.getByRole('link', { name: 'Estimator' }).click();
  await expect(monthly(page)).toHaveText(total!);
});

test('the list exports as CSV, as JSON, and as a command that gives the same answer', async ({ page, stack }) => {
  await open(page, LIST);
  const exportAs = async (name: string): Promise<string> => {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name }).click();
    return readFile(await (await download).path(), 'utf8');
  };
  expect((await exportAs('CSV for a spreadsheet')).split('\r\n')).toHaveLength(1 + ITEMS.length + 2);
  const { request, response } = JSON.parse(await exportAs('JSON'));
  expect(request.items).toEqual(ITEMS);
  const { body } = await apiClient(stack.url).post('/api/cost-estimator', request);
  expect({ ...body, generatedAt: response.generatedAt }).toEqual(response);

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'As a curl command' }).click();
  const command = await page.getByTestId('curl').textContent();
  const { stdout } = await promisify(execFile)('sh', ['-c', command!]);
  expect(JSON.parse(stdout).totalMonthlyUsd).toBe(205.74);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the list is compared between providers, with the equivalents that the user chooses', async ({ page, stack }) => {
  await open(page, '#v1&azure/Virtual%20Machines/D2s_v5/2/730&azure/Defender%20for%20Cloud/Servers%20Plan%202/5/');
  await expect(page.getByText('These totals are of 1 of 2 lines')).toBeVisible();
  await expect(page.getByTestId('compare-azure')).toHaveText('$140.16');
  const offer = page.getByLabel('AWS instead of Virtual Machines D2s_v5');
  await expect(offer).toHaveValue('EC2 / m5.large');
  await expect(page.getByText('A virtual machine: 2 x86 vCPUs (threads of a core)').first()).toBeVisible();
  await expect(page.getByText('No equivalent: it counts events, or the catalog has no such service.')).toHaveCount(2);
  await offer.selectOption('EC2 / m7i.large');
  const { body } = await apiClient(stack.url).post('/api/cost-estimator', {
    items: [{ provider: 'aws', service: 'EC2', instance: 'm7i.large', quantity: 2 }],
  });
  await expect(page.getByTestId('compare-aws')).toHaveText(`$${body.totalMonthlyUsd.toFixed(2)}`);
  await offer.selectOption('Nothing');
  await expect(page.getByText('there is no total to compare')).toBeVisible();
});

test('discounts by provider and category lower lines and totals, and go along with links and exports', async ({
  page,
}) => {
  await open(page, LIST);
  const region = page.getByRole('region', { name: 'Discounts' });
  const add = region.getByRole('button', { name: 'Add a discount' });
  await add.focus();
  await page.keyboard.press('Enter');
  // The keyboard goes on in the new row.
  await expect(region.getByLabel('Provider')).toBeFocused();
  await region.getByLabel('Provider').selectOption('AWS');
  await expect(region.getByLabel('Percent off AWS')).toHaveAccessibleDescription(/Must be a number from 0 to 100/);
  await expect(page.getByText('1 of 1 discounts are not counted')).toBeVisible();
  await region.getByLabel('Percent off AWS').fill('20');
  await expect(region.getByText('on 3 of 5 lines')).toBeVisible();
  await expect(listed(page, 'AWS EC2 t3.medium')).toContainText('$48.59$60.74 less 20%');
  await expect(monthly(page)).toHaveText('$191.19');
  await expect(page.getByTestId('total-discounts')).toHaveText('$205.74 at list prices, $14.55 off');

  await add.click();
  const second = region.getByRole('listitem').nth(1);
  await second.getByLabel('Category').selectOption('Compute');
  await second.getByRole('textbox').fill('12,5');
  await expect(second.getByRole('textbox')).toHaveAccessibleDescription(/Write decimals with a point: 12.5/);
  await expect(page.getByRole('region', { name: 'Total' })).toContainText('A month, incomplete');
  await second.getByRole('textbox').fill('12.5');
  await expect(listed(page, 'AWS EC2 t3.medium')).toContainText('$42.52$60.74 less 30%');
  await expect(monthly(page)).toHaveText('$185.12');
  await expect(page.getByRole('table').getByRole('row', { name: /^Compute/ })).toContainText('$42.52');
  await expect(page.getByText('Your discounts are taken off.')).toBeVisible();

  await expect(page).toHaveURL(/#v1&discount\/aws\/all\/20&discount\/all\/compute\/12\.5&aws\/EC2/);
  await page.reload();
  await expect(monthly(page)).toHaveText('$185.12');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'JSON' }).click();
  const file = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  expect([file.response.totalMonthlyUsd, file.discounted.totalMonthlyUsd, file.discounts]).toEqual([
    205.74,
    185.12,
    [
      { provider: 'aws', category: 'all', percent: 20 },
      { provider: 'all', category: 'compute', percent: 12.5 },
    ],
  ]);
  await page.getByRole('button', { name: 'Remove the discount on AWS' }).click();
  await expect(page.getByRole('heading', { name: 'Discounts' })).toBeFocused();
  await expect(page.getByTestId('announcement')).toContainText('Removed the discount.');
});

test('what was cleared or removed can be brought back', async ({ page }) => {
  await open(page, `${LIST}&discount/aws/all/20`);
  await page.getByLabel('Instances, AWS EC2 t3.medium').fill('1e6');
  await expect(monthly(page)).toHaveText('$142.60');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(monthly(page)).toHaveText('$0.00');
  await expect(page.getByText('Removed 5 lines and 1 discount.')).toBeVisible();
  await expect(page.getByTestId('announcement')).toContainText('The list is empty. It can be undone.');
  // The next thing that the keyboard comes to.
  await expect(page.getByRole('heading', { name: 'Your list' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(monthly(page)).toHaveText('$142.60');
  await expect(page.getByLabel('Instances, AWS EC2 t3.medium')).toHaveValue('1e6');
  await expect(page.getByLabel('Percent off AWS')).toHaveValue('20');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
  await expect(page).toHaveURL(/#v1&discount\/aws\/all\/20&aws\/EC2\/t3\.medium\/1e6/);

  await page.getByRole('button', { name: 'Remove AWS S3 Standard' }).click();
  await expect(page.getByText('Removed 1 line.')).toBeVisible();
  // What is done next is not undone with it.
  await page.getByRole('button', { name: 'Add AWS EC2 m5.large' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
});

test('each price says its date, and opens its source', async ({ page }) => {
  await open(page, LIST);
  const date = listed(page, 'AWS EC2 t3.medium').getByRole('button', { name: /source of AWS EC2 t3.medium/ });
  await expect(date).toHaveText('2026-07-20');
  await date.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'AWS EC2 t3.medium' });
  await expect(dialog.getByRole('row')).toHaveText([
    'Price$0.0416 per hour, us-east-1',
    'Date2026-07-20',
    /^Sourceaws\/karpenter-provider-aws:/,
    /^How it was derivedgenerated 2026-07-20/,
    /^GradeA: a line of a named public repository/,
  ]);
  expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(date).toBeFocused();
  const catalog = page.getByRole('region', { name: 'Catalog' });
  await expect(catalog.getByRole('button', { name: /, source of / })).toHaveCount(216);
});

test('on paper there are the list and its sources, dark on white, and nothing to press', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, `${LIST}&discount/aws/all/20`);
  await expect(listed(page, 'AWS EC2 t3.medium').getByRole('button', { name: /source of/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Sources of the prices' })).toBeHidden();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('heading', { name: 'Sources of the prices' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Sources of the prices' }).getByRole('listitem')).toHaveCount(5);
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('searchbox'),
    page.getByRole('button', { name: /^(Export|Copy link|Clear|Remove .*|Add .*)$/ }).first(),
  ])
    await expect(hidden).toBeHidden();
  await expect(page.getByRole('button').filter({ visible: true })).toHaveText(
    Array.from({ length: 5 }, () => /^20\d\d-\d\d-\d\d$|^undated$/),
  );
  await expect(page.getByLabel('Instances, AWS EC2 t3.medium')).toHaveValue('2');
  const colors = await monthly(page).evaluate((figure) => {
    const card = figure.closest('section')!;
    return [getComputedStyle(figure).color, getComputedStyle(card).backgroundColor];
  });
  expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  // A sheet of A4.
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1_000);
});

test('the chart has a table with the same figures', async ({ page }) => {
  await open(page, LIST);
  const chart = page.getByRole('figure', { name: 'Cost by category' });
  await chart.hover({ position: { x: 200, y: 60 } });
  await expect(chart.getByTestId('pointed-at')).toHaveText('SecurityAWS$0.00Azure$73.00Google Cloud$0.00');
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveText([
    'CategoryAWSAzureGoogle CloudTotal',
    'Security–$73.00–$73.00',
    'Compute$60.74––$60.74',
    'Networking––$60.00$60.00',
    'Storage$11.50––$11.50',
    'Serverless$0.50––$0.50',
  ]);
});

test('everything works with the keyboard, and the total is announced', async ({ page }) => {
  await open(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('t3.medium');
  const add = page.getByRole('button', { name: 'Add AWS EC2 t3.medium' });
  await expect(page.getByText('1 of 216 prices')).toBeVisible();
  for (let presses = 0; presses < 6 && !(await add.evaluate((button) => button === document.activeElement)); presses++)
    await page.keyboard.press('Tab');
  await expect(add).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('announcement')).toHaveText('Added AWS EC2 t3.medium. 1 line, $30.37 a month.');
  await page.getByLabel('Instances, AWS EC2 t3.medium').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('3');
  await expect(page.getByTestId('announcement')).toContainText('$91.10 a month');
  await page.getByRole('button', { name: 'Remove AWS EC2 t3.medium' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your list' })).toBeFocused();
  await expect(page.getByTestId('announcement')).toHaveText('Removed. 0 lines, $0.00 a month.');
});

test('the list ends at a hundred lines', async ({ page }) => {
  await open(page, `#v1${'&aws/S3/Standard/1/1'.repeat(100)}`);
  await expect(page.getByText('The list is full')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add AWS EC2 t3.medium' })).toBeDisabled();
  await expect(monthly(page)).toHaveText('$2.30');
});

test('without a catalog the page says so, and retries', async ({ page, watch }) => {
  await page.route('**/api/cost-estimator', (route) =>
    route.fulfill({ status: 400, json: { error: 'Not today.', code: 'x', request_id: 'req_1' } }),
  );
  await page.goto('/estimator');
  await expect(page.getByText('Not today.')).toBeVisible();
  await page.unroute('**/api/cost-estimator');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('216 prices')).toBeVisible();
  watch.forget();
});

test('it works on a phone', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page);
  await page.getByRole('button', { name: 'Add a service' }).click();
  const catalog = page.getByRole('dialog');
  await catalog.getByLabel('Sort by').selectOption('Memory');
  await expect(catalog.getByRole('heading', { name: '64 GiB of memory' })).toBeAttached();
  await catalog.getByLabel('Sort by').selectOption('Service');
  await catalog.getByRole('searchbox').fill('postgres');
  await catalog.getByRole('button', { name: 'Add AWS RDS for PostgreSQL db.t3.large' }).click();
  await expect(catalog.getByText('on your list')).toBeVisible();
  await catalog.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Instances, AWS RDS for PostgreSQL db.t3.large').fill('2');
  await expect(monthly(page)).toHaveText('$211.70');
  await expect(page.getByText('No equivalent:').first()).toBeAttached();
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBeLessThanOrEqual(0);
  const breakdown = page.getByRole('region', { name: 'Cost by category' });
  await breakdown.evaluate((section) => section.scrollIntoView());
  await expect(breakdown.getByRole('cell', { name: '$211.70' })).toBeInViewport({ ratio: 1 });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no problem, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    expect(await axeViolations(page)).toEqual([]);
    await page.goto('about:blank');
    await open(page, LIST);
    await page.getByLabel('Hours a month, AWS EC2 t3.medium').fill('9999');
    await page.getByRole('button', { name: 'Add a discount' }).click();
    await page.getByLabel('Percent off everything').fill('10');
    await page.getByRole('button', { name: 'Add a discount' }).click();
    await expect(page.getByRole('figure', { name: 'Cost by category' })).toBeAttached();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('menuitem', { name: 'JSON' })).toBeVisible();
    expect(await axeViolations(page, '[role=menu]')).toEqual([]);
    await page.getByRole('menuitem', { name: 'As a curl command' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  });

  test(`axe finds no problem on a phone, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(PHONE);
    await open(page, `${LIST}&discount/aws/all/20&discount/aws/all/x`);
    await expect(page.getByText('on 3 of 5 lines')).toHaveCount(2);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add a service' }).click();
    await expect(page.getByRole('dialog').getByText('216 prices')).toBeVisible();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  });
}
