import type { createMetrics } from '../../src/platform/metrics';

/** What the gauges of a process that is well read. */
export const METRIC_SOURCES: Parameters<typeof createMetrics>[0] = {
  version: '1.2.3',
  role: 'worker',
  startsWaiting: () => ({ workflow: 3, express: 0 }),
  endpointStates: () => Promise.resolve({ failing: 1, paused: 2, disabled: 0, other: 40 }),
  topReceivers: () => [{ receiver: 'hooks.example.com', attempts: 12 }],
  lateness: () => Promise.resolve({ oldestSeconds: 1, due: 1 }),
  capacity: () =>
    Promise.resolve({ diskUsed: 40e9, diskSize: 100e9, indexes: 2e9, pagesRequested: 1_000, pagesRead: 10 }),
  mongoPool: () => ({ inUse: 3, waiting: 0 }),
  isMongoUp: () => Promise.resolve(true),
  isTemporalUp: () => Promise.resolve(true),
};
