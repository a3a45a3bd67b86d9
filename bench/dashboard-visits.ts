import type { Page } from '@playwright/test';

/** What a person does on a page: where it is, and what then. */
export interface Visit {
  readonly page: string;
  readonly path: string;
  readonly then?: (page: Page) => Promise<void>;
}

/** What the lists of the account link to. */
export interface Found {
  /** Of an event that failed. */
  readonly eventId: string;
  /** The oldest one: it has deliveries in every state. */
  readonly endpointId: string;
  /** Of the newest bulk replay. */
  readonly replayId: string;
}

/** What people do on the pages beyond opening them. */
export function visitsOf({ eventId, endpointId, replayId }: Found): Visit[] {
  const older = (page: Page) => page.getByRole('button', { name: 'Show older' }).click();
  const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
  const search = (text: string): Visit => ({
    page: `Search: ${text === eventId ? 'event id' : text}`,
    path: '/dashboard/settings',
    then: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(text);
    },
  });
  const filtered = (page: string, path: string, filters: readonly string[]): Visit[] =>
    filters.map((filter) => ({
      page: `${page}: ${filter.replaceAll(/(ep|rpl)_[0-9a-z]{26}/g, '…')}`,
      path: `${path}?${filter}`,
    }));
  return [
    { page: 'Overview: 7 days', path: '/dashboard', then: (page) => page.getByText('7 days', { exact: true }).click() },
    { page: 'Events: older', path: '/dashboard/events', then: older },
    { page: 'Deliveries: older', path: '/dashboard/deliveries', then: older },
    { page: 'Audit log: older', path: '/dashboard/audit', then: older },
    ...filtered('Events', '/dashboard/events', [
      ...['pending', 'retrying', 'delivered', 'failed', 'partially_failed', 'cancelled'].map((it) => `status=${it}`),
      'type=order.created',
      'type=order.*',
      'type=order.*&status=failed',
      'type=refund.closed&status=partially_failed',
      'data=customer_id:cus_77',
      'idempotency_key=ord_77_order.created',
      'last=1h',
      'last=7d&status=failed',
    ]),
    ...filtered('Deliveries', '/dashboard/deliveries', [
      ...['pending', 'retrying', 'delivered', 'failed', 'cancelled', 'open'].map((it) => `state=${it}`),
      `endpoint_id=${endpointId}`,
      `endpoint_id=${endpointId}&state=failed`,
      `endpoint_id=${endpointId}&type=refund.closed&state=cancelled`,
      `replay_id=${replayId}`,
      `replay_id=${replayId}&state=failed`,
      'type=order.*&state=failed',
    ]),
    { page: 'Replays: new', path: '/dashboard/replays', then: press('New replay') },
    { page: 'Endpoints: new', path: '/dashboard/endpoints', then: press('New endpoint') },
    { page: 'Endpoint: recover', path: `/dashboard/endpoints/${endpointId}`, then: press('Recover') },
    ...[eventId, 'ord_77_order.created', 'cus_77', 'data.order_id = ord_77', 'order.*', 'Endpoint 12', 'nothing'].map(
      search,
    ),
  ];
}
