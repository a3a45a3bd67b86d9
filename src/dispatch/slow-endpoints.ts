import { LRUCache } from 'lru-cache';
import type { DeliveryRoute } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import type { DispatchStore } from './store';

/** Knows which endpoints were recently slow, in every process. */
export interface SlowEndpoints {
  /** Tells how long an attempt took, whatever came of it: a quick refusal holds nothing up. */
  note(endpointId: string, latencyMs: number): void;
  /** Tells that an attempt has had no answer so far. */
  noteSilence(endpointId: string, soFarMs: number): void;
  /** Tells that an endpoint answers nothing at all, while many attempts wait for it. */
  noteHanging(endpointId: string): void;
  /** New deliveries to a slow endpoint don't take an inline slot: they would hold the fast ones up. */
  routeOf(endpointId: string): DeliveryRoute;
  /**
   * Whether it answers nothing. A slow one may be one that this machine is slow for; one that hangs has answered
   * nothing while the others got their answers.
   */
  hangs(endpointId: string): boolean;
  close(): void;
}

/** An endpoint is slow while the moving average of its latency is above this. */
const SLOW_LATENCY_MS = 1_000;
/** Below this it is slow no more: it may have been this machine that was. Its attempts cost more than twice as much. */
const QUICK_LATENCY_MS = 500;
/** An endpoint that hung and answers sooner than this hangs no more, though it may be slow. */
const ANSWER_MS = 15_000;
/** Weight of the newest attempt: one hang of 30 s is enough, one hiccup of 2 s (theirs or ours) is not. */
const NEWEST_WEIGHT = 0.2;
const MAX_ENDPOINTS = 10_000;
const REMEMBER_MS = 60_000;
const REFRESH_MS = 2_000;
/** Writing more often than this tells the others nothing new. */
const WRITE_EVERY_MS = 20_000;

/** @param deps `perf` is what measures how long ago something was noted: the process's own, unless a test brings one */
export function createSlowEndpoints(deps: {
  dispatch: DispatchStore;
  logger: Logger;
  perf?: { now(): number };
}): SlowEndpoints {
  const { perf = performance } = deps;
  const averages = new LRUCache<string, number>({ max: MAX_ENDPOINTS, ttl: REMEMBER_MS, perf });
  const noted = new LRUCache<string, true>({ max: MAX_ENDPOINTS, ttl: WRITE_EVERY_MS, perf });
  /** Slow endpoints, and whether they hang. */
  let slow: ReadonlyMap<string, boolean> = new Map();
  let refreshing = false;

  const refresh = async (): Promise<void> => {
    if (refreshing) return;
    refreshing = true;
    try {
      slow = new Map((await deps.dispatch.listSlow()).map(({ endpointId, hangs }) => [endpointId, hangs]));
    } catch {
      // MongoDB is away; what was known a moment ago is the best there is.
    } finally {
      refreshing = false;
    }
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();
  const logFailure = (write: Promise<void>): void => {
    write.catch((error: unknown) => deps.logger.debug({ err: error }, 'a slow endpoint was not noted'));
  };
  const know = (endpointId: string, hangs: boolean, write: Promise<void>): void => {
    slow = new Map(slow).set(endpointId, hangs);
    logFailure(write);
  };
  const forget = (endpointId: string): void => {
    slow = new Map([...slow].filter(([id]) => id !== endpointId));
    noted.delete(endpointId);
    logFailure(deps.dispatch.markQuick(endpointId));
  };
  const hangs = (endpointId: string): boolean => slow.get(endpointId) ?? false;
  const noteHanging = (endpointId: string): void => {
    const name = `hanging ${endpointId}`;
    if (noted.has(name)) return;
    noted.set(name, true);
    know(endpointId, true, deps.dispatch.markSlow(endpointId, REMEMBER_MS, { hangs: true }));
  };

  const moveAverage = (endpointId: string, latencyMs: number): number => {
    // Where others found it slow, one answer does not show that it isn't.
    const before = averages.get(endpointId) ?? (slow.has(endpointId) ? SLOW_LATENCY_MS : 0);
    const average = before * (1 - NEWEST_WEIGHT) + latencyMs * NEWEST_WEIGHT;
    averages.set(endpointId, average);
    return average;
  };
  const noteSlow = (endpointId: string): void => {
    if (noted.has(endpointId)) return;
    noted.set(endpointId, true);
    know(endpointId, hangs(endpointId), deps.dispatch.markSlow(endpointId, REMEMBER_MS));
  };

  return {
    note(endpointId, latencyMs) {
      const average = moveAverage(endpointId, latencyMs);
      if (hangs(endpointId)) {
        if (latencyMs < ANSWER_MS) know(endpointId, false, deps.dispatch.markAnswering(endpointId));
        // It goes on hanging, though no more attempts come than it can take.
        else noteHanging(endpointId);
      }
      if (average >= SLOW_LATENCY_MS) noteSlow(endpointId);
      else if (average < QUICK_LATENCY_MS && slow.has(endpointId)) forget(endpointId);
    },
    noteSilence(endpointId, soFarMs) {
      if (moveAverage(endpointId, soFarMs) >= SLOW_LATENCY_MS) noteSlow(endpointId);
    },
    noteHanging,
    routeOf: (endpointId) => (slow.has(endpointId) ? 'queued' : 'inline'),
    hangs,
    close: () => clearInterval(timer),
  };
}
