import { percentile } from '../../bench/statistics';
import type { Api } from './api';
import type { Ledger } from './load/ledger';
import type { Received } from './receivers/receiver-log';
import { inLanes, pass } from './waiting';

/** Final state of one delivery, as the public API shows it. */
export interface FinalDelivery {
  readonly endpointId: string;
  readonly state: string;
  readonly attemptCount: number;
  readonly maxAttempts: number;
  /** Attempts in the history, of all runs. */
  readonly answered: number;
}

/** The combined results of the ledger, the receivers' logs and the public API. Nothing else is read. */
export interface Verdict {
  readonly sent: number;
  readonly acknowledged: number;
  /** Deliveries by final state. */
  readonly states: Readonly<Record<string, number>>;
  /** Acknowledged events that the API does not know, or that are not finished in time. */
  readonly lost: readonly number[];
  /** Recorded as delivered, and no receiver answered them with 2xx. */
  readonly unreceived: readonly number[];
  /** A receiver answered 2xx, but the record does not say delivered. */
  readonly unrecorded: readonly number[];
  /** Recorded as failed before the last attempt. */
  readonly gaveUpEarly: readonly number[];
  /** Requests for what no client sent, or with a wrong signature. */
  readonly invented: number;
  /** Serials that got two ids, or reached a receiver as two events. */
  readonly doubled: readonly number[];
  readonly posts: number;
  /** Requests beyond the attempts that the history has: event, path and how many. */
  readonly repeated: readonly { readonly id: number; readonly path: string; readonly times: number }[];
  readonly mostAttempts: number;
  /** From each acknowledgement, at `at`, to the event's first request at a receiver. */
  readonly lags: readonly { readonly at: number; readonly ms: number }[];
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
  readonly finals: ReadonlyMap<number, readonly FinalDelivery[]>;
}

interface Sources {
  readonly ledger: () => Ledger;
  readonly received: () => Received[];
  readonly api: Api;
  readonly endpoints: readonly { readonly id: string; readonly path: string }[];
  readonly timeoutMs: number;
}

/** As `GET /events/{id}` shows it. */
interface ShownDelivery {
  readonly endpoint_id: string;
  readonly state: string;
  readonly attempt_count: number;
  readonly max_attempts: number;
  readonly attempts: readonly unknown[];
}

const LANES = 8;
const POLL_MS = 500;
/** The queries for what is open must not become the load: a pause lasts this many times as long as the round before it. */
const PAUSES_PER_ROUND = 4;
const FINISHED = new Set(['delivered', 'failed', 'cancelled']);
/** A cancel is recorded at once, and the attempt that it did not stop a moment after its answer. */
const RECORDED_WITHIN_MS = 10_000;

/** Waits until all is finished, or the time is over, and judges. */
export async function verify(sources: Sources): Promise<Verdict> {
  const { api, timeoutMs } = sources;
  const giveUpAt = Date.now() + timeoutMs;
  const ledger = sources.ledger();
  const finals = new Map<number, readonly FinalDelivery[]>();
  let open = ledger.acknowledged.map(({ id }) => id);
  for (let isLast = false; open.length > 0 && !isLast;) {
    const roundAt = Date.now();
    // A round and its pause take minutes on a busy machine. What is lost was read after the time was over.
    isLast = roundAt >= giveUpAt;
    const arrived = new Set(sources.received().map(({ id }) => id));
    // Events that no receiver has seen yet are not read before the end, because that would slow things down.
    const ready = open.filter((id) => arrived.has(id));
    const asked = ready.length === open.length || roundAt > giveUpAt - timeoutMs / 4 ? open : ready;
    await inLanes(asked, LANES, async (id) => {
      const deliveries = await finalOf(api, id);
      // Not before its history is whole: the state may be shown a moment before the attempt that led to it.
      if (deliveries?.every(isFinal)) finals.set(id, deliveries);
    });
    open = open.filter((id) => !finals.has(id));
    const pauseMs = Math.max(POLL_MS, PAUSES_PER_ROUND * (Date.now() - roundAt));
    if (open.length > 0 && !isLast) await pass(Math.min(pauseMs, Math.max(0, giveUpAt - Date.now())));
  }
  await readLateAnswers(sources, finals);
  return judge(ledger, sources.received(), finals, sources.endpoints, open);
}

