import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type {
  AcceptedEvent,
  BatchResult,
  Delivery,
  DeliveryExplanation,
  Event,
  EventPage,
  EventReplay,
  ListedEvent,
  NewDelivery,
  NewEvent,
  ReplayEvent,
} from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** An event to send. An undefined key counts as absent. */
export type EventToSend = Omit<NewEvent, 'data' | 'idempotency_key'> & {
  /** Any object, an `interface` too, of which JSON can be made. */
  readonly data: object;
  readonly idempotency_key?: string | undefined;
};

/** Events of one account. */
export interface Events {
  /**
   * Sends an event, with a new `idempotency_key` unless it has one, so that a retry never creates a second event.
   *
   * @throws EverpostError when it is refused, or the retries are used up
   */
  send(event: EventToSend, options?: CallOptions): Promise<AcceptedEvent>;
  /**
   * Sends 1 to 100 events in one request, with a key for each.
   *
   * @returns the result of each event, in order: check `status`
   * @throws EverpostError when the batch as a whole is refused
   */
  sendBatch(events: readonly EventToSend[], options?: CallOptions): Promise<BatchResult[]>;
  /** The event, with its deliveries and their attempts. */
  get(id: number, options?: CallOptions): Promise<Event>;
  /** Events, newest first: `for await (const event of everpost.events.list({ status: 'failed' }))`. */
  list(query?: ListQuery<'listEvents'>, options?: CallOptions): List<ListedEvent, EventPage>;
  /** Delivers the event again to its endpoints, or to some of them. */
  replay(id: number, replay?: ReplayEvent, options?: CallOptions): Promise<EventReplay>;
  /** Delivers the event to an endpoint that it did not match. */
  createDelivery(id: number, delivery: NewDelivery, options?: CallOptions): Promise<Delivery>;
  /** Erases the data of the event, with a management key, and cancels what is not delivered yet. */
  eraseData(id: number, options?: CallOptions): Promise<Event>;
  /** Why an endpoint got the event, or did not. */
  explain(id: number, endpointId: string, options?: CallOptions): Promise<DeliveryExplanation>;
}

/** Makes the calls about events. */
export function createEvents({ api, call }: Transport): Events {
  const path = '/api/v1/webhooks/events' as const;
  const of = (id: number) => ({ params: { path: { event_id: segment(id) } } });
  const withKey = (event: EventToSend): NewEvent => ({
    ...(event as NewEvent),
    idempotency_key: event.idempotency_key ?? crypto.randomUUID(),
  });
  return {
    async send(event, options) {
      const body = withKey(event);
      return call(options, (how) => api.POST(path, { body, ...how }));
    },
    async sendBatch(events, options) {
      const body = { events: events.map(withKey) };
      return (await call(options, (how) => api.POST(`${path}/batch`, { body, ...how }))).results;
    },
    get: async (id, options) => call(options, (how) => api.GET(`${path}/{event_id}`, { ...of(id), ...how })),
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(path, { params: { query: at }, ...how })),
        ({ events }) => events,
      ),
    replay: async (id, body, options) =>
      call(options, (how) => api.POST(`${path}/{event_id}/replay`, { ...of(id), ...(body && { body }), ...how })),
    createDelivery: async (id, body, options) =>
      call(options, (how) => api.POST(`${path}/{event_id}/deliveries`, { ...of(id), body, ...how })),
    eraseData: async (id, options) =>
      call(options, (how) => api.DELETE(`${path}/{event_id}/data`, { ...of(id), ...how })),
    explain: async (id, endpointId, options) =>
      call(options, (how) =>
        api.GET(`${path}/{event_id}/endpoints/{endpoint_id}`, {
          params: { path: { event_id: segment(id), endpoint_id: segment(endpointId) } },
          ...how,
        }),
      ),
  };
}
