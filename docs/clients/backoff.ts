// Sends events to Everpost, and waits and retries as its limits require. docs/client-backoff.md explains the rules.
// It needs no package and no code of Everpost: copy it. It runs on Node 18 or later, or wherever there is fetch.

/** At most this many tries after the first. */
const MAX_RETRIES = 5;

/** So that clients that were refused together don't retry together. */
const MAX_JITTER_MS = 500;

/** The wait if the answer names none. */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** The burst window lasts 60 seconds. A longer wait means that the month's quota is used up. */
const BURST_WINDOW_SECONDS = 60;

/** The calls that tests replace. */
export interface BackoffDeps {
  readonly fetch: typeof fetch;
  /** Ends early when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal | null) => Promise<void>;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
}

const REAL: BackoffDeps = { fetch, sleep, random: Math.random };

export interface EventToSend {
  readonly type: string;
  readonly data: object;
  /** Makes a retry safe, even after a restart of your program: `<entity_id>_<action>`, or a UUID that you store. */
  readonly idempotency_key: string;
}

/** How long to wait before a retry (1 is the first): Retry-After, doubled with each further retry, and jitter. */
export function waitMs(retry: number, retryAfterSeconds: number, random: number): number {
  return retryAfterSeconds * 1_000 * 2 ** (retry - 1) + random * MAX_JITTER_MS;
}

/**
 * Sends a request until its answer is one that no retry would change: six times at most.
 *
 * @param init the same for each try: a body that can be read once, such as a stream, can't be sent again
 * @returns the last answer, whatever it is
 * @throws what `fetch` threw last, when there was no answer, or when `init.signal` aborted
 */
export async function fetchWithBackoff(url: string, init: RequestInit, deps: BackoffDeps = REAL): Promise<Response> {
  for (let retry = 1; ; retry += 1) {
    const { answer, error } = await attempt(url, init, deps);
    const retryAfterSeconds = retryAfter(answer);
    const isHopeless = init.signal?.aborted || (answer !== undefined && !mayChange(answer));
    if (isHopeless || retry > MAX_RETRIES || retryAfterSeconds > BURST_WINDOW_SECONDS) {
      if (answer) return answer;
      throw error;
    }
    // Frees the connection.
    await answer?.body?.cancel();
    await deps.sleep(waitMs(retry, retryAfterSeconds, deps.random()), init.signal);
  }
}

/** Sends one event. Safe to call again with the same event: Everpost accepts an idempotency key once in 24 hours. */
export function sendEvent(
  to: { readonly baseUrl: string; readonly apiKey: string },
  event: EventToSend,
  deps: BackoffDeps = REAL,
): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { Authorization: `Bearer ${to.apiKey}`, 'Content-Type': 'application/json' },
    // Made once: each try sends the same bytes and with them the same key.
    body: JSON.stringify(event),
  };
  return fetchWithBackoff(`${to.baseUrl}/api/v1/webhooks/events`, init, deps);
}

/** An answer, or the error if there is none: then it is unknown whether the request arrived. */
interface Outcome {
  readonly answer?: Response;
  readonly error?: unknown;
}

async function attempt(url: string, init: RequestInit, deps: BackoffDeps): Promise<Outcome> {
  try {
    return { answer: await deps.fetch(url, init) };
  } catch (error) {
    return { error };
  }
}

/** Whether the same request may get another answer later: 502 and 504 come from a proxy in between. */
function mayChange({ status }: Response): boolean {
  return status === 429 || status >= 500;
}

function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

/** Everpost sends seconds; a proxy in between may send a date. */
function retryAfter(answer: Response | undefined): number {
  const header = answer?.headers.get('Retry-After') ?? '';
  if (/^\d+$/.test(header)) return Number(header);
  const untilDate = (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(untilDate) ? DEFAULT_RETRY_AFTER_SECONDS : Math.max(0, untilDate);
}
