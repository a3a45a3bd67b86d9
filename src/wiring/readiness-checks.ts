import type { ReadinessCheck } from '../platform/readiness';
import type { Platform } from './compose';

/**
 * What a process of a role asks before it says that it is ready. An API is of use without Temporal: it accepts events,
 * and first attempts go on. A worker is not: it must not replace one that has its servers.
 */
export function readinessChecks(
  { mongo, temporal }: Pick<Platform, 'mongo' | 'temporal'>,
  hasApi: boolean,
): readonly ReadinessCheck[] {
  return [
    { name: 'mongodb', isNeeded: true, state: async () => ((await mongo.isUp()) ? 'up' : 'down') },
    { name: 'temporal', isNeeded: !hasApi, state: async () => ((await temporal.isHealthy()) ? 'up' : 'down') },
  ];
}
