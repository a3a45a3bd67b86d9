import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { z } from 'zod';
import { FIRST_ATTEMPT_MODES, type FirstAttemptMode } from './domain/delivery-contract';
import { MAX_RETRY_JITTER } from './domain/retry-jitter';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule, type RetrySchedule } from './domain/retry-schedule';
import {
  alertsOf,
  baseUrl,
  ConfigError,
  duration,
  flag,
  hasCredentials,
  hostAndPort,
  httpUrl,
  parseCidrs,
  parsed,
  parseEncryptionKeys,
  parseHosts,
  parseMailAddresses,
  parsePorts,
  parseProxy,
  parseTiers,
  port,
  readCertificates,
  requireWholeMail,
  type AddressPolicy,
  type Alerts,
  type EgressProxy,
} from './parse-settings';
import { parseMongoUri } from './platform/mongo';
import { eventTypeSettings, eventTypesOf } from './event-type-settings';
import { limitsOf, type Limits } from './limit-settings';
import { portalOf, portalSettings } from './portal-settings';
import { describeProblems, policyOf, refuseOpenNetworks, requireKnownTier } from './refuse-settings';
import { readSecretFiles } from './secret-files';
import { otlpEndpoint, otlpInterval, otlpProtocol, telemetryOf } from './telemetry-settings';
import { temporalConnection } from './temporal-settings';

export { ConfigError, type AddressPolicy, type EgressProxy } from './parse-settings';

/** Every setting of Everpost, validated and frozen. `.env.example` documents each. */
export interface Config extends Readonly<ReturnType<typeof telemetryOf>> {
  readonly production: boolean;
  /** The URL under which callers reach the API, without a final slash; `undefined` if not configured. */
  readonly publicUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  /** Port of `/metrics`; 0 means any free port. */
  readonly metricsPort: number;
  /** The number of processes of a role. */
  readonly processes: number;
  readonly logLevel: string;
  /** Names that clients may use for this server, in addition to addresses and `localhost`; `*` allows any. */
  readonly allowedHosts: readonly string[];
  /** Absolute path of the embedded stack's data. */
  readonly dataDir: string;
  /** Absolute path where downloaded servers are kept, shared by every checkout of the user. */
  readonly cacheDir: string;
  readonly mongodb: {
    /** `undefined` selects the embedded server. */
    readonly uri: string | undefined;
    /** Port of the embedded server. */
    readonly port: number;
    /** Path of a `mongod` to use for the embedded server. */
    readonly binary: string | undefined;
  };
  readonly temporal: {
    /** `undefined` selects the embedded server. */
    readonly address: string | undefined;
    readonly namespace: string;
    /** How long the embedded server keeps closed executions. */
    readonly retentionMs: number;
    /** TLS, API key and metadata, from Temporal's environment configuration. */
    readonly connection: NativeConnectionOptions;
    /** Ports of the embedded server and its Web UI. */
    readonly port: number;
    readonly uiPort: number;
    /** Path of a `temporal` CLI to use for the embedded server. */
    readonly binary: string | undefined;
  };
  readonly delivery: {
    readonly schedule: RetrySchedule;
    /** By which share each delay after an attempt may be longer. */
    readonly retryJitter: number;
    readonly timeoutMs: number;
    /** Who makes first attempts. */
    readonly firstAttempt: FirstAttemptMode;
    /** Up to how many deliveries a second `auto` shows in Temporal. */
    readonly executionsPerSecond: number;
    /** How long an endpoint may only fail before it is disabled; `null` never disables it. */
    readonly autoDisableAfterMs: number | null;
    /** How long an endpoint fails before it is announced. */
    readonly failingAfterMs: number;
    /** Whether a host that is new to an account must answer a challenge before its first delivery. */
    readonly verifiesHosts: boolean;
    readonly policy: AddressPolicy;
    /** Certificates (PEM) trusted in addition to the default ones. */
    readonly extraCaPem: readonly string[];
    /** The egress proxy; `undefined` sends deliveries directly to their receivers. */
    readonly proxy: EgressProxy | undefined;
  };
  readonly limits: Limits;
  /** The checks against the catalog of event types. */
  readonly eventTypes: ReturnType<typeof eventTypesOf>;
  /** How the operator is told that endpoints fail, and that quotas are used up. */
  readonly alerts: Alerts;
  readonly dashboard: {
    /** Whether anyone may create an account. */
    readonly signUp: boolean;
    /** The URL of the Web UI where operators look at executions. */
    readonly temporalUiUrl: string | undefined;
  };
  /** The customers' portal: whose pages may frame it and call the API, and what it looks like. */
  readonly portal: ReturnType<typeof portalOf>;
  /** How long events are kept after their last delivery finished. */
  readonly retentionMs: number;
  /** How long the audit log is kept; `undefined` keeps it forever. */
  readonly auditRetentionMs: number | undefined;
  /** AES-256 keys for secrets at rest, newest first; empty lets the embedded stack make one. */
  readonly encryptionKeys: readonly string[];
  /** Whether payloads, and what receivers answer, are stored sealed. Sealed ones are read either way. */
  readonly sealPayloads: boolean;
}

