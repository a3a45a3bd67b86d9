/** At most this many tries after the first. */
const MAX_RETRIES = 5;
/** So that clients that were refused together don't come back together. */
const MAX_JITTER_MS = 500;
/** Where an answer doesn't say how long to wait. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;
/** The burst window has 60 seconds. Whoever is told to wait longer has used up the month's quota. */
const BURST_WINDOW_SECONDS = 60;

/** What retries are made with; tests replace it. */
export interface BackOff {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly sleep: (ms: number) => Promise<void>;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
}

/**
 * A `fetch` that waits and tries again, as the API's limits ask for: `Retry-After` seconds, twice as long before each
 * further try, up to 500 ms at random, and 5 retries at most.
 *
 * After 429 nothing was done, so every request is sent again, unless it is the month's quota that is used up. After
 * 500, 503 or no answer at all nobody knows: then only requests are sent again that may be done twice.
 */
export function createRetryingFetch(backOff: BackOff): (request: Request) => Promise<Response> {
  return async (request) => {
    const mayBeRepeated = await isRepeatable(request);
    for (let retry = 1; ; retry += 1) {
      const { answer, error } = await attempt(backOff, request.clone());
      const waitSeconds = retryAfterSeconds(answer);
      const isWorthIt = answer?.status === 429 || (mayBeRepeated && (!answer || [500, 503].includes(answer.status)));
      if (!isWorthIt || retry > MAX_RETRIES || waitSeconds > BURST_WINDOW_SECONDS || request.signal.aborted) {
        if (answer) return answer;
        throw error;
      }
      // Frees the connection.
      await answer?.body?.cancel();
      await backOff.sleep(waitSeconds * 1_000 * 2 ** (retry - 1) + backOff.random() * MAX_JITTER_MS);
    }
  };
}

/** An ingest may be sent twice when its events have keys; of other POSTs nobody knows. */
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

/** Everpost says seconds; a proxy in between may say a date. */
function retryAfterSeconds(answer: Response | undefined): number {
  const header = answer?.headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const untilDate = (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(untilDate) ? DEFAULT_RETRY_AFTER_SECONDS : Math.max(0, untilDate);
}
