import type { Tier } from './domain/tiers';

/** How much callers may do. */
export interface Limits {
  readonly tiers: ReadonlyMap<string, Tier>;
  readonly authFailuresPerMinute: number;
  /** Calls of the cost estimator without a key, for each client address. */
  readonly estimatorPerMinute: number;
  /** Calls of a management key for no account, in each process. */
  readonly managementPerMinute: number;
  /** The tier of accounts that are created by the API without one. */
  readonly defaultTier: string;
  /** What may wait for MongoDB at a time in each process, and how long. */
  readonly ingest: { readonly calls: number; readonly bytes: number; readonly patienceMs: number };
  /** The most connections to the API at a time; `undefined` means as many as the process can take. */
  readonly maxConnections: number | undefined;
  /** CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
}

/** The settings of limits. */
interface LimitValues {
  readonly TIERS: ReadonlyMap<string, Tier>;
  readonly AUTH_FAILURES_PER_MINUTE: number;
  readonly ESTIMATOR_PER_MINUTE: number;
  readonly MANAGEMENT_PER_MINUTE: number;
  readonly ACCOUNTS_DEFAULT_TIER: string;
  readonly INGEST_MAX_WAITING: number;
  readonly INGEST_MAX_WAITING_BYTES: number;
  readonly INGEST_TIMEOUT: number;
  readonly MAX_CONNECTIONS?: number | undefined;
  readonly TRUSTED_PROXIES: readonly string[];
}

/** The limits that the settings ask for. */
export function limitsOf(value: LimitValues): Limits {
  const { INGEST_MAX_WAITING: calls, INGEST_MAX_WAITING_BYTES: bytes, INGEST_TIMEOUT: patienceMs } = value;
  return {
    tiers: value.TIERS,
    authFailuresPerMinute: value.AUTH_FAILURES_PER_MINUTE,
    estimatorPerMinute: value.ESTIMATOR_PER_MINUTE,
    managementPerMinute: value.MANAGEMENT_PER_MINUTE,
    defaultTier: value.ACCOUNTS_DEFAULT_TIER,
    ingest: { calls, bytes, patienceMs },
    maxConnections: value.MAX_CONNECTIONS,
    trustedProxies: value.TRUSTED_PROXIES,
  };
}
