import { buildReceiver, type Receiver } from '../../support/build-receiver';
import type { Stack } from '../../support/build-stack';
import { eventually } from '../../support/eventually';
import { PASSWORD, signedUp, type Browser } from '../../dashboard/browser';
import { callApi, type ApiAnswer } from './dashboard';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

/** The calls that an account may make in a minute, so that a test can use them up. */
export const PER_MINUTE = 40;
export const MONTHLY_QUOTA = 200;

/** An account with a bit of everything that goes wrong, on real receivers. */
export interface TroubledAccount {
  /** Signed in as the owner, beside the browser under test. */
  readonly browser: Browser;
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
  readonly userId: string;
  readonly key: string;
  readonly keyId: string;
  readonly warehouseId: string;
  readonly shopId: string;
  /** The endpoint that is paused. */
  readonly billingId: string;
  /** Answers 500, until a test changes it. Three of its deliveries have failed. */
  readonly warehouse: Receiver;
  /** Answers 200. */
  readonly shop: Receiver;
  /** The event of customer `cus_42` that the shop took. */
  readonly deliveredId: string;
  /** An event whose endpoint has a name that doesn't resolve; its next attempt is in ten minutes. */
  readonly waitingId: string;
  /** The first event of an ordered endpoint, which fails; two others wait behind it. */
  readonly blockingId: string;
  close(): Promise<void>;
}

/** Builds the account: its endpoints fail, have no address, are paused, or work; its key has used up its minute. */
export async function buildTroubledAccount(stack: Stack): Promise<TroubledAccount> {
  const { browser, email, accountId, userId } = await signedUp(stack);
  await browser.patch('/search-fields', { search_fields: ['customer_id'] });
  const { key, id: keyId } = (await browser.post('/keys', { product: 'weh', label: 'production' })).body;
  const call = (method: string, path: string, body?: unknown): Promise<ApiAnswer> =>
    callApi(stack.url, key, { method, path, body });
  const [warehouse, shop, ledger] = [await buildReceiver(500), await buildReceiver(200), await buildReceiver(503)];
  const add = async (description: string, url: string, more: object): Promise<string> =>
    String((await call('POST', ENDPOINTS, { url, description, ...more })).body.id);
  const send = async (type: string, data: object): Promise<string> =>
    String((await call('POST', EVENTS, { type, data })).body.id);

  const warehouseId = await add('Warehouse', warehouse.url, { events: ['order.*'], options: { retry_schedule: [0] } });
  const shopId = await add('Shop', shop.url, { events: ['customer.*'] });
  const retrySchedule = { retry_schedule: [0, 600, 7_200] };
  await add('Old CRM', 'http://crm.everpost.invalid/in', { events: ['contact.*'], options: retrySchedule });
  await add('Ledger', ledger.url, { events: ['entry.*'], options: { ...retrySchedule, ordered: true } });
  const billingId = await add('Billing', shop.url, { events: ['invoice.*'] });
  await call('POST', `${ENDPOINTS}/${billingId}/pause`);
  for (const order_id of ['ord_1', 'ord_2', 'ord_3']) await send('order.created', { order_id });
  const deliveredId = await send('customer.paid', { customer_id: 'cus_42', total: 19.99 });
  const waitingId = await send('contact.changed', { contact_id: 'con_7' });
  const blockingId = await send('entry.booked', { entry_id: 'ent_1' });
  for (const entry_id of ['ent_2', 'ent_3']) await send('entry.booked', { entry_id });
  for (const invoice_id of ['inv_1', 'inv_2']) await send('invoice.created', { invoice_id });

  const statesOf = async (query: string): Promise<string[]> => {
    const { deliveries } = (await browser.get(`/webhooks/deliveries?${query}`)).body;
    return deliveries.map(({ state }: { state: string }) => state);
  };
  await eventually(
    () => statesOf('state=failed'),
    (found) => found.length === 3,
  );
  await eventually(
    () => statesOf('state=delivered'),
    (found) => found.length === 1,
  );
  await eventually(
    () => statesOf('state=retrying'),
    (found) => found.length === 2,
  );
  await eventually(
    () => call('GET', '/api/v1/keys/self'),
    ({ status }) => status === 429,
  );
  return {
    browser,
    email,
    password: PASSWORD,
    accountId,
    userId,
    key,
    keyId,
    warehouseId,
    shopId,
    billingId,
    warehouse,
    shop,
    deliveredId,
    waitingId,
    blockingId,
    close: async () => {
      await Promise.all([warehouse.close(), shop.close(), ledger.close()]);
    },
  };
}
