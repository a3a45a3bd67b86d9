import { randomUUID } from 'node:crypto';
import type { Client } from 'openapi-fetch';
import { dataOf } from './answer.ts';
import { at, createList, type List, type ListQuery } from './list.ts';
import type {
  AcceptedEvent,
  BatchResult,
  Delivery,
  DeliveryPage,
  Endpoint,
  EndpointPage,
  EventPage,
  ListedEvent,
  NewEvent,
  paths,
  Replay,
  ReplayPage,
} from './schema.ts';

/** An event to send. An undefined key counts as absent. */
export type EventToSend = Omit<NewEvent, 'idempotency_key'> & { readonly idempotency_key?: string | undefined };

/** The calls for one account. */
export interface EverpostAccount {
  /** Every operation of the API by method and path, typed; each answers `{ data, error, response }`. */
  readonly api: Client<paths>;
  /**
   * Sends an event, with a new `idempotency_key` unless it has one, so that a retry never creates a second event.
   *
   * @throws EverpostError when it is refused, or the retries are used up
   */
  sendEvent(event: EventToSend): Promise<AcceptedEvent>;
  /**
   * Sends 1 to 100 events in one request, with a key for each.
   *
   * @returns the result of each event, in order: check `status`
   * @throws EverpostError when the batch as a whole is refused
   */
  sendEvents(events: readonly EventToSend[]): Promise<BatchResult[]>;
  /** The account's endpoints, newest first. */
  listEndpoints(query?: ListQuery<'listEndpoints'>): List<Endpoint, EndpointPage>;
  /** Events, newest first: `for await (const event of everpost.listEvents({ status: 'failed' }))`. */
  listEvents(query?: ListQuery<'listEvents'>): List<ListedEvent, EventPage>;
  /** Deliveries, newest first. */
  listDeliveries(query?: ListQuery<'listDeliveries'>): List<Delivery, DeliveryPage>;
  /** Bulk replays, newest first. */
  listReplays(query?: ListQuery<'listReplays'>): List<Replay, ReplayPage>;
}

/** Makes the calls for the account that the requests of `api` belong to. */
export function createAccount(api: Client<paths>): EverpostAccount {
  const withKey = (event: EventToSend): NewEvent => ({
    ...event,
    idempotency_key: event.idempotency_key ?? randomUUID(),
  });
  return {
    api,
    sendEvent: async (event) => dataOf(await api.POST('/api/v1/webhooks/events', { body: withKey(event) })),
    async sendEvents(events) {
      const body = { events: events.map(withKey) };
      return dataOf(await api.POST('/api/v1/webhooks/events/batch', { body })).results;
    },
    listEndpoints: ({ cursor, ...query } = {}) =>
      createList(
        cursor,
        async (from) => dataOf(await api.GET('/api/v1/webhooks/endpoints', at(query, from))),
        ({ endpoints }) => endpoints,
      ),
    listEvents: ({ cursor, ...query } = {}) =>
      createList(
        cursor,
        async (from) => dataOf(await api.GET('/api/v1/webhooks/events', at(query, from))),
        ({ events }) => events,
      ),
    listDeliveries: ({ cursor, ...query } = {}) =>
      createList(
        cursor,
        async (from) => dataOf(await api.GET('/api/v1/webhooks/deliveries', at(query, from))),
        ({ deliveries }) => deliveries,
      ),
    listReplays: ({ cursor, ...query } = {}) =>
      createList(
        cursor,
        async (from) => dataOf(await api.GET('/api/v1/webhooks/replays', at(query, from))),
        ({ replays }) => replays,
      ),
  };
}