const settings = z.object({
  // `test` is what test runners set.
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(8080),
  METRICS_PORT: port.default(0),
  PROCESSES: z.coerce.number().int().min(1).max(64).default(1),
  PUBLIC_URL: baseUrl.optional(),
  ALLOWED_HOSTS: parsed(parseHosts).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  EVERPOST_DATA_DIR: z.string().min(1).default('.everpost'),
  XDG_CACHE_HOME: z.string().optional(),
  MONGODB_URI: parsed(parseMongoUri).optional(),
  MONGODB_PORT: port.default(27_117),
  MONGOD_BINARY: z.string().optional(),
  TEMPORAL_ADDRESS: hostAndPort.optional(),
  TEMPORAL_NAMESPACE: z.string().optional(),
  TEMPORAL_PORT: port.default(7233),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_BINARY: z.string().optional(),
  // Temporal keeps them for at least a day.
  TEMPORAL_RETENTION: duration('24h').prefault('3d'),
  RETRY_SCHEDULE: parsed(parseRetrySchedule).prefault(DEFAULT_RETRY_SCHEDULE),
  RETRY_JITTER: z.coerce.number().min(0).max(MAX_RETRY_JITTER).default(0),
  DELIVERY_TIMEOUT: duration('1ms', '30s').prefault('30s'),
  FIRST_ATTEMPT: z.enum(FIRST_ATTEMPT_MODES).default('auto'),
  EXECUTIONS_PER_SECOND: z.coerce.number().int().min(0).default(30),
  ENDPOINT_AUTO_DISABLE_AFTER: duration('1h').optional(),
  ENDPOINT_FAILING_AFTER: duration('1m', '7d').prefault('5m'),
  ENDPOINT_VERIFICATION: z.enum(['off', 'challenge']).optional(),
  DELIVERY_ALLOW_HTTP: flag.prefault(''),
  DELIVERY_ALLOW_CIDRS: parsed(parseCidrs).prefault(''),
  DELIVERY_DENY_CIDRS: parsed(parseCidrs).prefault(''),
  DELIVERY_PROXY: parsed(parseProxy).optional(),
  DELIVERY_ALLOW_PORTS: parsed(parsePorts).prefault('443,8443'),
  DELIVERY_CA_FILE: parsed(readCertificates).optional(),
  EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: flag.prefault(''),
  NODE_EXTRA_CA_CERTS: parsed(readCertificates).optional(),
  INGEST_TIMEOUT: duration('100ms', '60s').prefault('2s'),
  INGEST_MAX_WAITING: z.coerce.number().int().min(1).default(1_000),
  // The least is the size of a batch.
  INGEST_MAX_WAITING_BYTES: z.coerce.number().int().min(2_097_152).default(67_108_864),
  EVENT_TYPES: eventTypeSettings.mode,
  EVENT_TYPES_TIMEOUT: eventTypeSettings.timeout,
  AUTH_FAILURES_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  ESTIMATOR_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  MANAGEMENT_PER_MINUTE: z.coerce.number().int().min(1).default(6_000),
  ACCOUNTS_DEFAULT_TIER: z.string().min(1).default('enterprise'),
  MAX_CONNECTIONS: z.coerce.number().int().min(1).optional(),
  TRUSTED_PROXIES: parsed(parseCidrs).prefault(''),
  TIERS: parsed(parseTiers).prefault('[]'),
  ALERT_EMAIL_TO: parsed(parseMailAddresses).prefault(''),
  ALERT_EMAIL_FROM: parsed(parseMailAddresses).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
  ALERT_WEBHOOK_URL: httpUrl
    // They could not be sent: `fetch` refuses such a URL, with an error that repeats it.
    .refine((url) => !hasCredentials(url), 'must not contain a user and a password')
    .optional(),
  // An idempotency key restores a missing event for 24 hours, and must not bring back a delivered one.
  RETENTION: duration('48h', '3650d').prefault('30d'),
  AUDIT_RETENTION: duration('24h', '3650d').optional(),
  SIGN_UP: z.enum(['open', 'closed']).optional(),
  TEMPORAL_UI_URL: baseUrl.optional(),
  PORTAL_ORIGINS: portalSettings.origins,
  PORTAL_NAME: portalSettings.name,
  PORTAL_LOGO: portalSettings.logo,
  PORTAL_COLOR: portalSettings.color,
  PORTAL_REFRESH_URL: portalSettings.refreshUrl,
  ENCRYPTION_KEY: parsed(parseEncryptionKeys).prefault(''),
  SEAL_PAYLOADS: z.enum(['on', 'off']).default('on'),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: otlpEndpoint,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: otlpProtocol,
  OTEL_METRIC_EXPORT_INTERVAL: otlpInterval,
  OTEL_SDK_DISABLED: flag.prefault(''),
  // Read by OpenTelemetry's SDK; here only because it may be in a file.
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
});

