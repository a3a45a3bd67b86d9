import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import { createRetryingFetch } from './back-off.ts';
import { createList, type Cursor, type List } from './list.ts';
import type {
  AcceptedEvent,
  ApiError,
  BatchResult,
  Delivery,
  DeliveryPage,
  Endpoint,
  EndpointPage,
  ErrorCode,
  ErrorDetail,
  EventPage,
  ListedEvent,
  NewEvent,
  operations,
  paths,
  Replay,
  ReplayPage,
} from './schema.ts';

/** The address and the key for an Everpost installation. */
export interface EverpostOptions {
  /** For example `https://everpost.example.com`. */
  readonly baseUrl: string;
  /** `svc_live_weh_…` */
  readonly apiKey: string;
  /** A custom `fetch`, for a proxy or a test. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
/** The query of a list. Its `cursor` may be the `next_cursor` of any page, even of the last one. */
type ListQuery<Operation extends keyof operations> = Omit<QueryOf<Operation>, 'cursor'> & Cursor;

/** An event to send. An undefined key counts as absent. */
export type EventToSend = Omit<NewEvent, 'idempotency_key'> & { readonly idempotency_key?: string | undefined };

/** A client of one account. */
export interface Everpost {
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

/** The API's error for a refused call. */
export class EverpostError extends Error {
  readonly status: number;
  /** Stable; a release may add some. `unknown` if the answer has none. */
  readonly code: ErrorCode | 'unknown';
  readonly requestId: string | undefined;
  readonly details: readonly ErrorDetail[];

  static {
    // On the prototype, because the stack is written before the error's fields exist.
    this.prototype.name = 'EverpostError';
  }

  constructor(status: number, body: Partial<ApiError> | undefined) {
    super(body?.error ?? `The API answered ${status}.`);
    this.status = status;
    this.code = body?.code ?? 'unknown';
    this.requestId = body?.request_id;
    this.details = body?.details ?? [];
  }
}

/** Makes a client that waits and retries as the API requires. */
export function createEverpost({ baseUrl, apiKey, fetch = globalThis.fetch }: EverpostOptions): Everpost {
  const api = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: createRetryingFetch({ fetch, sleep: sleepUntilAborted, random: Math.random }),
  });
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

/** The next try of an aborted request throws the reason, so the wait only ends. */
function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** The query parameters of a page that begins at a cursor. */
function at<Query extends object>(query: Query, cursor: string | undefined) {
  return { params: { query: { ...query, ...(cursor !== undefined && { cursor }) } } };
}

/** The data of an operation's answer. @throws EverpostError when it was refused */
function dataOf<Data>({ data, error, response }: Answered<Data>): Data {
  if (data === undefined) throw new EverpostError(response.status, error);
  return data;
}

interface Answered<Data> {
  readonly data?: Data | undefined;
  readonly error?: Partial<ApiError>;
  readonly response: Response;
}
