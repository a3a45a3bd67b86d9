import { createHash } from 'node:crypto';
import { Binary, Timestamp, type Collection, type Db } from 'mongodb';
import { isFinished, type DeliveryState } from '../src/domain/delivery-state';
import { searchValuesOf } from '../src/domain/search-values';
import { attemptId, ATTEMPTS_COLLECTION, type Attempt, type StoredAnswer } from '../src/stores/attempt-store';
import { createEventStore, EVENTS_COLLECTION, type Destination, type StoredEvent } from '../src/stores/event-store';
import { createIdempotencyStore, IDEMPOTENCY_WINDOW_MS } from '../src/stores/idempotency-store';
import { FAST } from '../src/platform/mongo';

const BATCH = 2_500;
const HOUR_MS = 3_600_000;
/** Younger than `RETENTION`, so that nothing is removed meanwhile. */
const DAYS = 29;
/** Attempts are stored for this share of the events, the newest ones. */
const WITH_ATTEMPTS = 0.1;
/** A tenth of the events go to two endpoints. */
const TO_TWO = 0.1;
const FAILED = 0.03;
const CANCELLED = 0.004;
const CUSTOMERS = 20_000;

/** The fields by which the account's events are found. */
export const SEARCH_FIELDS = ['customer_id', 'order_id'];
export const EVENT_TYPES = ['order', 'invoice', 'customer', 'parcel', 'refund'].flatMap((noun) =>
  ['created', 'changed', 'paid', 'closed'].map((verb) => `${noun}.${verb}`),
);

/** The endpoints of the account: what became of their deliveries depends on it. */
export interface Destinations {
  readonly ids: readonly string[];
  readonly url: string;
  /** Its deliveries have been held for ten days. */
  readonly paused: string;
  /** Their attempts have failed for 20 hours. */
  readonly failing: ReadonlySet<string>;
}

interface Month {
  readonly db: Db;
  readonly accountId: string;
  readonly count: number;
  readonly to: Destinations;
  /** A bulk replay that sent some of the events again, and how many. */
  readonly replay: { readonly id: string; readonly events: number };
  readonly say: (line: string) => void;
}

/** A number from 0 to 1 that looks random and is the same in every run. */
function chance(n: number, salt: number): number {
  const mixed = Math.imul((n ^ (salt * 0x9e37_79b9)) >>> 0, 0x85eb_ca6b) >>> 0;
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) >>> 0) / 2 ** 32;
}

/** Stores a month of events as if they had been accepted and delivered, with attempts of the newest tenth. */
export async function storeMonth(month: Month): Promise<void> {
  const { db, accountId, count, say } = month;
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  const keys = createIdempotencyStore(db);
  const firstId = await createEventStore(db).reserveIds(count);
  const until = Date.now();
  const spacingMs = (DAYS * 24 * HOUR_MS) / count;
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => {
      const n = from + index;
      return buildEvent(month, n, firstId + n, until - (count - n) * spacingMs, until);
    });
    const fresh = batch.filter(({ timestamp }) => timestamp * 1_000 > until - IDEMPOTENCY_WINDOW_MS);
    const answered = from >= count * (1 - WITH_ATTEMPTS) ? batch.flatMap((event) => attemptsOf(event)) : [];
    await Promise.all([
      events.insertMany(batch, { ordered: false, writeConcern: FAST }),
      answered.length > 0 && attempts.insertMany(answered, { ordered: false, writeConcern: FAST }),
      keys.claim(
        fresh.map(({ _id, idempotency_key: key }) => ({ accountId, key: key!, eventId: _id, now: new Date() })),
      ),
    ]);
    if ((from / BATCH) % 40 === 0) say(`${from + batch.length} of ${count} events`);
  }
}

