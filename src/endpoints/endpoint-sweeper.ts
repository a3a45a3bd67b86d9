import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../platform/logger';
import type { EndpointDueStore } from './due-store';
import { wakeDeliveries, type WakeDeps } from './pause-endpoint';
import { finishRemoval, type FinishRemovalDeps } from './remove-endpoint';
import { ROTATION_MS } from './rotate-secret';

/** Does what is due on endpoints and nobody did. Part of the worker role; safe in any number of workers. */
export interface EndpointSweeper {
  close(): Promise<void>;
}

interface EndpointSweeperDeps extends WakeDeps, FinishRemovalDeps {
  readonly due: EndpointDueStore;
  readonly temporal: { isHealthy(): Promise<boolean> };
  readonly logger: Logger;
}

/** How patient the sweeper of endpoints is, in milliseconds. */
export interface EndpointSweeperTiming {
  readonly intervalMs: number;
  /** Younger changes are left to the process that made them. */
  readonly graceMs: number;
}

const ENDPOINT_SWEEPER_TIMING: EndpointSweeperTiming = { intervalMs: 5_000, graceMs: 5_000 };

/**
 * Ends rotations of signing secrets after their time, wakes the deliveries of endpoints that were resumed while Temporal
 * was away, or by a process that died, and ends those of endpoints that were removed so.
 */
export function createEndpointSweeper(deps: EndpointSweeperDeps, timing = ENDPOINT_SWEEPER_TIMING): EndpointSweeper {
  const stop = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await sweepEndpoints(deps, timing);
      } catch (error) {
        deps.logger.warn({ err: error }, 'what is due on endpoints could not be done; the next look tries again');
      }
      await wait(timing.intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function sweepEndpoints(deps: EndpointSweeperDeps, { graceMs }: EndpointSweeperTiming): Promise<void> {
  const activated = await deps.due.activateSecrets(ROTATION_MS);
  if (activated > 0) deps.logger.info({ activated }, 'ended rotations of signing secrets');
  const wakes = await deps.due.findWakes(graceMs);
  const removals = await deps.removals.findUnfinished(graceMs);
  // Both are jobs in Temporal. While it is away, each try would take its time-out and keep secrets waiting.
  if (wakes.length + removals.length === 0 || !(await deps.temporal.isHealthy())) return;
  for (const endpoint of wakes) await wakeDeliveries(deps, endpoint);
  for (const removal of removals) await finishRemoval(deps, removal);
}
