import { axeViolations } from './support/axe';
import { expect, test } from './support/dashboard';

const ENDPOINTS = '/api/v1/webhooks/endpoints';

test('a shape and masks are chosen in the form, said in words, and seen in the bytes of the next delivery', async ({
  page,
  account,
  receiver,
  watch,
}) => {
  const { body: endpoint } = await account.call('POST', ENDPOINTS, { url: receiver.url });
  await page.goto(`/dashboard/endpoints/${endpoint.id}?tab=settings`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit endpoint' });
  await form.getByRole('button', { name: /^Options/ }).click();
  await form.getByRole('combobox', { name: 'Body' }).click();
  await page.getByRole('option', { name: 'CloudEvents 1.0, structured' }).click();
  await form.getByLabel('Only these members of data').fill('total');
  await form.getByLabel('Without these members of data').fill('customer.email\ncustomer.phone\n');
  await form.getByLabel('Spread of retries').fill('7');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('use one of the two');
  watch.forget();
  await form.getByLabel('Only these members of data').fill('');
  expect(await axeViolations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();

  const settings = page.getByRole('region', { name: 'Delivery settings' });
  await expect(settings).toContainText('The body is a CloudEvent 1.0.');
  await expect(settings).toContainText('Sends data without customer.email, customer.phone.');
  await expect(settings).toContainText('Each delay is up to 7 % longer.');
  const { options } = (await account.call('GET', `${ENDPOINTS}/${endpoint.id}`)).body as { options?: object };
  const masks = { include: null, exclude: ['customer.email', 'customer.phone'] };
  expect(options).toMatchObject({ body: 'cloudevents', retry_jitter: 0.07, ...masks });

  const data = { total: 1, customer: { name: 'Zoë', email: 'zoe@example.com' } };
  const { body: event } = await account.call('POST', '/api/v1/webhooks/events', { type: 'order.created', data });
  // What it shows is of that delivery, and not of the endpoint now.
  const [sent] = await receiver.waitFor(1);
  await account.call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { options: { body: 'data', exclude: null } });
  await page.goto(`/dashboard/events/${event.id}`);
  await expect(page.getByText('Attempt 1 succeeded')).toBeVisible();
  await page.getByText('Request and response').click();
  const body = page.getByRole('region', { name: /^Request body, as signed/ });
  expect(await body.innerText()).toBe(sent!.body.toString());
  expect(sent!.body.toString()).toContain('"data":{"total":1,"customer":{"name":"Zoë"}}');
  await expect(page.getByRole('region', { name: /^Request headers of attempt 1/ })).toContainText(
    'Content-Type: application/cloudevents+json',
  );
});
