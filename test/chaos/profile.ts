/** How much of everything. `full` has the figures of the crash matrix, `quick` what eight minutes allow. */
export interface Counts {
  readonly profile: 'quick' | 'full';
  /** Events a second while parts are killed. */
  readonly perSecond: number;
  readonly apiKills: number;
  readonly workerKills: number;
  readonly primaryKills: number;
  readonly temporalDownMs: number;
  readonly mongoStoppedMs: number;
  readonly mongoAwayMs: number;
  readonly unfinishedAtWipe: number;
  readonly modelDeliveries: number;
  /** Attempts at each kind of hostile receiver. */
  readonly hostileAttempts: number;
  readonly blackHoles: number;
  readonly clockEvents: number;
  readonly idempotencyKeys: number;
  readonly rolledDeliveries: number;
  readonly forbiddenUrls: number;
  readonly revocations: number;
}

export const PROFILES: Readonly<Record<Counts['profile'], Counts>> = {
  quick: {
    profile: 'quick',
    perSecond: 8,
    apiKills: 2,
    workerKills: 2,
    primaryKills: 1,
    temporalDownMs: 5_000,
    mongoStoppedMs: 5_000,
    mongoAwayMs: 5_000,
    unfinishedAtWipe: 20,
    modelDeliveries: 150,
    hostileAttempts: 10,
    blackHoles: 40,
    clockEvents: 30,
    idempotencyKeys: 10,
    rolledDeliveries: 30,
    forbiddenUrls: 150,
    revocations: 2,
  },
  full: {
    profile: 'full',
    // To two endpoints each: what two processors keep up with while they start killed processes again.
    perSecond: 8,
    apiKills: 20,
    workerKills: 20,
    primaryKills: 5,
    temporalDownMs: 300_000,
    mongoStoppedMs: 60_000,
    mongoAwayMs: 60_000,
    unfinishedAtWipe: 500,
    modelDeliveries: 10_000,
    hostileAttempts: 1_000,
    blackHoles: 400,
    clockEvents: 200,
    idempotencyKeys: 1_000,
    rolledDeliveries: 300,
    forbiddenUrls: Number.POSITIVE_INFINITY,
    revocations: 10,
  },
};
