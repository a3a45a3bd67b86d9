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
  readonly events: {
    /**
     * Sends an event, with a new `idempotency_key` unless it has one, so that a retry never creates a second event.
     *
     * @throws EverpostError when it is refused, or the retries are used up
     */
    send(event: EventToSend): Promise<AcceptedEvent>;
    /**
     * Sends 1 to 100 events in one request, with a key for each.
     *
     * @returns the result of each event, in order: check `status`
     * @throws EverpostError when the batch as a whole is refused
     */
    sendBatch(events: readonly EventToSend[]): Promise<BatchResult[]>;
    /** Events, newest first: `for await (const event of everpost.events.list({ status: 'failed' }))`. */
    list(query?: ListQuery<'listEvents'>): List<ListedEvent, EventPage>;
  };
  /** Newest first. */
  readonly endpoints: { list(query?: ListQuery<'listEndpoints'>): List<Endpoint, EndpointPage> };
  /** Newest first. */
  readonly deliveries: { list(query?: ListQuery<'listDeliveries'>): List<Delivery, DeliveryPage> };
  /** Bulk replays, newest first. */
  readonly replays: { list(query?: ListQuery<'listReplays'>): List<Replay, ReplayPage> };
}

/** Makes the calls for the account that the requests of `api` belong to. */
export function createAccount(api: Client<paths>): EverpostAccount {
  const withKey = (event: EventToSend): NewEvent => ({
    ...event,
    idempotency_key: event.idempotency_key ?? randomUUID(),
  });
  return {
    api,
    events: {
      send: async (event) => dataOf(await api.POST('/api/v1/webhooks/events', { body: withKey(event) })),
      async sendBatch(events) {
        const body = { events: events.map(withKey) };
        return dataOf(await api.POST('/api/v1/webhooks/events/batch', { body })).results;
      },
      list: ({ cursor, ...query } = {}) =>
        createList(
          cursor,
          async (from) => dataOf(await api.GET('/api/v1/webhooks/events', at(query, from))),
          ({ events }) => events,
        ),
    },
    endpoints: {
      list: ({ cursor, ...query } = {}) =>
        createList(
          cursor,
          async (from) => dataOf(await api.GET('/api/v1/webhooks/endpoints', at(query, from))),
          ({ endpoints }) => endpoints,
        ),
    },
    deliveries: {
      list: ({ cursor, ...query } = {}) =>
        createList(
          cursor,
          async (from) => dataOf(await api.GET('/api/v1/webhooks/deliveries', at(query, from))),
          ({ deliveries }) => deliveries,
        ),
    },
    replays: {
      list: ({ cursor, ...query } = {}) =>
        createList(
          cursor,
          async (from) => dataOf(await api.GET('/api/v1/webhooks/replays', at(query, from))),
          ({ replays }) => replays,
        ),
    },
  };
}