/** Reads a history again while a request that it lacks is so young that its answer may still be written down. */
async function readLateAnswers({ received, api, endpoints }: Sources, finals: Map<number, readonly FinalDelivery[]>) {
  const late = (): number[] => {
    const since = Date.now() - RECORDED_WITHIN_MS;
    const lacking = withRequests(finals, received(), endpoints).filter(
      ({ surplus, requests }) => surplus > 0 && requests.some(({ at, endedAt = at }) => endedAt > since),
    );
    return [...new Set(lacking.map(({ id }) => id))];
  };
  for (let ids = late(); ids.length > 0; ids = late()) {
    await pass(POLL_MS);
    await inLanes(ids, LANES, async (id) => {
      const deliveries = await finalOf(api, id);
      if (deliveries) finals.set(id, deliveries);
    });
  }
}

function isFinal({ state, answered, attemptCount }: FinalDelivery): boolean {
  return FINISHED.has(state) && answered >= attemptCount;
}

async function finalOf(api: Api, id: number): Promise<FinalDelivery[] | undefined> {
  const { status, body } = await api.call('GET', `/events/${id}`);
  if (status !== 200) return undefined;
  return (body.deliveries as ShownDelivery[]).map((it) => ({
    endpointId: it.endpoint_id,
    state: it.state,
    attemptCount: it.attempt_count,
    maxAttempts: it.max_attempts,
    answered: it.attempts.length,
  }));
}

/** Holds what is known against each other. */
export function judge(
  ledger: Ledger,
  received: readonly Received[],
  finals: Verdict['finals'],
  endpoints: Sources['endpoints'],
  lost: readonly number[],
): Verdict {
  const firstAt = new Map<number, number>();
  for (const { id, at } of received) firstAt.set(id, Math.min(firstAt.get(id) ?? at, at));
  const all = withRequests(finals, received, endpoints);
  const succeeded = (requests: readonly Received[]): boolean => requests.some(({ status }) => status === 200);
  const states: Record<string, number> = {};
  for (const { final } of all) states[final.state] = (states[final.state] ?? 0) + 1;
  const lags = ledger.acknowledged.flatMap(({ id, at }) =>
    firstAt.has(id) ? [{ at, ms: Math.max(0, firstAt.get(id)! - at) }] : [],
  );
  const lagsMs = lags.map(({ ms }) => ms);
  const ids = (wrong: (it: (typeof all)[number]) => boolean): number[] => all.filter(wrong).map(({ id }) => id);
  return {
    sent: ledger.sent.size,
    acknowledged: ledger.acknowledged.length,
    states,
    lost,
    unreceived: ids(({ final, requests }) => final.state === 'delivered' && !succeeded(requests)),
    unrecorded: ids(({ final, requests }) => final.state !== 'delivered' && succeeded(requests)),
    gaveUpEarly: ids(({ final }) => final.state === 'failed' && final.attemptCount < final.maxAttempts),
    invented: received.filter(({ serial, genuine }) => !genuine || !ledger.sent.has(serial)).length,
    doubled: [...ledger.contradicted, ...eventsOfOneSerial(received)],
    posts: received.length,
    repeated: all.filter(({ surplus }) => surplus > 0).map(({ id, path, surplus: times }) => ({ id, path, times })),
    mostAttempts: Math.max(0, ...all.map(({ final }) => final.attemptCount)),
    lags,
    lagP50Ms: percentile(lagsMs, 0.5),
    lagP99Ms: percentile(lagsMs, 0.99),
    lagMaxMs: Math.max(0, ...lagsMs),
    finals,
  };
}

/** Each delivery with the requests that its receiver saw, and how many of those its history lacks. */
function withRequests(finals: Verdict['finals'], received: readonly Received[], endpoints: Sources['endpoints']) {
  const pathOf = new Map(endpoints.map(({ id, path }) => [id, path]));
  const byDelivery = groupByDelivery(received);
  return [...finals].flatMap(([id, deliveries]) =>
    deliveries.map((final) => {
      const path = pathOf.get(final.endpointId) ?? '';
      const requests = byDelivery.get(`${id} ${path}`) ?? [];
      return { id, path, final, requests, surplus: requests.length - final.answered };
    }),
  );
}

function eventsOfOneSerial(received: readonly Received[]): number[] {
  const ids = new Map<number, number>();
  const doubled = new Set<number>();
  for (const { serial, id } of received) {
    if ((ids.get(serial) ?? id) !== id) doubled.add(serial);
    ids.set(serial, id);
  }
  return [...doubled];
}

function groupByDelivery(received: readonly Received[]): Map<string, Received[]> {
  const groups = new Map<string, Received[]>();
  for (const request of received) {
    const key = `${request.id} ${request.path}`;
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return groups;
}
