import { EverpostTimeoutError, secondsOf } from './errors.ts';
import { DEFAULT_PATIENCE } from './patience.ts';

/** So that clients that were refused together don't return together. */
const MAX_JITTER_MS = 500;
/** The wait if the answer names none. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;
/** The burst window lasts 60 seconds. A longer wait means that the month's quota is used up. */
const BURST_WINDOW_SECONDS = 60;
/** A longer timer would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The network, the clock and the source of randomness for retries; tests replace them. */
export interface BackOff {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends early when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/**
 * A `fetch` that waits and retries as the API's limits require: `Retry-After` seconds, doubled with each further try,
 * plus up to 500 ms of jitter. It begins no wait that would outlast the total time-out.
 *
 * A request that gets 429 had no effect, so it is repeated, unless the month's quota is used up. After 500, 503, an error
 * of a proxy (502, 504) or no answer the effect is unknown: then only requests that are safe to repeat are sent again. An
 * aborted request is not repeated.
 *
 * The answer is read to its end, unless it is a stream of events.
 *
 * @throws EverpostTimeoutError when the last request got no answer in time
 */
export function createRetryingFetch(
  backOff: BackOff,
  { timeoutMs, totalTimeoutMs, maxRetries } = DEFAULT_PATIENCE,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const end = backOff.now() + totalTimeoutMs;
    const mayBeRepeated = await isRepeatable(request);
    for (let retry = 1; ; retry += 1) {
      const limitMs = Math.min(timeoutMs, end - backOff.now(), MAX_TIMER_MS);
      const { answer, error } = await attempt(backOff, request, Math.max(1, limitMs));
      const waitSeconds = secondsOf(answer?.headers.get('Retry-After')) ?? DEFAULT_RETRY_AFTER_SECONDS;
      const waitMs = waitSeconds * 1_000 * 2 ** (retry - 1) + backOff.random() * MAX_JITTER_MS;
      const isWorthIt = answer?.status === 429 || (mayBeRepeated && (!answer || answer.status >= 500));
      const isPossible = retry <= maxRetries && waitSeconds <= BURST_WINDOW_SECONDS && backOff.now() + waitMs < end;
      if (!isWorthIt || !isPossible || request.signal.aborted) {
        if (answer) return answer;
        throw error;
      }
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

/** One try, with its whole answer: a body that never ends is as bad as none. */
async function attempt(
  { fetch }: BackOff,
  request: Request,
  timeoutMs: number,
): Promise<{ readonly answer?: Response; readonly error?: unknown }> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new EverpostTimeoutError(request.url, Math.round(timeoutMs))), timeoutMs);
  const abort = (): void => stop.abort(request.signal.reason);
  if (request.signal.aborted) abort();
  request.signal.addEventListener('abort', abort);
  let isRead = true;
  try {
    const answer = await fetch(new Request(request.clone(), { signal: stop.signal }));
    // A stream ends when its reader wants it to, or the signal.
    isRead = !isStream(answer);
    if (!isRead) return { answer };
    const bytes = await answer.arrayBuffer();
    return { answer: new Response(bytes.byteLength > 0 ? bytes : null, answer) };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    if (isRead) request.signal.removeEventListener('abort', abort);
  }
}

function isStream({ headers, ok }: Response): boolean {
  return ok && (headers.get('Content-Type') ?? '').startsWith('text/event-stream');
}
