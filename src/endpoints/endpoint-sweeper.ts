import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { EndpointDueStore } from './sweep-store';
import { ROTATION_MS } from './rotate-secret';

const INTERVAL_MS = 5_000;

/** Ends rotations of signing secrets after their time. Part of the worker role; safe in any number of workers. */
export function createEndpointSweeper({ due, logger }: { due: EndpointDueStore; logger: Logger }): Periodic {
  const failure = 'rotations of signing secrets could not be ended; the next look tries again';
  return runPeriodically({ intervalMs: INTERVAL_MS, logger, failure }, async () => {
    const activated = await due.activateSecrets(ROTATION_MS);
    if (activated > 0) logger.info({ activated }, 'ended rotations of signing secrets');
  });
}
