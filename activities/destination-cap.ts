/** What became of work that asked for room. */
export type Capped<T> =
  | { readonly kind: 'ran'; readonly value: T }
  /** Nothing was done; there should be room in `waitMs`. `hangs`: the destination has answered nothing for a while. */
  | { readonly kind: 'full'; readonly waitMs: number; readonly hangs: boolean };

/** Makes the request that is part of the work. Only its silence is the destination's: the rest is ours. */
export type TimedRequest = <T>(send: () => Promise<T>) => Promise<T>;

/** Bounds the requests under way to one destination, so that a slow one can't hold every slot of the worker. */
export interface DestinationCap {
  /** Runs `work`, or says at once when to come again when the destination has as many requests as it may. */
  run<T>(endpointId: string, work: (request: TimedRequest) => Promise<T>): Promise<Capped<T>>;
}

interface Load {
  underWay: number;
  /** Of those, the ones that wait for an answer. */
  requests: number;
  /** Moving average of how long a request takes. */
  averageMs: number;
  /** When the last request ended, or the first one of all began. */
  lastNewsAt: number;
  /** When the next one that is turned away should come again. */
  nextPlaceAt: number;
}

const NEWEST_WEIGHT = 0.2;
/** A destination that is silent, or gives no answer but time-outs, may have this part of its requests only. */
const SILENT_PART = 1 / 4;
const SILENCE_MS = 500;
const LEAST_WAIT_MS = 1_000;
/** A destination at its cap that is silent for so long will probably hang: until its requests are given up at 30 s. */
const SUSPICIOUS_SILENCE_MS = 2_000;
/** A stall is over sooner than this; from here on the destination is expected to hang on. */
const LASTING_SILENCE_MS = 10_000;
const HANGING_MS = 15_000;
/** A destination that becomes quick again is noticed after this time at the latest. */
const MOST_WAIT_MS = 300_000;

/**
 * Who is turned away gets a place: as many come again in a second as the destination answers. Twenty thousand that
 * wait for a receiver that hangs cost two look-ups a second instead of thousands.
 *
 * Ten receivers that hang would hold every slot before anything is known of them, and end 640 requests in the same second
 * later on; therefore one that answers nothing for a moment gets less.
 *
 * @param max requests under way to one endpoint from this process
 */
export function createDestinationCap(max: number, clock: () => number = Date.now): DestinationCap {
  const loads = new Map<string, Load>();
  return {
    async run(endpointId, work) {
      const startedAt = clock();
      const load = loads.get(endpointId) ?? newLoad(startedAt);
      if (load.underWay >= mostOf(load, max, startedAt)) {
        return {
          kind: 'full',
          waitMs: placeIn(load, max, startedAt),
          hangs: isSilent(load, SUSPICIOUS_SILENCE_MS, startedAt),
        };
      }
      loads.set(endpointId, load);
      load.underWay += 1;
      try {
        return { kind: 'ran', value: await work((send) => timed(load, send, clock)) };
      } finally {
        load.underWay -= 1;
        if (load.underWay === 0) loads.delete(endpointId);
      }
    },
  };
}

async function timed<T>(load: Load, send: () => Promise<T>, clock: () => number): Promise<T> {
  const startedAt = clock();
  if (load.requests === 0) load.lastNewsAt = startedAt;
  load.requests += 1;
  try {
    return await send();
  } finally {
    const endedAt = clock();
    load.requests -= 1;
    load.averageMs = load.averageMs * (1 - NEWEST_WEIGHT) + (endedAt - startedAt) * NEWEST_WEIGHT;
    load.lastNewsAt = endedAt;
  }
}

function newLoad(now: number): Load {
  return { underWay: 0, requests: 0, averageMs: 0, lastNewsAt: now, nextPlaceAt: 0 };
}

/** For how long none of the requests that wait for an answer got one. */
function silenceOf({ requests, lastNewsAt }: Load, now: number): number {
  return requests === 0 ? 0 : now - lastNewsAt;
}

/** Whether it has been silent for so long, or gives nothing but time-outs. */
function isSilent(load: Load, forMs: number, now: number): boolean {
  return load.averageMs >= HANGING_MS || silenceOf(load, now) >= forMs;
}

function mostOf(load: Load, max: number, now: number): number {
  return isSilent(load, SILENCE_MS, now) ? Math.ceil(max * SILENT_PART) : max;
}

function placeIn(load: Load, max: number, now: number): number {
  // While none ends, the silence is all that is known of how long they take.
  const silenceMs = silenceOf(load, now);
  const expectedMs = silenceMs < SUSPICIOUS_SILENCE_MS ? silenceMs : Math.max(silenceMs, HANGING_MS);
  // A stall of seconds ends, and then all of its requests are made; one that lasts is asked no faster than it may answer.
  const atATime = isSilent(load, LASTING_SILENCE_MS, now) ? mostOf(load, max, now) : max;
  const apartMs = Math.max(load.averageMs, expectedMs) / atATime;
  const place = Math.max(load.nextPlaceAt, now) + apartMs;
  // Too many to wait for: they come spread over the second half of the longest wait, not all at its end.
  load.nextPlaceAt = place > now + MOST_WAIT_MS ? now + MOST_WAIT_MS / 2 : place;
  return Math.max(Math.ceil(load.nextPlaceAt - now), LEAST_WAIT_MS);
}
