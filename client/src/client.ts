import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client } from 'openapi-fetch';
import { createRetryingFetch } from './back-off.ts';
import type { operations, paths } from './schema.ts';

/** How to reach an Everpost. */
export interface EverpostOptions {
  /** Such as `https://everpost.example.com`. */
  readonly baseUrl: string;
  /** `svc_live_weh_…` */
  readonly apiKey: string;
  /** Another `fetch`, for a proxy or a test. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : never;
type Answer<Operation extends keyof operations, Status extends number> = operations[Operation] extends {
  responses: { [key in Status]: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;

/** An event to send. */
export type EventToSend = Body<'ingestEvent'>;
/** An event that was accepted. */
export type AcceptedEvent = Answer<'ingestEvent', 202>;
/** What became of each event of a batch. */
export type BatchResult = Answer<'ingestBatch', 207>['results'][number];

/** A client of one account. */
export interface Everpost {
  /** Every operation of the API by method and path, typed; each answers `{ data, error, response }`. */
  readonly api: Client<paths>;
  /**
   * Sends an event, with a new `idempotency_key` unless it has one, so that a retry is never a second event.
   *
   * @throws EverpostError when it was refused, or the retries are used up
   */
  sendEvent(event: EventToSend): Promise<AcceptedEvent>;
  /**
   * Sends 1 to 100 events in one request, with a key for each.
   *
   * @returns what became of each, in their order: look at `status`
   * @throws EverpostError when the batch as a whole was refused
   */
  sendEvents(events: readonly EventToSend[]): Promise<BatchResult[]>;
}

/** What the API said when it refused. */
export class EverpostError extends Error {
  readonly status: number;
  /** Stable: docs/errors.md lists them all. */
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: readonly { readonly path: string; readonly message: string }[];

  constructor(status: number, body: ErrorBody | undefined) {
    super(body?.error ?? `The API answered ${status}.`);
    this.name = 'EverpostError';
    this.status = status;
    this.code = body?.code ?? 'unknown';
    this.requestId = body?.request_id;
    this.details = body?.details ?? [];
  }
}

interface ErrorBody {
  readonly error?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly details?: EverpostError['details'];
}

/** Makes a client that waits and retries as the API asks for. */
export function createEverpost({ baseUrl, apiKey, fetch = globalThis.fetch }: EverpostOptions): Everpost {
  const api = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: createRetryingFetch({ fetch, sleep: (ms) => sleep(ms), random: Math.random }),
  });
  const withKey = (event: EventToSend): EventToSend => ({
    ...event,
    idempotency_key: event.idempotency_key ?? randomUUID(),
  });
  return {
    api,
    async sendEvent(event) {
      const { data, error, response } = await api.POST('/api/v1/webhooks/events', { body: withKey(event) });
      if (data === undefined) throw new EverpostError(response.status, error);
      return data;
    },
    async sendEvents(events) {
      const body = { events: events.map(withKey) };
      const { data, error, response } = await api.POST('/api/v1/webhooks/events/batch', { body });
      if (data === undefined) throw new EverpostError(response.status, error);
      return data.results;
    },
  };
}
