import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { axeViolations } from './support/axe';
import { callApi, createKey, expect, test } from './support/dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

test('an attempt shows the bytes that were signed, the response and the timings; its curl command repeats it', async ({
  page,
  stack,
  account: _signedIn,
  receiver,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const key = await createKey(page, 'exact');
  const call = (path: string, body: string) => callApi(stack.url, key, { method: 'POST', path, body });
  await call(ENDPOINTS, JSON.stringify({ url: `${receiver.url}?a=[1]`, options: { headers: { 'X-Tenant': 'blue' } } }));
  const data = `{ "n":12345678901234567890, "rate":1.0,"text":"it's $HOME \\u00e9" }`;
  const { body: event } = await call(EVENTS, `{"type":"order.created","data":${data}}`);
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  await page.getByText('Request and response').click();

  const [sent] = await receiver.waitFor(1);
  const region = (name: RegExp) => page.getByRole('region', { name });
  await expect(region(/^Request headers of attempt 1/)).toContainText('POST /hook?a=[1] HTTP/1.1');
  await expect(region(/^Request headers of attempt 1/)).toContainText(String(sent!.headers['x-webhook-signature']));
  await expect(region(/^Request headers of attempt 1/)).toContainText('X-Tenant: [hidden]');
  expect(await region(/^Request body, as signed/).innerText()).toBe(sent!.body.toString());
  await expect(region(/^Response headers/)).toContainText('HTTP/1.1 200');
  await expect(region(/^Response headers/)).toContainText('Date: ');
  await expect(region(/^Response body/)).toHaveText('answer 200');
  const timings = page.getByRole('table', { name: /^Timings of attempt 1/ });
  await expect(timings.getByRole('row', { name: /Until the status/ })).toContainText(/\d\sm?s/);
  await expect(page.getByText('Replace [hidden] by your own values')).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const running = promisify(execFile)('sh', ['-s']);
  running.child.stdin!.end(await page.evaluate(() => navigator.clipboard.readText()));
  await running;
  const [, repeated] = await receiver.waitFor(2);
  expect(repeated!.body.equals(sent!.body)).toBe(true);
  expect(repeated!.path).toBe('/hook?a=[1]');
  expect({ ...repeated!.headers, connection: 'keep-alive' }).toEqual({ ...sent!.headers, 'x-tenant': '[hidden]' });
});

test('one line says when the attempts to come are due, and when Everpost gives up', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith(503);
  await account.call('POST', ENDPOINTS, { url: receiver.url, options: { retry_schedule: [0, 600, 7_200] } });
  const { body: event } = await account.call('POST', EVENTS, { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('Attempt 1 failed')).toBeVisible();
  await expect(page.getByText(/^Attempt 2 (at|on) .*; gives up if attempt 3 (at|on) .* fails\.$/)).toBeVisible();
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the delivery' }).click();
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  await expect(page.getByText(/gives up/)).toHaveCount(0);
});

test('a delivery behind another event names it; one that waits for its rate says about how long', async ({
  page,
  account,
  receiver,
}) => {
  receiver.answerWith((_request, count) => (count === 1 ? 503 : 200));
  const url = receiver.url;
  await account.call('POST', ENDPOINTS, { url, events: ['line'], options: { ordered: true } });
  const { body: first } = await account.call('POST', EVENTS, { type: 'line', data: {} });
  await page.goto(`/dashboard/events/${first.id}`);
  await expect(page.getByText('Attempt 1 failed')).toBeVisible();
  const { body: second } = await account.call('POST', EVENTS, { type: 'line', data: {} });
  await page.goto(`/dashboard/events/${second.id}`);
  await page
    .getByText('Waiting: behind')
    .getByRole('link', { name: `event ${first.id}` })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: `Event ${first.id}` })).toBeVisible();

  await account.call('POST', ENDPOINTS, { url, events: ['rate'], options: { max_per_second: 0.1 } });
  const ids = [];
  for (const n of [1, 2, 3]) ids.push((await account.call('POST', EVENTS, { type: 'rate', data: { n } })).body.id);
  await page.goto(`/dashboard/events/${ids[2]}`);
  await expect(
    page.getByText(/Waiting: the endpoint or its receiver has reached its rate limit, about \d+\ss/),
  ).toBeVisible();
});

test('an operator finds the execution of a delivery, and is told when it has none', async ({
  page,
  stack,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: receiver.url });
  const { body: delivered } = await account.call('POST', EVENTS, { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${delivered.id}`);
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  await expect(page.getByText(/Temporal/)).toHaveCount(0);

  await stack.mongo.db.collection('users').updateOne({ email: account.email }, { $set: { operator: true } });
  await page.reload();
  await expect(page.getByRole('link', { name: 'Execution in Temporal' })).toHaveAttribute(
    'href',
    new RegExp(`/workflows/delivery%2F${delivered.id}%2F${endpoint.id}$`),
  );

  // As an express first attempt is recorded.
  await stack.mongo.db
    .collection('attempts')
    .updateOne({ event_id: Number(delivered.id) }, { $set: { 'answer.express': true } });
  await page.reload();
  await expect(page.getByText('No execution in Temporal: Everpost made its attempts itself (express)')).toBeVisible();

  await account.call('POST', `${ENDPOINTS}/${endpoint.id}/pause`);
  const { body: held } = await account.call('POST', EVENTS, { type: 'a.b', data: {} });
  await page.goto(`/dashboard/events/${held.id}`);
  await expect(page.getByText('No execution in Temporal yet')).toBeVisible();
});

test('a delivery with many attempts shows the newest 100, and loads the older ones on demand', async ({
  page,
  stack,
  account,
  receiver,
}) => {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: receiver.url });
  const { body: event } = await account.call('POST', EVENTS, { type: 'many.attempts', data: {} });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  const attempts = stack.mongo.db.collection<{ _id: string; answer: { started_at: Date; sealed?: unknown } }>(
    'attempts',
  );
  const made = (await attempts.findOne({ _id: `${event.id}.${endpoint.id}/1/1` }))!;
  // A sealed answer can only be opened in its place.
  const { sealed: _sealed, ...answer } = made.answer;
  // As 50 replays of three attempts each would have left them.
  const copies = Array.from({ length: 150 }, (_, index) => {
    const [run, number] = [2 + Math.floor(index / 3), 1 + (index % 3)];
    const startedAt = new Date(made.answer.started_at.getTime() + index + 1);
    return {
      ...made,
      _id: `${event.id}.${endpoint.id}/${run}/${number}`,
      run,
      number,
      answer: { ...answer, response_snippet: 'ok', started_at: startedAt },
    };
  });
  await attempts.insertMany(copies);

  await page.reload();
  const shown = page.getByRole('region', { name: /^Delivery / }).getByText(/^Attempt \d+ succeeded$/);
  await expect(page.getByText('The newest 100 of 151 attempts')).toBeVisible();
  await expect(shown).toHaveCount(100);
  expect(await axeViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Show older' }).click();

  await expect(page.getByText('All 151 attempts')).toBeVisible();
  await expect(shown).toHaveCount(151);
  await expect(page.getByRole('button', { name: 'Show older' })).toHaveCount(0);
});
