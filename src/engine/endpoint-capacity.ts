import { LRUCache } from 'lru-cache';
import { MAX_PER_DESTINATION, type HeldReason } from '../domain/delivery-contract';

/** One of the attempts that an endpoint may have under way in this process. */
export interface Slot {
  /**
   * Makes the request that is part of the attempt. Only the time of this request counts as the endpoint's; the rest is
   * ours.
   *
   * @param onSlow called when the answer takes longer than a second
   */
  time<T>(send: () => Promise<T>, onSlow?: () => void): Promise<T>;
  /** Ends the attempt; the caller must call it once. */
  leave(): void;
}

/** Why an endpoint has no slot for an attempt. */
export interface Full {
  readonly full: Extract<HeldReason, 'hanging' | 'at_cap'>;
}

/** What is under way to one endpoint. */
interface Load {
  attempts: number;
  /** How many of those wait for an answer. */
  requests: number;
  /** When the last answer arrived, or the first of these requests started. */
  lastNewsAt: number;
}

/**
 * The share of the limit that is left to a silent or hanging endpoint. Otherwise ten such endpoints would occupy every
 * slot before they are noticed, and 640 requests would time out within the same second.
 */
const SILENT_PART = 1 / 4;
/** An endpoint that answers none of its requests for this long is silent. */
const SILENCE_MS = 500;
/** A full endpoint that is silent for this long will probably hang until its requests time out at 30 s. */
const HANGS_AFTER_MS = 2_000;
/** A request that took this long counts as unanswered: most of them are timeouts, and the endpoint keeps hanging. */
const ANSWER_MS = 15_000;
/** Attempts that take longer leave their slot or workflow task to others. */
const SLOW_AFTER_MS = 1_000;
/** The assumed latency of a request without an answer by then. Two of them make an endpoint slow. */
const SLOW_SO_FAR_MS = 3_000;
/** An endpoint is slow while the moving average of its latency is at least this. */
const SLOW_LATENCY_MS = 1_000;
/** Weight of the newest request: one hang of 30 s is enough, one pause of 2 s (theirs or ours) is not. */
const NEWEST_WEIGHT = 0.2;
/** Bounds the memory for endpoints with few requests. */
const MAX_ENDPOINTS = 10_000;
/** An endpoint without requests for this long starts afresh. */
const REMEMBER_MS = 60_000;

export type EndpointCapacity = ReturnType<typeof createEndpointCapacity>;

/**
 * Limits the attempts under way to each endpoint in this process, and detects from their requests which endpoints are
 * slow or hanging.
 *
 * @param max attempts under way to one endpoint from this process
 * @param perf the clock: the process's own, unless a test passes one
 */
export function createEndpointCapacity(max = MAX_PER_DESTINATION, perf: { now(): number } = performance) {
  const loads = new Map<string, Load>();
  const memory = { max: MAX_ENDPOINTS, ttl: REMEMBER_MS, perf };
  const averages = new LRUCache<string, number>(memory);
  const hanging = new LRUCache<string, true>(memory);

  /** Counting free slots also updates whether the endpoint hangs. */
  const freeSlots = (endpointId: string): number => {
    const load = loads.get(endpointId);
    // The endpoint isn't silent while only our own work is under way.
    const silenceMs = load?.requests ? perf.now() - load.lastNewsAt : 0;
    const most = silenceMs >= SILENCE_MS || hanging.has(endpointId) ? Math.ceil(max * SILENT_PART) : max;
    const slots = Math.max(most - (load?.attempts ?? 0), 0);
    if (slots === 0 && silenceMs >= HANGS_AFTER_MS) hanging.set(endpointId, true);
    return slots;
  };
  const noteLatency = (endpointId: string, latencyMs: number): void => {
    averages.set(endpointId, (averages.get(endpointId) ?? 0) * (1 - NEWEST_WEIGHT) + latencyMs * NEWEST_WEIGHT);
  };
  const timed = async <T>(endpointId: string, load: Load, send: () => Promise<T>, onSlow?: () => void): Promise<T> => {
    const startedAt = perf.now();
    if (load.requests === 0) load.lastNewsAt = startedAt;
    load.requests += 1;
    const slowTimer = setTimeout(() => {
      noteLatency(endpointId, SLOW_SO_FAR_MS);
      onSlow?.();
    }, SLOW_AFTER_MS).unref();
    try {
      // An exception is our own error, and says nothing about the endpoint.
      const answer = await send();
      const latencyMs = perf.now() - startedAt;
      noteLatency(endpointId, latencyMs);
      if (latencyMs < ANSWER_MS) {
        load.lastNewsAt = perf.now();
        hanging.delete(endpointId);
      } else if (hanging.has(endpointId)) {
        // It keeps hanging, although no more attempts arrive than it can take.
        hanging.set(endpointId, true);
      }
      return answer;
    } finally {
      clearTimeout(slowTimer);
      load.requests -= 1;
    }
  };

  return {
    /** Takes a slot for an attempt. */
    enter(endpointId: string): Slot | Full {
      if (freeSlots(endpointId) === 0) return { full: hanging.has(endpointId) ? 'hanging' : 'at_cap' };
      const load = loads.get(endpointId) ?? { attempts: 0, requests: 0, lastNewsAt: 0 };
      loads.set(endpointId, load);
      load.attempts += 1;
      return {
        time: (send, onSlow) => timed(endpointId, load, send, onSlow),
        leave() {
          load.attempts -= 1;
          if (load.attempts === 0) loads.delete(endpointId);
        },
      };
    },
    /** How many more attempts may be under way to the endpoint now; 0 or more. */
    freeSlots,
    /** Whether its attempts should stay out of the way of fast ones. */
    isSlow: (endpointId: string): boolean => (averages.get(endpointId) ?? 0) >= SLOW_LATENCY_MS,
    /**
     * Whether it answers nothing at all. A slow endpoint may only look slow because of this machine; a hanging one has
     * answered nothing while more deliveries waited for it.
     */
    hangs: (endpointId: string): boolean => hanging.has(endpointId),
  };
}
