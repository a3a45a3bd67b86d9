import type { Fault } from '../fault';
import { bulkReplay } from './bulk-replay';
import { clockShift } from './clock-shift';
import { crossAccount } from './cross-account';
import { databaseClockShift } from './database-clock-shift';
import { diskFullMongodb } from './disk-full-mongodb';
import { diskFullTemporal } from './disk-full-temporal';
import { dnsBlackHoles } from './dns-black-holes';
import { encryptionKeyRotated } from './encryption-key-rotated';
import { erasureKilled } from './erasure-killed';
import { everythingKilled } from './everything-killed';
import { executionsTerminated } from './executions-terminated';
import { hostileReceivers } from './hostile-receivers';
import { idempotencyRace } from './idempotency-race';
import { keyRevoked } from './key-revoked';
import { killApi } from './kill-api';
import { killAtGates } from './kill-at-gates';
import { killInFirstAttempt } from './kill-in-first-attempt';
import { killTemporal } from './kill-temporal';
import { killWorker } from './kill-worker';
import { majorityStalled } from './majority-stalled';
import { mongodbAwayAfterPost } from './mongodb-away-after-post';
import { mongodbStopped } from './mongodb-stopped';
import { operationsModel } from './operations-model';
import { primaryKilled } from './primary-killed';
import { rolledBack } from './rolled-back';
import { sharedHost } from './shared-host';
import { sigtermInMidPost } from './sigterm-in-mid-post';
import { smallDiskFull } from './small-disk-full';
import { smallEverythingKilled } from './small-everything-killed';
import { smallPowerCut } from './small-power-cut';
import { smallTemporalLost } from './small-temporal-lost';
import { ssrfCorpus } from './ssrf-corpus';
import { temporalDown } from './temporal-down';
import { temporalWiped } from './temporal-wiped';
import { termRolledBack } from './term-rolled-back';
import { workerRolled } from './worker-rolled';

/** The crash matrix, in the order of its rows. */
export const FAULTS: readonly Fault[] = [
  killApi,
  killInFirstAttempt,
  killWorker,
  killAtGates,
  sigtermInMidPost,
  killTemporal,
  bulkReplay,
  erasureKilled,
  encryptionKeyRotated,
  temporalDown,
  primaryKilled,
  termRolledBack,
  majorityStalled,
  mongodbStopped,
  everythingKilled,
  temporalWiped,
  executionsTerminated,
  mongodbAwayAfterPost,
  operationsModel,
  diskFullMongodb,
  diskFullTemporal,
  hostileReceivers,
  sharedHost,
  dnsBlackHoles,
  clockShift,
  databaseClockShift,
  idempotencyRace,
  workerRolled,
  rolledBack,
  ssrfCorpus,
  crossAccount,
  keyRevoked,
  smallEverythingKilled,
  smallTemporalLost,
  smallDiskFull,
  smallPowerCut,
];