function buildEvent(month: Month, n: number, id: number, acceptedAtMs: number, until: number): StoredEvent {
  const { accountId, to, count } = month;
  const type = EVENT_TYPES[Math.floor(chance(n, 1) ** 2 * EVENT_TYPES.length)]!;
  const customer = Math.floor(chance(n, 2) * CUSTOMERS);
  const data = Buffer.from(
    JSON.stringify({
      order_id: `ord_${n}`,
      customer_id: `cus_${customer}`,
      total: 19.99,
      currency: 'EUR',
      lines: Array.from({ length: 4 }, (_, line) => ({ sku: `sku_${(n + line) % 997}`, quantity: line + 1 })),
    }),
  );
  const first = Math.floor(chance(n, 3) * to.ids.length);
  const places = chance(n, 4) < TO_TWO ? [first, (first + 1) % to.ids.length] : [first];
  const isReplayed = n < count / 2 && n >= count / 2 - month.replay.events;
  const destinations = places.map((place, index) =>
    buildDestination(to, to.ids[place]!, { acceptedAtMs, until, luck: chance(n, 5 + index) }),
  );
  const ended = destinations.every(({ state }) => isFinished(state));
  return {
    _id: id,
    account_id: accountId,
    type,
    data: new Binary(data),
    timestamp: Math.floor(acceptedAtMs / 1_000),
    idempotency_key: `ord_${n}_${type}`,
    search: searchValuesOf(SEARCH_FIELDS, data),
    payload_hash: createHash('sha256').update(type).update(data).digest('hex'),
    destinations: isReplayed
      ? destinations.map((it) => ({ ...it, run: 2, replay_job: month.replay.id }))
      : destinations,
    unfinished: destinations.filter(({ state }) => !isFinished(state)).length,
    accepted_at: new Timestamp({ t: Math.floor(acceptedAtMs / 1_000), i: (n % 1_000) + 1 }),
    finished_at: ended ? new Date(acceptedAtMs + 1_000) : null,
  };
}

interface Fate {
  readonly acceptedAtMs: number;
  readonly until: number;
  readonly luck: number;
}

function buildDestination(to: Destinations, endpointId: string, fate: Fate): Destination {
  const { acceptedAtMs, until, luck } = fate;
  const ageMs = until - acceptedAtMs;
  const place = { endpoint_id: endpointId, url: to.url, run: 1 };
  if (endpointId === to.paused && ageMs < 10 * 24 * HOUR_MS) {
    const held = { dispatch: 'held', held_for: 'paused', held_at: new Date(acceptedAtMs) } as const;
    return { ...place, ...held, state: 'pending', attempt_count: 0, next_attempt_at: null, completed_at: null };
  }
  if (to.failing.has(endpointId) && ageMs < 20 * HOUR_MS) {
    // Far enough away that nothing is sent while this measures.
    const next = new Date(until + (2 + 10 * luck) * HOUR_MS);
    const retrying = { dispatch: 'done', state: 'retrying', attempt_count: 5 } as const;
    return { ...place, ...retrying, next_attempt_at: next, completed_at: null };
  }
  const state: DeliveryState = luck < FAILED ? 'failed' : luck < FAILED + CANCELLED ? 'cancelled' : 'delivered';
  const attemptCount = state === 'failed' ? 8 : luck > 0.97 ? 2 : 1;
  return {
    ...place,
    state,
    attempt_count: attemptCount,
    next_attempt_at: null,
    completed_at: new Date(acceptedAtMs + 1_000),
    dispatch: 'done',
  };
}

/** The attempts of the event's last runs. */
function attemptsOf({ _id: eventId, timestamp, destinations }: StoredEvent): Attempt[] {
  return destinations.flatMap(({ endpoint_id: endpointId, run, attempt_count: count, state, url }) =>
    Array.from({ length: count }, (_, index): Attempt => {
      const number = index + 1;
      const succeeded = state === 'delivered' && number === count;
      return {
        _id: attemptId({ eventId, endpointId, run, number }),
        event_id: eventId,
        endpoint_id: endpointId,
        run,
        number,
        trigger: 'scheduled',
        answer: answerOf(eventId, { url, succeeded, startedAt: new Date(timestamp * 1_000 + index * 60_000) }),
      };
    }),
  );
}

function answerOf(
  eventId: number,
  { url, succeeded, startedAt }: { readonly url: string; readonly succeeded: boolean; readonly startedAt: Date },
): StoredAnswer {
  const latencyMs = 20 + (eventId % 180);
  const signature = createHash('sha256').update(String(eventId)).digest('hex');
  return {
    started_at: startedAt,
    latency_ms: latencyMs,
    succeeded,
    status_code: succeeded ? 200 : 503,
    error_code: succeeded ? null : 'http_status',
    error: succeeded ? null : 'The receiver answered with HTTP status 503.',
    response_snippet: succeeded ? 'ok' : 'Service Unavailable',
    url,
    resends: 0,
    sent: {
      timestamp: Math.floor(startedAt.getTime() / 1_000),
      signature: `sha256=${signature}`,
      standard_signature: `v1,${signature.slice(0, 44)}`,
      user_agent: 'Everpost/0.1.0',
    },
    express: true,
    timings: { first: latencyMs, body: 1 },
  };
}
