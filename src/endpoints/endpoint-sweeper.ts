import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../platform/logger';
import type { EndpointDueStore } from './due-store';
import { ROTATION_MS } from './rotate-secret';

/** Ends rotations of signing secrets after their time. Part of the worker role; safe in any number of workers. */
export interface EndpointSweeper {
  close(): Promise<void>;
}

const INTERVAL_MS = 5_000;

export function createEndpointSweeper(deps: {
  readonly due: EndpointDueStore;
  readonly logger: Logger;
}): EndpointSweeper {
  const stop = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const activated = await deps.due.activateSecrets(ROTATION_MS);
        if (activated > 0) deps.logger.info({ activated }, 'ended rotations of signing secrets');
      } catch (error) {
        deps.logger.warn({ err: error }, 'rotations of signing secrets could not be ended; the next look tries again');
      }
      await wait(INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
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