/**
 * Reads and validates every setting. The only place that reads the environment.
 *
 * @param env the environment; an empty or blank value counts as unset
 * @throws ConfigError naming every setting that can't be used
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const written = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
  const { env: present, problems: ofFiles } = readSecretFiles(written);
  const result = settings.superRefine(requireWholeMail).superRefine(requireKnownTier).safeParse(present);
  const problems = describeProblems(written, ofFiles, result.error?.issues ?? []);
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const value = result.data;
  const production = value.NODE_ENV === 'production';
  refuseOpenNetworks(value, production);
  const temporal = temporalConnection(present);
  return Object.freeze({
    production,
    publicUrl: value.PUBLIC_URL,
    host: value.HOST,
    port: value.PORT,
    metricsPort: value.METRICS_PORT,
    processes: value.PROCESSES,
    logLevel: value.LOG_LEVEL,
    // Against DNS rebinding, which targets machines that run a browser (SECURITY.md).
    allowedHosts: [value.HOST.toLowerCase(), ...(value.ALLOWED_HOSTS ?? (production ? ['*'] : []))],
    dataDir: resolve(value.EVERPOST_DATA_DIR),
    cacheDir: join(value.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'everpost'),
    mongodb: { uri: value.MONGODB_URI, port: value.MONGODB_PORT, binary: value.MONGOD_BINARY },
    temporal: {
      ...temporal,
      address: value.TEMPORAL_ADDRESS ?? temporal.address,
      retentionMs: value.TEMPORAL_RETENTION,
      port: value.TEMPORAL_PORT,
      uiPort: value.TEMPORAL_UI_PORT,
      binary: value.TEMPORAL_BINARY,
    },
    delivery: {
      schedule: value.RETRY_SCHEDULE,
      retryJitter: value.RETRY_JITTER,
      timeoutMs: value.DELIVERY_TIMEOUT,
      firstAttempt: value.FIRST_ATTEMPT,
      executionsPerSecond: value.EXECUTIONS_PER_SECOND,
      autoDisableAfterMs: value.ENDPOINT_AUTO_DISABLE_AFTER ?? null,
      failingAfterMs: value.ENDPOINT_FAILING_AFTER,
      // Where strangers can sign up, they can register hosts that are not theirs.
      verifiesHosts:
        (value.ENDPOINT_VERIFICATION ?? (production && value.SIGN_UP === 'open' ? 'challenge' : 'off')) === 'challenge',
      policy: policyOf(value),
      extraCaPem: [value.NODE_EXTRA_CA_CERTS ?? [], value.DELIVERY_CA_FILE ?? []].flat(),
      proxy: value.DELIVERY_PROXY,
    },
    limits: limitsOf(value),
    eventTypes: eventTypesOf(value),
    alerts: alertsOf(value),
    dashboard: {
      signUp: (value.SIGN_UP ?? (production ? 'closed' : 'open')) === 'open',
      temporalUiUrl: value.TEMPORAL_UI_URL,
    },
    portal: portalOf(value),
    ...telemetryOf(value, present),
    retentionMs: value.RETENTION,
    auditRetentionMs: value.AUDIT_RETENTION,
    encryptionKeys: value.ENCRYPTION_KEY,
    sealPayloads: value.SEAL_PAYLOADS === 'on',
  });
}
