/** At most this many tries after the first. */
const MAX_RETRIES = 5;
/** So that clients that were refused together don't return together. */
const MAX_JITTER_MS = 500;
/** The wait if the answer names none. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;
/** The burst window lasts 60 seconds. A longer wait means that the month's quota is used up. */
const BURST_WINDOW_SECONDS = 60;

/** The clock and the source of randomness for retries; tests replace it. */
export interface BackOff {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
}

/**
 * A `fetch` that waits and retries as the API's limits require: `Retry-After` seconds, doubled with each further try,
 * plus up to 500 ms of jitter, and at most 5 retries.
 *
 * A request that gets 429 had no effect, so it is repeated, unless the month's quota is used up. After 500, 503, an error
 * of a proxy (502, 504) or no answer the effect is unknown: then only requests that are safe to repeat are sent again. An
 * aborted request is not repeated.
 */
export function createRetryingFetch(backOff: BackOff): (request: Request) => Promise<Response> {
  return async (request) => {
    const mayBeRepeated = await isRepeatable(request);
    for (let retry = 1; ; retry += 1) {
      const { answer, error } = await attempt(backOff, request.clone());
      const waitSeconds = retryAfterSeconds(answer);
      const isWorthIt = answer?.status === 429 || (mayBeRepeated && (!answer || answer.status >= 500));
      if (!isWorthIt || retry > MAX_RETRIES || waitSeconds > BURST_WINDOW_SECONDS || request.signal.aborted) {
        if (answer) return answer;
        throw error;
      }
      // Frees the connection.
      await answer?.body?.cancel();
      const waitMs = waitSeconds * 1_000 * 2 ** (retry - 1) + backOff.random() * MAX_JITTER_MS;
      await backOff.sleep(waitMs, request.signal);
    }
  };
}

/** An ingest is safe to repeat if its events have keys; for other POSTs this is unknown. */
async function isRepeatable(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return true;
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/api/cost-estimator')) return true;
  if (!/\/events(\/batch)?$/.test(pathname)) return false;
  if (request.headers.has('Idempotency-Key')) return true;
  const body = JSON.parse(await request.clone().text()) as Sent & { readonly events?: readonly Sent[] };
  return (body.events ?? [body]).every(({ idempotency_key: key }) => typeof key === 'string');
}

interface Sent {
  readonly idempotency_key?: string;
}

async function attempt(
  { fetch }: BackOff,
  request: Request,
): Promise<{ readonly answer?: Response; readonly error?: unknown }> {
  try {
    return { answer: await fetch(request) };
  } catch (error) {
    return { error };
  }
}

/** Everpost sends seconds; a proxy in between may send a date. */
function retryAfterSeconds(answer: Response | undefined): number {
  const header = answer?.headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const untilDate = (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(untilDate) ? DEFAULT_RETRY_AFTER_SECONDS : Math.max(0, untilDate);
}
