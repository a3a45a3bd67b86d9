import {
  MongoAPIError,
  MongoBulkWriteError,
  MongoDriverError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';

/** Codes of the server after which the same call can succeed later (MongoDB's `error_codes.yml`). */
const UNAVAILABLE_CODES = new Set([
  // The server, or one behind it, is away, stops, or is not the primary: HostUnreachable, HostNotFound, NetworkTimeout,
  // ShutdownInProgress, NotYetInitialized, PrimarySteppedDown, ElectionInProgress, ConnectionPoolExpired,
  // ConnectionError, SocketException, LegacyNotPrimary, NotWritablePrimary, InterruptedAtShutdown,
  // InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
  ...[6, 7, 89, 91, 94, 189, 216, 317, 384, 9001, 10058, 10107, 11600, 11602, 13435, 13436],
  // It authenticates no client, as while its password is changed: AuthenticationFailed, ReauthenticationRequired.
  ...[18, 391],
  // It can't confirm a write, or find who could: WriteConcernTimeout (WriteConcernFailed before 8.0),
  // UnknownReplWriteConcern, UnsatisfiableWriteConcern, FailedToSatisfyReadPreference,
  // ReadConcernMajorityNotAvailableYet, KeyNotFound (it has no keys for the cluster's time yet).
  ...[64, 79, 100, 133, 134, 211],
  // It took too long: LockTimeout, MaxTimeMSExpired, NetworkInterfaceExceededTimeLimit, ExceededTimeLimit,
  // TransactionExceededLifetimeLimitSeconds, PooledConnectionAcquisitionExceededTimeLimit.
  ...[24, 50, 202, 262, 290, 407],
  // It ended what was under way: CursorNotFound, QueryPlanKilled, NoSuchSession, TransactionTooOld, CursorKilled,
  // SnapshotTooOld, SnapshotUnavailable, NoSuchTransaction, InterruptedDueToStorageChange, Interrupted,
  // ClientMarkedKilled, RetriableRemoteCommandFailure, InterruptedDueToFCVChange.
  ...[43, 175, 206, 225, 237, 239, 246, 251, 355, 11601, 46_841, 91_331, 10_045_600],
  // It has too much to do: LockBusy, WriteConflict, TemporarilyUnavailable, ResourceExhausted, AdmissionQueueOverflow,
  // RateLimitExceeded, PooledConnectionAcquisitionRejected, IngressRequestRateLimitExceeded.
  ...[46, 112, 365, 402, 433, 449, 450, 462],
  // Its disk is full or can't be written. UnknownError is what the storage engine's errors become that have no code of
  // their own, such as "28: No space left on device" and "30: Read-only file system". LogWriteFailed, TooManyFilesOpen,
  // OutOfDiskSpace; AtlasError is Atlas's for a quota of space.
  ...[8, 42, 264, 8_000, 14_031],
  // An operator holds writes back, as before a migration: UserWritesBlocked.
  ...[371],
]);

/** Labels by which the server, or the driver, says that the same call can succeed later. */
const UNAVAILABLE_LABELS = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'RetryableError',
  'SystemOverloadedError',
];

/** Node's own errors for a connection that is gone: the driver passes them on when it writes to one. */
const SOCKET_CODES = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** Whether the error means that MongoDB is away or can't do its work now, so that the caller should retry. */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return SOCKET_CODES.has(String((error as { code?: unknown } | null)?.code));
  if (
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoExpiredSessionError ||
    error instanceof MongoWriteConcernError ||
    UNAVAILABLE_LABELS.some((label) => error.hasErrorLabel(label)) ||
    // The driver's own problems: a closed pool, a wait that took too long, half an answer.
    (error instanceof MongoDriverError && !(error instanceof MongoAPIError))
  ) {
    return true;
  }
  if (error instanceof MongoBulkWriteError) {
    // The driver also uses this class for an error that broke the connection.
    if (error.result.getWriteConcernError() || isMongoUnavailable(error.errorResponse)) return true;
    // Its own code is that of the first write.
    if ([error.writeErrors].flat().some(({ code }) => UNAVAILABLE_CODES.has(code))) return true;
  }
  return error instanceof MongoServerError && UNAVAILABLE_CODES.has(Number(error.code));
}
