import type { DeliveryRoute } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import type { DispatchStore } from './store';

/** Knows which endpoints were recently slow or failing, in every process. */
export interface SlowEndpoints {
  /** Tells how an attempt went. */
  note(endpointId: string, latencyMs: number, succeeded: boolean): void;
  /** New deliveries to a slow endpoint don't take an inline slot: they would hold the fast ones up. */
  routeOf(endpointId: string): DeliveryRoute;
  close(): void;
}

/** An answer that takes longer makes the endpoint slow. */
const SLOW_LATENCY_MS = 1_000;
const REMEMBER_MS = 60_000;
const REFRESH_MS = 1_000;
/** Writing more often than this tells the others nothing new. */
const WRITE_EVERY_MS = 20_000;

export function createSlowEndpoints(deps: { dispatch: DispatchStore; logger: Logger }): SlowEndpoints {
  const noted = new Map<string, number>();
  let slow: ReadonlySet<string> = new Set();
  let refreshing = false;

  const refresh = async (): Promise<void> => {
    if (refreshing) return;
    refreshing = true;
    try {
      slow = new Set(await deps.dispatch.listSlow());
    } catch {
      // MongoDB is away; what was known a moment ago is the best there is.
    } finally {
      refreshing = false;
    }
    const oldest = Date.now() - REMEMBER_MS;
    for (const [endpointId, at] of noted) if (at < oldest) noted.delete(endpointId);
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  return {
    note(endpointId, latencyMs, succeeded) {
      if (succeeded && latencyMs < SLOW_LATENCY_MS) return;
      const now = Date.now();
      if (now - (noted.get(endpointId) ?? 0) < WRITE_EVERY_MS) return;
      noted.set(endpointId, now);
      slow = new Set([...slow, endpointId]);
      deps.dispatch
        .markSlow(endpointId, REMEMBER_MS)
        .catch((error: unknown) => deps.logger.debug({ err: error }, 'a slow endpoint was not noted'));
    },
    routeOf: (endpointId) => (slow.has(endpointId) ? 'queued' : 'inline'),
    close: () => clearInterval(timer),
  };
}
