import type { FirstAttemptWay } from '../../src/domain/delivery-contract';

/** How much of everything. `full` has the figures of the crash matrix, `quick` what ten minutes allow. */
export interface Counts {
  readonly profile: 'quick' | 'full';
  /** `DELIVERY_TIMEOUT`, on which the claim of a worker that dies depends. */
  readonly receiverTimeoutMs: number;
  /** Events a second while parts are killed. */
  readonly perSecond: number;
  readonly apiKills: number;
  /** Of APIs that make first attempts. */
  readonly firstAttemptKills: number;
  readonly workerKills: number;
  /** Deliveries of a bulk replay, and how often all workers are killed in the middle of it. */
  readonly replayed: number;
  readonly replayKills: number;
  /** Events of an erasure in whose middle parts are killed. */
  readonly erased: number;
  /** Accounts whose data keys a reseal has before it when it is killed. */
  readonly resealed: number;
  readonly primaryKills: number;
  /** How often a primary is deposed whose last writes no other member has. */
  readonly rolledBackTerms: number;
  /** Concurrent ingests while no majority confirms anything. */
  readonly stalledIngests: number;
  readonly temporalDownMs: number;
  /** Events a second meanwhile, by who makes first attempts. */
  readonly temporalDownPerSecond: Readonly<Record<FirstAttemptWay, number>>;
  readonly mongoStoppedMs: number;
  readonly mongoAwayMs: number;
  readonly unfinishedAtWipe: number;
  /** Events a second until there are this many: more arrive than are wanted, and the faster the rate, the more. */
  readonly unfinishedPerSecond: number;
  readonly modelDeliveries: number;
  /** Attempts at each kind of hostile receiver. */
  readonly hostileAttempts: number;
  /** Endpoints that hang, at the same host as another tenant's. */
  readonly hangingNeighbours: number;
  readonly blackHoles: number;
  readonly clockEvents: number;
  readonly idempotencyKeys: number;
  readonly rolledDeliveries: number;
  readonly rolledPerSecond: number;
  readonly forbiddenUrls: number;
  readonly revocations: number;
}

export const PROFILES: Readonly<Record<Counts['profile'], Counts>> = {
  quick: {
    profile: 'quick',
    // A third of what it is otherwise: three rows wait for it, or for the claims that last ten seconds longer.
    receiverTimeoutMs: 10_000,
    perSecond: 8,
    apiKills: 2,
    firstAttemptKills: 3,
    workerKills: 2,
    replayed: 60,
    replayKills: 1,
    erased: 500,
    resealed: 500,
    primaryKills: 1,
    rolledBackTerms: 1,
    stalledIngests: 100,
    temporalDownMs: 5_000,
    temporalDownPerSecond: { express: 4, workflow: 4 },
    mongoStoppedMs: 5_000,
    mongoAwayMs: 5_000,
    unfinishedAtWipe: 20,
    unfinishedPerSecond: 20,
    modelDeliveries: 150,
    hostileAttempts: 10,
    hangingNeighbours: 24,
    blackHoles: 40,
    clockEvents: 30,
    idempotencyKeys: 10,
    rolledDeliveries: 30,
    rolledPerSecond: 20,
    forbiddenUrls: 150,
    revocations: 2,
  },
  full: {
    profile: 'full',
    receiverTimeoutMs: 30_000,
    // To two endpoints each: what two processors keep up with while they start killed processes again.
    perSecond: 8,
    apiKills: 20,
    firstAttemptKills: 40,
    workerKills: 20,
    replayed: 1_000,
    replayKills: 2,
    erased: 5_000,
    resealed: 5_000,
    primaryKills: 5,
    rolledBackTerms: 3,
    stalledIngests: 2_000,
    temporalDownMs: 600_000,
    // By workflow each event waits for its execution, and two processors start about fifty a second.
    temporalDownPerSecond: { express: 50, workflow: 10 },
    mongoStoppedMs: 60_000,
    // Less than a claim lasts: after that, another process may take the attempt (ADR 3).
    mongoAwayMs: 20_000,
    unfinishedAtWipe: 500,
    unfinishedPerSecond: 100,
    modelDeliveries: 10_000,
    hostileAttempts: 1_000,
    hangingNeighbours: 80,
    blackHoles: 400,
    clockEvents: 200,
    idempotencyKeys: 1_000,
    rolledDeliveries: 300,
    rolledPerSecond: 50,
    forbiddenUrls: Number.POSITIVE_INFINITY,
    revocations: 10,
  },
};
